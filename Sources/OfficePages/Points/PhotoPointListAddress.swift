import Foundation
import Inspection
import Office
import Store
import TimeAndText

/// The search and the place of a list of photo points, as an address carries them.
struct PhotoPointListAddress: Hashable, Sendable {
  /// The words that a point's name holds, its code or its parcel; nil for all points.
  var text: String?
  /// The place after which the page begins; nil for the first page.
  var place: ListPlace?
  /// True for the list of withdrawn points.
  var isWithdrawn = false

  private static let charactersAtMost = 200

  /// Creates the list from the fields of a query. A value that is not understood counts as absent.
  init(_ query: [String: String]) {
    text = query["text"].flatMap { value in
      let words = value.trimmingCharacters(in: .whitespacesAndNewlines)
      return words.isEmpty ? nil : String(words.prefix(Self.charactersAtMost))
    }
    place = query["after"].flatMap(Self.place)
    isWithdrawn = query["show"] == Self.withdrawn
  }

  private static let withdrawn = "withdrawn"
  /// The address of the list of withdrawn points.
  static let withdrawnPath = "/points?show=\(withdrawn)"

  /// The words as the database compares them: a whole code without blanks and in capitals.
  var searched: String? { text.map { PhotoPointCode($0)?.description ?? $0 } }

  /// True if the list is not the beginning of all points.
  var isNarrowed: Bool { text != nil || place != nil }

  /// The same list without words to search for, from its beginning.
  var whole: PhotoPointListAddress {
    var whole = self
    (whole.text, whole.place) = (nil, nil)
    return whole
  }

  /// Returns the address of the page of this list after a place; of the first page for nil.
  func path(after place: ListPlace?) -> String {
    let fields = [
      isWithdrawn ? "show=\(Self.withdrawn)" : nil,
      text.map { "text=\(AddressText.escaped($0))" },
      place.flatMap(Self.text).map { "after=\($0)" },
    ].compactMap(\.self)
    return fields.isEmpty ? "/points" : "/points?" + fields.joined(separator: "&")
  }

  /// Returns a place as a moment and an identifier; nil for a place in another list.
  private static func text(_ place: ListPlace) -> String? {
    guard place.keys.count == 2, case .integer(let made) = place.keys[0],
      case .text(let id) = place.keys[1]
    else { return nil }
    return "\(made).\(id)"
  }

  private static func place(_ text: String) -> ListPlace? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let made = Int64(parts[0]), let id = Identifier(String(parts[1]))
    else { return nil }
    return ListPlace([.integer(made), .text(id.description)])
  }
}
