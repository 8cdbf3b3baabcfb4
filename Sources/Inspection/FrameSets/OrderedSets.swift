import TimeAndText

/// A set of frames that a task needs: complete, and with at least so many sectors.
public struct NeededSet: Hashable, Sendable {
  /// The kind of the set.
  public var kind: FrameSetKind
  /// The least number of its sectors.
  public var sectors: Int

  /// Creates a need.
  public init(kind: FrameSetKind, sectors: Int) { (self.kind, self.sectors) = (kind, sectors) }

  /// Returns true if a set is what is needed.
  func isMet(by head: FrameSetHead) -> Bool {
    head.kind == kind && head.sectors >= sectors && head.isComplete
  }
}

/// The sets of frames that one order asks for, beside those that the type of its task needs.
public struct OrderedSets: Hashable, Sendable {
  /// The sectors of a walk round a thing, 4…120; nil if the order asks for none.
  public private(set) var aroundSectors: Int?
  /// The views of a turn on the spot, 4, 8 or 12; nil if the order asks for none.
  public private(set) var turnViews: Int?

  /// An order that asks for no set.
  public static let none = OrderedSets()

  private init() {}

  /// Creates the sets of an order.
  /// - Throws: `FrameSetRefusal.sectors` for a number that a set of its kind cannot have.
  public init(aroundSectors: Int?, turnViews: Int?) throws(FrameSetRefusal) {
    for (kind, sectors) in [(FrameSetKind.around, aroundSectors), (.turn, turnViews)] {
      if let sectors, !kind.allows(sectors: sectors) { throw .sectors(sectors, kind: kind) }
    }
    (self.aroundSectors, self.turnViews) = (aroundSectors, turnViews)
  }

  /// Returns these sets with another number for one kind.
  /// - Parameter sectors: the number; nil or 0 for no set of this kind.
  /// - Throws: `FrameSetRefusal.sectors`.
  public func with(_ kind: FrameSetKind, _ sectors: Int?) throws(FrameSetRefusal) -> OrderedSets {
    let sectors = sectors == 0 ? nil : sectors
    return switch kind {
    case .around: try OrderedSets(aroundSectors: sectors, turnViews: turnViews)
    case .turn: try OrderedSets(aroundSectors: aroundSectors, turnViews: sectors)
    }
  }

  /// The number of sectors for a kind; nil if the order asks for no such set.
  public subscript(_ kind: FrameSetKind) -> Int? {
    switch kind {
    case .around: aroundSectors
    case .turn: turnViews
    }
  }

  /// The sets, a walk before a turn.
  public var list: [NeededSet] {
    FrameSetKind.allCases.compactMap { kind in
      self[kind].map { NeededSet(kind: kind, sectors: $0) }
    }
  }
}
