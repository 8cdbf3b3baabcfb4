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
    /// The checkpoint; nil if nothing can be proved.
    var log: BundleStatement.LogState?
  }

  /// Proves of each receipt that the office's log has its delivery.
  ///
  /// Evidence is handed on whatever became of the log or of its key: if nothing can be proved, the bundle says
  /// so, and the office's own log says why.
  func logProofs(of receipts: [Receipt]) async throws -> LogProofs {
    do {
      return try await proofs(of: receipts)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      configuration.log("bundle: nothing about the log: \(error)")
      return LogProofs()
    }
  }

  private func proofs(of receipts: [Receipt]) async throws -> LogProofs {
    let publicLog = PublicLog(core: core)
    let logged = try await database.readRegistry { registry in
      try receipts.map { ($0, try registry.logEntry(ofDelivery: $0.batch)) }
    }
    // Each checkpoint is kept for ever, so the last one serves until a delivery is behind it.
    let last = try publicLog.lastCheckpoint()
    let needed = logged.compactMap { $0.1?.number }.max() ?? 0
    let isCovered = try last.map { try Checkpoint(text: $0.text).size >= needed } ?? false
    guard let note = isCovered ? last : try await publicLog.makeCheckpoint() else {
      return LogProofs()
    }
    let checkpoint = try Checkpoint(text: note.text)
    var proofs = LogProofs()
    proofs.log = BundleStatement.LogState(
      key: try publicLog.key().text, entries: checkpoint.size, root: checkpoint.root.base64)
    proofs.entries.append(
      Evidence.Bundle.Entry(
        path: BundleList.checkpointPath, content: .bytes(Array(note.note.utf8))))
    var stamped = try StampedProofs(core: core)
    for case (let receipt, let logged?) in logged {
      let line = logged.entry.line(number: logged.number, after: logged.previous)
      if let (size, proof) = try await stamped.proof(ofEntry: logged.number, line: line) {
        proofs.entries.append(
          Evidence.Bundle.Entry(
            path: BundleList.stampedProofPath(ofReceipt: receipt.id, size: size),
            content: .bytes(Array(proof.utf8))))
      }
      let proof = try await publicLog.proof(
        ofEntry: logged.number, line: line, size: checkpoint.size)
      proofs.entries.append(
        Evidence.Bundle.Entry(
          path: BundleList.proofPath(ofReceipt: receipt.id),
          content: .bytes(Array(proof.utf8))))
    }
    for checkpoint in stamped.used {
      proofs.entries += checkpoint.files.map { file in
        Evidence.Bundle.Entry(
          path: BundleList.stampedFolder(size: checkpoint.size) + file.name,
          content: .bytes(file.bytes))
      }
    }
    return proofs
  }
}
