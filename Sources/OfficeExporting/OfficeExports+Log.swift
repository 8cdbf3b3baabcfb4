import Evidence
import Inspection
import LogPublishing
import Office
import Store
import Sync
import Transparency

extension OfficeExports {
  /// The part of a bundle that is about the office's log.
  struct LogProofs {
    /// The checkpoint, and a proof for each receipt that is in its log.
    var entries: [Evidence.Bundle.Entry] = []
    /// The log's state; nil if the log does not begin with what the office signed earlier.
    var log: BundleStatement.LogState?
  }

  /// Signs a checkpoint of the log, and proves of each receipt that the log has its delivery.
  func logProofs(of receipts: [Receipt]) async throws -> LogProofs {
    let publicLog = PublicLog(core: core)
    let note: SignedNote?
    do {
      note = try await publicLog.makeCheckpoint()
    } catch let refusal as OfficeRefusal where refusal.kind == .exportImpossible {
      // Evidence is handed on all the same: the bundle says that the office could not vouch for its log.
      configuration.log("bundle: no checkpoint: \(refusal)")
      return LogProofs()
    }
    guard let note else { return LogProofs() }
    let checkpoint = try Checkpoint(text: note.text)
    var proofs = LogProofs()
    proofs.log = BundleStatement.LogState(
      key: try publicLog.key().text, entries: checkpoint.size, root: checkpoint.root.base64)
    proofs.entries.append(
      Evidence.Bundle.Entry(
        path: BundleList.checkpointPath, content: .bytes(Array(note.note.utf8))))
    for receipt in receipts {
      let logged = try await database.readRegistry { try $0.logEntry(ofDelivery: receipt.batch) }
      // A delivery that came in since the checkpoint is not in it.
      guard let logged, logged.number <= checkpoint.size else { continue }
      let line = logged.entry.line(number: logged.number, after: logged.previous)
      let proof = try await publicLog.proof(
        ofEntry: logged.number, line: line, size: checkpoint.size)
      proofs.entries.append(
        Evidence.Bundle.Entry(
          path: BundleList.proofPath(ofReceipt: EvidenceName.receipt(receipt.id)),
          content: .bytes(Array(proof.utf8))))
    }
    return proofs
  }
}
