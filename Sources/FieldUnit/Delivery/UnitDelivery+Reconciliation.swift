import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync
import TimeAndText

// A receipt says what the office held at one moment. Disks die and offices are restored from
// backups: so both sides are compared again, about once a day and whenever the office's chain is
// shorter than its receipts say.

/// The result of comparing what both sides hold.
public struct Reconciliation: Hashable, Sendable {
  /// The number of records that receipts name, and that the office was asked for.
  public var checked = 0
  /// The number of these records that the office holds as they were sealed.
  public var held = 0
  /// The number of records that are sent again, because the office does not hold them any more.
  public var sentAgain = 0
  /// The photos that the office does not hold, and whose bytes have left this device.
  public var lost: [Identifier] = []
  /// The records under whose identifier the office has another record.
  public var different: [Identifier] = []
  /// True if the office's chain is longer than this device's: the device's data were restored from
  /// an older backup.
  public var isDeviceOlder = false

  /// The result in one line of English, for people.
  public var summary: String { wording.description }

  /// The result in one line, for people.
  public var wording: Wording {
    var words: Wording = "\(held) of \(checked) records are at the office"
    if sentAgain > 0 { words = "\(words), \(sentAgain) are sent again" }
    if !lost.isEmpty { words = "\(words), \(lost.count) are missing there and here" }
    if !different.isEmpty {
      words = "\(words), \(different.count) differ there: ask the office"
    }
    if isDeviceOlder {
      words =
        "\(words); the office has later records of this device: it was restored from an older backup"
    }
    return words
  }
}

extension UnitDelivery {
  private static let timeSetting = "reconciled"
  private static let headSetting = "reconciled-heads"

  /// Compares what both sides hold, and sends again what the office does not hold any more.
  /// - Throws: `DeliveryError` if the office could not be reached, or if a delivery is under way.
  public func reconcile(
    over link: any OfficeLink, progress: @escaping @Sendable (DeliveryProgress) -> Void = { _ in }
  ) async throws -> Reconciliation {
    let lock = try deliveryLock()
    defer { lock.release() }
    return try await reconcile(
      try OfficeConversation(of: unit, over: link), DeliveryTally(files: 0, bytes: 0, progress))
  }

  /// The name of the setting that holds the thumbprint of the key whose chain is forked.
  static let forkedSetting = "chain forked"

  /// Returns true if the office knows later records of this device's key than the device itself:
  /// then everything that is sealed with the key is a fork. Signing out and in again makes a new
  /// key.
  public func isChainForked() throws -> Bool {
    try store.read(as: person) { try $0.settings.value(of: Self.forkedSetting) }
      == key.publicKey.thumbprint
  }

  /// The warning about the forked chain, shown where photos are taken.
  public static let forkedWords: Wording =
    "This device was restored from an older backup, and the office has later records of it. Photos"
    + " are still sealed, but the office doubts their place in the chain. Deliver what is waiting,"
    + " sign out, and sign in again to get a new key."

  /// Returns the time of the last comparison of both sides; nil before the first.
  public func lastReconciliation() throws -> DeviceTime? {
    try store.read(as: person) { try $0.settings.value(of: Self.timeSetting) }
      .flatMap(Int64.init(_:)).map(DeviceTime.init(millisecondsSince1970:))
  }

  /// Returns true if both sides are to be compared now.
  /// - Parameter head: the end of this key's chain at the office; nil if the office does not say
  ///   it.
  func needsReconciliation(_ head: ChainHead?, at office: String) throws -> Bool {
    let (delivered, first, heads) = try store.read(as: person) { session in
      (
        try session.delivered.count(ofKey: key.publicKey.thumbprint, at: office),
        try session.delivered.firstDelivery(),
        try session.settings.value(of: Self.headSetting)
      )
    }
    let last = try lastReconciliation() ?? first
    return ReconciliationPace.isDue(
      secondsSinceLast: last.map { clock.deviceTime.gnssTime.seconds(since: $0.gnssTime) },
      delivered: delivered, held: head?.records ?? 0, isKnown: heads == Self.heads(delivered, head))
  }

