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

  /// Returns the proofs for a device's receipts that the last checkpoint covers, the oldest first. A device must get
  /// its tasks whatever became of the log.
  /// - Parameter time: the time of the last receipt for which the device has a proof; nil for none.
  /// - Returns: compact JWS; nil if there is nothing new.
  package func proofs(
    forKey key: String, in agency: String, after time: DeviceTime?
  ) async throws -> [String]? {
    do {
      let log = PublicLog(core: core)
      guard let note = try log.lastCheckpoint() else { return nil }
      let size = try Checkpoint(text: note.text).size
      let receipts = try await database.read(in: agency) {
        try $0.deliveries.receipts(ofKey: key, after: time, limit: Self.mostProofs)
      }
      if receipts.isEmpty { return nil }
      let logged = try await database.readRegistry { registry in
        try receipts.map { ($0, try registry.logEntry(ofDelivery: $0.batch)) }
      }
      let (name, ring) = (try log.key().text, core.keys.ring)
      var proofs: [String] = []
      for case (let receipt, let entry?) in logged where entry.number <= size {
        let line = entry.entry.line(number: entry.number, after: entry.previous)
        let proof = try await log.proof(
          ofEntry: entry.number, line: line, size: size, mends: false)
        proofs.append(
          try ReceiptProof(
            of: receipt, log: name, proof: proof, signedWith: ring.receiptKey,
            certificate: ring.receiptCertificate
          ).jws)
      }
      return proofs.isEmpty ? nil : proofs
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      configuration.log("log: a device gets no proofs now: \(error)")
      return nil
    }
  }
}
