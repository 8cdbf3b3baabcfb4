import GRDB

/// A place within a list: the values of the last row shown, as far as the list's order compares
/// them. Rows after the place stay after it, whatever is added to the list meanwhile.
public struct ListPlace: Hashable, Sendable {
  /// A value that the list's order compares.
  public enum Key: Hashable, Sendable {
    /// A moment in milliseconds, a number, or a yes or no.
    case integer(Int64)
    /// A name or an identifier.
    case text(String)
  }

  /// The values in the order of comparison; empty for the beginning.
  public var keys: [Key]

  /// The place before the first row of any list.
  public static let beginning = ListPlace([])

  /// Creates a place.
  public init(_ keys: [Key]) { self.keys = keys }
}

extension ListPlace {
  /// Binds a place in a list that compares a moment and an identifier, and asks for one row more
  /// than the page has.
  static func bound(
    _ place: ListPlace?, _ limit: Int, _ inspector: String?
  ) -> [String: (any DatabaseValueConvertible)?] {
    let keys = place?.keys ?? []
    return [
      "k0": keys.count == 2 ? keys[0].value : nil, "k1": keys.count == 2 ? keys[1].value : nil,
      "limit": limit + 1, "inspector": inspector,
    ]
  }

  /// Reads the place of a row from its columns `k0`, `k1` and so on.
  init(of row: Row, keys count: Int) {
    self.init(
      (0..<count).map { index in
        switch (row["k\(index)"] as DatabaseValue).storage {
        case .int64(let value): .integer(value)
        case .string(let text): .text(text)
        case .null, .double, .blob: .text("")
        }
      })
  }
}

extension ListPlace.Key {
  var value: any DatabaseValueConvertible {
    switch self {
    case .integer(let value): value
    case .text(let text): text
    }
  }
}
