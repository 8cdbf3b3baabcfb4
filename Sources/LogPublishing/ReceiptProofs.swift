import Evidence
import Office
import OfficeKeyring
import TimeAndText
import Transparency

/// Gives each device the proofs that the office's log has its deliveries.
package struct ReceiptProofs: OfficeService {
  /// The most proofs in one answer.
  private static let mostProofs = 20

  package let core: OfficeCore

  /// Creates the proofs of an office.
  package init(core: OfficeCore) { self.core = core }

  /// Returns the proofs for a device's receipts that the last checkpoint covers, the earliest in the log first. A device
  /// must get its tasks whatever became of the log.
  /// - Parameter mark: the mark of the last proof that the device has; nil for none. One of another log counts for nothing.
  /// - Returns: compact JWS; nil if there is nothing new.
  package func proofs(
    forKey key: String, in agency: String, after mark: String?
  ) async throws -> [String]? {
    do {
      let log = PublicLog(core: core)
      guard log.hasBegun, let note = try log.lastCheckpoint() else { return nil }
      let size = try Checkpoint(text: note.text).size
      let name = try log.key().text
      let parts = mark?.split(separator: "-") ?? []
      let isOfThisLog = parts.count == 2 && parts[1] == ReceiptProof.mark(ofLog: name)
      let entry = isOfThisLog ? Int(parts[0]) ?? 0 : 0
      guard size > entry else { return nil }
      let found = try await database.read(in: agency) {
        try $0.deliveries.loggedReceipts(
          ofKey: key, after: entry, upTo: size, limit: Self.mostProofs)
      }
      if found.isEmpty { return nil }
      let logged = try await database.readRegistry { registry in
        try found.map { ($0, try registry.logEntry(ofDelivery: $0.batch)) }
      }
      let ring = core.keys.ring
      var proofs: [String] = []
      for case (let receipt, let entry?) in logged {
        let line = entry.entry.line(number: entry.number, after: entry.previous)
        let proof = try await log.proof(
          ofEntry: entry.number, line: line, size: size, mends: false)
        proofs.append(
          try ReceiptProof(
            of: receipt, entry: entry.number, log: name, proof: proof, given: clock.deviceTime,
            signedWith: ring.receiptKey, certificate: ring.receiptCertificate
          ).jws)
      }
      return proofs
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      configuration.log("log: a device gets no proofs now: \(error)")
      return nil
    }
  }
}
