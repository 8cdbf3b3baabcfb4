import Evidence
import Inspection
import Store
import Sync

// An office may have no room for files, because its agency's share of the disk is used up. Steps
// and records without files, and files that the office holds already, are delivered anyway. The
// rest stays, shows the reason, and is tried again after the time that the office asked for.

extension DeliveryError {
  /// True if the office says that it has no room for more files.
  var saysFull: Bool {
    if case .officeFull = self { true } else { false }
  }
}

extension UnitDelivery {
  /// Returns those of the given wholes that have a file that the office lacks. A whole with an
  /// unreadable file is not among them: its error shows when its batch is made.
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

  /// Dissolves a batch that found no room, if it is of several wholes and some of them have no file
  /// that the office lacks, so that these are delivered.
  /// - Returns: true if the batch was dissolved.
  func divide(
    _ kept: KeptBatch, of wholes: Set<Identifier>, _ office: OfficeConversation,
    _ tally: DeliveryTally
  ) async throws -> Bool {
    guard wholes.count > 1 else { return false }
    let files = files(of: kept.message)
    let missing = try await missing(of: files, office, tally)
    // Things that share a batch stand alone, so that each one's identifier is that of its whole.
    let lacking = Set(missing.keys.compactMap { files[$0]?.thing })
    // If nothing is lacking, the batch itself finds no room, and its parts would find none either.
    guard !lacking.isEmpty, !wholes.isSubset(of: lacking) else { return false }
    try store.write(as: person) { try $0.batches.dissolve(kept.stored.id, intoSingles: false) }
    return true
  }
}
