import Foundation

/// The lines that an officer draws over a copy of a photo to show what is wrong with it. The photo
/// itself stays as it is.
public struct PhotoMark: Hashable, Sendable {
  /// A place in the picture as it is shown upright, in thousandths of its sides.
  public struct Place: Hashable, Sendable {
    /// The distance from the left edge, thousandths of the width, 0 ... 1000.
    public let across: Int
    /// The distance from the upper edge, thousandths of the height, 0 ... 1000.
    public let down: Int

    /// Creates a place; nil outside the picture.
    public init?(across: Int, down: Int) {
      guard PhotoMark.thousandths.contains(across), PhotoMark.thousandths.contains(down) else {
        return nil
      }
      (self.across, self.down) = (across, down)
    }
  }

  /// The places that are in a picture.
  static let thousandths = 0...1000
  /// The most lines over one photo.
  public static let linesAtMost = 20
  /// The most places of one line.
  public static let placesAtMost = 200
  /// The most places of all marks of one decision.
  public static let placesOfDecisionAtMost = 20_000

  /// The photo.
  public let photo: Identifier
  /// The lines, each with its places in their order; a line of one place is a dot.
  public let lines: [[Place]]

  /// Creates a mark.
  /// - Throws: `ItemRefusal.mark` without a line, with an empty one, or with too many.
  public init(photo: Identifier, lines: [[Place]]) throws(ItemRefusal) {
    guard (1...Self.linesAtMost).contains(lines.count),
      lines.allSatisfy({ (1...Self.placesAtMost).contains($0.count) })
    else { throw .mark }
    (self.photo, self.lines) = (photo, lines)
  }

  /// Creates a mark from its text; see `linesText`.
  /// - Throws: `ItemRefusal.mark` if the text is none.
  public init(photo: Identifier, linesText: String) throws(ItemRefusal) {
    // A hostile text is not cut into a million pieces.
    guard linesText.utf8.count <= Self.linesAtMost * Self.placesAtMost * "1000,1000 ".count else {
      throw .mark
    }
    var lines: [[Place]] = []
    for line in linesText.split(separator: ";", omittingEmptySubsequences: false) {
      var places: [Place] = []
      for place in line.split(separator: " ", omittingEmptySubsequences: false) {
        let sides = place.split(separator: ",", omittingEmptySubsequences: false)
        guard sides.count == 2, let across = Int(sides[0]), let down = Int(sides[1]),
          let place = Place(across: across, down: down)
        else { throw .mark }
        places.append(place)
      }
      lines.append(places)
    }
    try self.init(photo: photo, lines: lines)
  }

  /// The lines as text: `ACROSS,DOWN ACROSS,DOWN;ACROSS,DOWN`, one line behind each semicolon.
  public var linesText: String {
    lines.map { line in line.map { "\($0.across),\($0.down)" }.joined(separator: " ") }
      .joined(separator: ";")
  }

  /// The text of rings round the nine parts of a picture, for people who draw nothing: three rows of
  /// three, from the upper left to the lower right.
  public static let ringTexts = (0..<9).map { part in
    let third = Double(thousandths.upperBound) / 3
    let (row, column) = part.quotientAndRemainder(dividingBy: 3)
    // A ring at the edge stays in the picture.
    let radius = third * 0.47
    return stride(from: 0.0, through: 360, by: 20).map { degrees in
      let angle = degrees * .pi / 180
      let across = third * (Double(column) + 0.5) + radius * cos(angle)
      let down = third * (Double(row) + 0.5) + radius * sin(angle)
      return "\(Int(across.rounded())),\(Int(down.rounded()))"
    }.joined(separator: " ")
  }
}

/// The items of a task that an officer returns by themselves.
public struct ItemReturns: Hashable, Sendable {
  /// The reason for each item.
  public var reasons: [ItemName: String]
  /// The marks on photos of these items.
  public var marks: [PhotoMark]

  /// No item is returned by itself.
  public static let none = ItemReturns(reasons: [:])

  /// Creates the items that are returned.
  public init(reasons: [ItemName: String], marks: [PhotoMark] = []) {
    (self.reasons, self.marks) = (reasons, marks)
  }

  /// True if no item is returned by itself.
  public var isEmpty: Bool { reasons.isEmpty && marks.isEmpty }
}

extension ItemReturns: ExpressibleByDictionaryLiteral {
  /// Creates the items that are returned without a mark, each with its reason.
  public init(dictionaryLiteral elements: (ItemName, String)...) {
    self.init(reasons: Dictionary(elements) { $1 })
  }
}
