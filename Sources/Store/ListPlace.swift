import GRDB

/// A place within a list: what the list's order compares, of the one that was shown last. What is
/// behind it stays behind it, whatever is added to the list meanwhile.
public struct ListPlace: Hashable, Sendable {
  /// One of the values that are compared.
  public enum Key: Hashable, Sendable {
    /// A moment, a number, or a yes or no.
    case integer(Int64)
    /// A name or an identifier.
    case text(String)
  }

  /// The values, one after the other.
  public var keys: [Key]

  /// The place before the first one of any list.
  public static let beginning = ListPlace([])

  /// Creates a place.
  public init(_ keys: [Key]) { self.keys = keys }
}

extension ListPlace {
  /// Binds a place of a list that compares a moment and an identifier, and one row more than the page has.
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
