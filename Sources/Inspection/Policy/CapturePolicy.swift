import TimeAndText

/// The policy of an agency for its field units. A change makes a new revision; an existing revision
/// never changes.
public struct CapturePolicy: Hashable, Sendable {
  /// The revision number, which counts up from 1 with each change.
  public var revision: Int
  /// The time at which this revision was issued, by the office's clock.
  public var issued: DeviceTime
  /// The rules for all captures.
  public var general: CaptureRules
  /// The rules for single types of tasks, which override the general rules. A type without rules of
  /// its own has no entry.
  public private(set) var types: [String: CaptureRules] = [:]
  /// The number of days after which delivered photos leave the field unit, once their task is
  /// decided and the office has read them again; nil if they never leave it.
  public var removesDeliveredAfterDays: Int?

  /// The allowed numbers of days.
  public static let removalDays = 0...3650
  /// The largest number of types that can have rules of their own.
  public static let typeLimit = 100
  /// The largest size of a type's name, bytes of UTF-8.
  public static let typeByteLimit = 200

  /// Creates a policy. Radio surroundings and delivery ahead are off unless they are turned on.
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

  /// True if each photo also carries the mobile cells and access points that were heard, unless the
  /// rules of its task's type say otherwise.
  public var readsSurroundings: Bool {
    get { general.flag(.surroundings) }
    set { general[.surroundings] = newValue ? .flag(true) : nil }
  }

  /// True if a task's photos are delivered as soon as they are taken, and not with the task. They
  /// can then no longer be deleted. The rules of a task's type may say otherwise.
  public var deliversAhead: Bool {
    get { general.flag(.deliverAhead) }
    set { general[.deliverAhead] = newValue ? .flag(true) : nil }
  }

  /// Returns the rules for a task of this type; nil asks for a photo without a task.
  public func rules(forType type: String?) -> CaptureRules {
    type.flatMap { types[$0] }.map { $0.over(general) } ?? general
  }

  /// Returns the rules that were set for this type alone.
  public func ownRules(ofType type: String) -> CaptureRules { types[type] ?? CaptureRules() }

  /// Sets the rules for tasks of a type; empty rules remove the type's own. Rules that a type
  /// cannot have are dropped.
  /// - Returns: True if the name is valid and there was room for one more type.
  @discardableResult
  public mutating func set(_ rules: CaptureRules, forType type: String) -> Bool {
    guard !type.isEmpty, type.utf8.count <= Self.typeByteLimit else { return false }
    guard types[type] != nil || types.count < Self.typeLimit || rules.isEmpty else { return false }
    var rules = rules
    for rule in CaptureRule.allCases where !rule.isOfTypes { rules[rule] = nil }
    types[type] = rules.isEmpty ? nil : rules
    return true
  }

  /// The policy in one line, for people.
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
