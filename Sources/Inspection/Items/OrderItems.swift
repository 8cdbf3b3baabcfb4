import TimeAndText

/// The items of an order or of a template, in their order, of which each can be done: no two have
/// one name, and no condition refers to itself, to an item below it, or to a choice that is gone.
public struct OrderItems: Hashable, Sendable {
  /// The most items of one order.
  public static let itemsAtMost = 500
  /// The most choices of one question.
  public static let choicesAtMost = 500

  /// The items.
  public let items: [OrderItem]

  /// Creates the items of an order.
  /// - Throws: `ItemFault` with the first item that cannot be.
  public init(_ items: [OrderItem]) throws(ItemFault) {
    guard items.count <= Self.itemsAtMost else {
      throw ItemFault(nil, "an order has at most \(Self.itemsAtMost) items, not \(items.count)")
    }
    var above: [ItemName: OrderItem] = [:]
    for item in items {
      guard above[item.name] == nil else {
        throw ItemFault(item.name, "another item has the same name")
      }
      try Self.check(item, above: above)
      above[item.name] = item
    }
    self.items = items
  }

  private init(unchecked items: [OrderItem]) { self.items = items }

  /// Returns the items with the land of their stations, as a task's order has it.
  func located(in task: InspectionTask) -> OrderItems {
    OrderItems(
      unchecked: items.map { item in
        guard var shot = item.shot, let area = task.land(of: shot.station) else { return item }
        var item = item
        shot.area = area
        item.content = .shot(shot)
        return item
      })
  }

  /// The item of a name; nil if there is none.
  public subscript(_ name: ItemName) -> OrderItem? { items.first { $0.name == name } }

  private static func check(
    _ item: OrderItem, above: [ItemName: OrderItem]
  ) throws(ItemFault) {
    func wrong(_ words: Wording) -> ItemFault { ItemFault(item.name, words) }
    guard !InspectionTask.isBlank(item.wording) else { throw wrong("it has no wording") }
    for text in [item.wording, item.hint ?? ""]
    where text.unicodeScalars.count > OrderItem.charactersAtMost {
      throw wrong(
        "its wording or its hint has \(text.unicodeScalars.count) characters; at most \(OrderItem.charactersAtMost) are possible"
      )
    }
    switch item.content {
    case .question(let question): try check(question, wrong)
    case .shot(let shot): try check(shot, wrong)
    case .track, .note: break
    case .words:
      if item.isRequired { throw wrong("words that are only read cannot be required") }
    }
    if let condition = item.condition { try check(condition, of: item, above: above, wrong) }
  }

  private static func check(
    _ question: Question, _ wrong: (Wording) -> ItemFault
  ) throws(ItemFault) {
    switch question.form {
    case .choice(let choices), .several(let choices):
      guard !choices.isEmpty else { throw wrong("it offers no choice") }
      guard choices.count <= choicesAtMost else {
        throw wrong("it offers \(choices.count) choices; at most \(choicesAtMost) are possible")
      }
      var known: Set<ItemName> = []
      for choice in choices {
        guard known.insert(choice.name).inserted else {
          throw wrong("two of its choices are named \(choice.name.description)")
        }
        guard !InspectionTask.isBlank(choice.wording),
          choice.wording.unicodeScalars.count <= OrderItem.charactersAtMost
        else {
          throw wrong("its choice \(choice.name.description) has no wording, or too long a one")
        }
      }
    case .number(let range):
      let limits = [range.least, range.most].compactMap(\.self)
      guard limits.allSatisfy(\.isFinite) else { throw wrong("a limit of its number is none") }
      if let least = range.least, let most = range.most, least > most {
        throw wrong("its least number is larger than its largest")
      }
      if range.isWhole, let least = range.least, let most = range.most,
        least.rounded(.up) > most.rounded(.down)
      {
        throw wrong("no whole number lies between its limits")
      }
    case .text, .yesOrNo, .date: break
    }
  }

  private static func check(
    _ shot: WantedShot, _ wrong: (Wording) -> ItemFault
  ) throws(ItemFault) {
    guard (1...WantedShot.photosAtMost).contains(shot.least) else {
      throw wrong("it asks for \(shot.least) photos; 1 to \(WantedShot.photosAtMost) are possible")
    }
    if let most = shot.most, !(shot.least...WantedShot.photosAtMost).contains(most) {
      throw wrong(
        "its largest number of photos is \(most); \(shot.least) to \(WantedShot.photosAtMost) are possible"
      )
    }
    if let example = shot.example, !AttachedFile.isDigest(example) {
      throw wrong("its example is not the SHA-256 of a picture")
    }
    if case .point(_, let radius) = shot.station, !WantedShot.radiiMetres.contains(radius) {
      throw wrong("the radius of its station is not 2 to 5000 m")
    }
    if let bearing = shot.bearing {
      guard (0..<360).contains(bearing.degreesTrue), bearing.toleranceDegrees > 0,
        bearing.toleranceDegrees <= 180
      else { throw wrong("its bearing is not 0 to 360°, or its tolerance not above 0 to 180°") }
    }
    if let set = shot.set {
      guard set.kind.allows(sectors: set.sectors) else {
        throw wrong("\(FrameSetRefusal.sectors(set.sectors, kind: set.kind).wording)")
      }
      guard shot.point == nil, shot.bearing == nil else {
        throw wrong("a set has no single direction: it repeats no photo point, and has no bearing")
      }
    }
  }

  private static func check(
    _ condition: ItemCondition, of item: OrderItem, above: [ItemName: OrderItem],
    _ wrong: (Wording) -> ItemFault
  ) throws(ItemFault) {
    guard condition.depth <= ItemCondition.depthAtMost else {
      throw wrong("its condition has more than \(ItemCondition.depthAtMost) levels")
    }
    let comparisons = condition.comparisons
    guard comparisons.count <= ItemCondition.comparisonsAtMost else {
      throw wrong(
        "its condition has \(comparisons.count) comparisons; at most \(ItemCondition.comparisonsAtMost) are possible"
      )
    }
    for comparison in comparisons {
      guard let name = comparison.question else { continue }
      guard name != item.name else { throw wrong("its condition refers to itself") }
      guard let other = above[name] else {
        throw wrong(
          "its condition refers to \(name.description), which is no item above it")
      }
      guard let question = other.question else {
        throw wrong("its condition refers to \(name.description), which is no question")
      }
      guard comparison.fits(question) else {
        throw wrong("its condition compares \(name.description) with an answer that it cannot have")
      }
    }
  }
}

/// A fault in the items of an order.
public struct ItemFault: Error, Hashable, Sendable, Worded {
  /// The item; nil if all of them are meant.
  public let item: ItemName?
  /// The fault, in English.
  private let words: String
  /// The fault.
  public let reason: Wording

  init(_ item: ItemName?, _ reason: Wording) {
    (self.item, self.reason, words) = (item, reason, reason.description)
  }

  /// The item and its fault, in one line.
  public var wording: Wording { item.map { "item \($0.description): \(reason)" } ?? reason }

  /// Compares two faults: they are equal if they name one item and have equal English words.
  public static func == (one: ItemFault, other: ItemFault) -> Bool {
    one.item == other.item && one.words == other.words
  }

  /// Hashes the item and the English words.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(item)
    hasher.combine(words)
  }
}
