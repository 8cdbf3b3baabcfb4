import Positioning

/// What an agency lays down for its field units. Each change is a further revision; none is changed.
public struct CapturePolicy: Hashable, Sendable {
  /// Counts up with each change, from 1.
  public var revision: Int
  /// When it was laid down, by the office's clock.
  public var issued: DeviceTime
  /// What holds for all captures.
  public var general: CaptureRules
  /// What holds for tasks of a type, over the general rules; a type without rules of its own has no entry.
  public private(set) var types: [String: CaptureRules] = [:]
  /// After how many days delivered photos leave the field unit, once their task is decided and the
  /// office has read them again; nil is never.
  public var removesDeliveredAfterDays: Int?

  /// What can be said of days.
  public static let removalDays = 0...3650
  /// So many types can have rules of their own; a type's name has so many bytes at most.
  public static let typeLimit = 100
  /// See `typeLimit`.
  public static let typeByteLimit = 200

  /// A policy from its parts. Whether each photo also tells which cells and access points were heard,
  /// and whether a task's photos are delivered as soon as they are taken, is off until it is turned on.
  public init(
    revision: Int, issued: DeviceTime, readsSurroundings: Bool = false,
    deliversAhead: Bool = false, removesDeliveredAfterDays: Int? = nil,
    general: CaptureRules = CaptureRules()
  ) {
    self.revision = revision
    self.issued = issued
    self.general = general
    self.removesDeliveredAfterDays = removesDeliveredAfterDays
    if readsSurroundings { self.readsSurroundings = true }
    if deliversAhead { self.deliversAhead = true }
  }

  /// Whether each photo also tells which cells and access points were heard, where its task's type says
  /// nothing else.
  public var readsSurroundings: Bool {
    get { general.flag(.surroundings) }
    set { general[.surroundings] = newValue ? .flag(true) : nil }
  }

  /// Whether a task's photos are delivered as soon as they are taken, and not with the task: they cannot
  /// be deleted then. A task's type may say something else.
  public var deliversAhead: Bool {
    get { general.flag(.deliverAhead) }
    set { general[.deliverAhead] = newValue ? .flag(true) : nil }
  }

  /// The rules that hold for a task of this type, or for a photo without a task.
  public func rules(forType type: String?) -> CaptureRules {
    type.flatMap { types[$0] }.map { $0.over(general) } ?? general
  }

  /// What is laid down for a type alone.
  public func ownRules(ofType type: String) -> CaptureRules { types[type] ?? CaptureRules() }

  /// Lays down what holds for tasks of a type; nothing takes its own rules away. Rules that no type can
  /// have are not taken.
  /// - Returns: whether there is room for one more type, and the name can be one.
  @discardableResult
  public mutating func set(_ rules: CaptureRules, forType type: String) -> Bool {
    guard !type.isEmpty, type.utf8.count <= Self.typeByteLimit else { return false }
    guard types[type] != nil || types.count < Self.typeLimit || rules.isEmpty else { return false }
    var rules = rules
    for rule in CaptureRule.allCases where !rule.isOfTypes { rules[rule] = nil }
    types[type] = rules.isEmpty ? nil : rules
    return true
  }

  /// In one line, for people.
  public var summary: String {
    var others = general
    (others[.surroundings], others[.deliverAhead]) = (nil, nil)
    let own = types.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.summary)" }
    return
      ([
        "radio surroundings \(readsSurroundings ? "on" : "off"), delivery ahead"
          + " \(deliversAhead ? "on" : "off"), delivered photos leave the device "
          + (removesDeliveredAfterDays.map { "after \($0) days" } ?? "never")
      ] + (others.isEmpty ? [] : [others.summary]) + own).joined(separator: "; ")
  }
}