  private static func heads(_ delivered: Int, _ head: ChainHead?) -> String {
    "\(delivered) \(head?.records ?? 0)"
  }

  package func reconcile(
    _ office: OfficeConversation, _ tally: DeliveryTally
  ) async throws -> Reconciliation {
    var result = Reconciliation()
    var last: Identifier?
    var lacking: [(thing: DeliveredThing, isKnown: Bool)] = []
    var head: ChainHead?
    repeat {
      let things = try store.read(as: person) {
        try $0.delivered.things(
          at: office.signIn.office, after: last, limit: HeldQuestion.maximumThings)
      }
      last = things.last?.id
      result.checked += things.count
      tally.says("comparing \(result.checked) records with the office")
      let answers: [Identifier: HeldAnswer.State]
      (answers, head) = try await ask(things, office, isDeep: false)
      var confirmed: [Identifier] = []
      for thing in things {
        switch answers[thing.id] {
        case .held: confirmed.append(thing.id)
        case .different: result.different.append(thing.id)
        case .incomplete: lacking.append((thing, true))
        case .unknown, nil: lacking.append((thing, false))
        }
      }
      result.held += confirmed.count
      let now = clock.deviceTime
      try store.write(as: person) { try $0.delivered.confirm(confirmed, at: now) }
    } while last != nil
    try takeUpAgain(lacking, &result)
    let thumbprint = key.publicKey.thumbprint
    try store.write(as: person) { session in
      let next = try session.device.nextPlace(inChainOf: thumbprint).sequence
      result.isDeviceOlder = (head?.sequence ?? 0) >= next
      // The setting is never taken back, because everything sealed from now on conflicts with the
      // office's records.
      if result.isDeviceOlder { try session.settings.set(Self.forkedSetting, to: thumbprint) }
      try session.settings.set(
        Self.timeSetting, to: String(clock.deviceTime.millisecondsSince1970))
      try session.settings.set(
        Self.headSetting,
        to: Self.heads(
          try session.delivered.count(ofKey: thumbprint, at: office.signIn.office), head))
    }
    return result
  }

  /// Asks the office what it holds of things.
  /// - Parameter isDeep: true if the office is to read the bytes again.
  package func ask(
    _ things: [DeliveredThing], _ office: OfficeConversation, isDeep: Bool
  ) async throws -> (states: [Identifier: HeldAnswer.State], head: ChainHead?) {
    let question = HeldQuestion(
      things: things.map { HeldQuestion.Thing(id: $0.id.description, record: $0.record) },
      isDeep: isDeep)
    let answer = try await office.asking { token in
      try await office.link.held(question, token: token)
    }
    let states = Dictionary(
      answer.things.compactMap { thing in Identifier(thing.id).map { ($0, thing.state) } },
      uniquingKeysWith: { first, _ in first })
    return (states, answer.head)
  }

  private func takeUpAgain(
    _ lacking: [(thing: DeliveredThing, isKnown: Bool)], _ result: inout Reconciliation
  ) throws {
    let now = clock.deviceTime
    for (id, things) in Dictionary(grouping: lacking, by: \.thing.batch) {
      let batch = try BatchMessage(try store.read(as: person) { try $0.batches.batch(id).message })
      let gone = Set(
        batch.seals.filter { file in
          sealedFiles(of: file).contains { !FileManager.default.fileExists(atPath: $0.path) }
        }.map(\.seal.link.id))
      result.lost += things.map(\.thing.id).filter(gone.contains).sorted()
      // The office has the record and the bytes are gone everywhere: sending the record again would
      // change nothing.
      if things.allSatisfy({ $0.isKnown && gone.contains($0.thing.id) }) { continue }
      let isWhole = files(of: batch).values.allSatisfy {
        FileManager.default.fileExists(atPath: $0.path)
      }
      try store.write(as: person) {
        try $0.delivered.takeUpAgain(
          batch, isWhole: isWhole, at: now,
          because: "the office no longer has it: it is sent again")
      }
      result.sentAgain += batch.seals.count
    }
  }
}
