import Evidence
import Inspection
import Store
import Sync

// An office may have no room for files: its agency's share of the disk is used up. What was done without a
// photo, and what the office holds already, is delivered all the same; the rest stays, says why, and is
// tried again when the office asked for it.

extension DeliveryError {
  /// Whether the office has no room for more files.
  var saysFull: Bool {
    if case .officeFull = self { true } else { false }
  }
}

extension InspectorUnit {
  /// Of these wholes, those with a file that the office lacks. One that cannot be read is none of them: it
  /// says so itself when its batch is made.
  func lackingWholes(
    of wholes: [Identifier], _ office: OfficeConversation, _ tally: DeliveryTally
  ) async throws -> Set<Identifier> {
    let files = try readableFiles(ofWholes: wholes)
    let all = files.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    guard !all.isEmpty else { return [] }
    let missing = try await missing(of: all, office, tally)
    return Set(
      files.filter { _, own in own.keys.contains { missing[$0] != nil } }.map(\.key))
  }

  /// A batch found no room. Where it is of several wholes, and some of them bring nothing that the office
  /// lacks, it is dissolved, so that these go on.
  /// - Returns: whether it was.
  func divide(
    _ kept: KeptBatch, of wholes: Set<Identifier>, _ office: OfficeConversation,
    _ tally: DeliveryTally
  ) async throws -> Bool {
    guard wholes.count > 1 else { return false }
    let files = files(of: kept.message)
    let missing = try await missing(of: files, office, tally)
    // What shares a batch stands alone, and is named like its whole.
    let lacking = Set(missing.keys.compactMap { files[$0]?.thing })
    // Where nothing is lacking it is the batch itself that finds no room, and parts of it find none either.
    guard !lacking.isEmpty, !wholes.isSubset(of: lacking) else { return false }
    try store.write(as: person) { try $0.dissolve(batch: kept.stored.id, intoSingles: false) }
    return true
  }
}
