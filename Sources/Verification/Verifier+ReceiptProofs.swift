import Evidence
import Positioning
import TimeAndText
import Transparency

// Proofs that an office gave to a device, that its log has the device's deliveries. They lie beside the receipts.

extension Verifier {
  /// Checks `*.receipt-proof`.
  mutating func checkReceiptProofs() {
    var roots: [String: (path: String, root: TreeHash)] = [:]
    var good: [String] = []
    for path in files.paths.sorted() where path.hasSuffix(ReceiptProof.ending) {
      guard !Self.isStaged(path), let text = text(of: path, .log) else { continue }
      do {
        let given = try ReceiptProof(jws: text)
        if let problem = problem(
          ofStatementBy: given.certificate, about: nil, at: given.received)
        {
          add(path, .log, problem.severity, problem.message)
          continue
        }
        let key = try NoteKey(given.log)
        let proof = try EntryProof(given.proof)
        let checkpoint = try Checkpoint(text: proof.note.text)
        guard case .signed = proof.note.answer(of: key) else {
          add(path, .log, .altered, "the key of the office's log did not sign it")
          continue
        }
        // Two trees of one size are two logs, whatever each of them proves.
        let tree = "\(given.log) \(checkpoint.size)"
        if let other = roots[tree], other.root != checkpoint.root {
          add(
            path, .log, .altered,
            "it says something else than \(other.path): the office signed two logs")
        }
        roots[tree] = roots[tree] ?? (path, checkpoint.root)
        if checkpoints.contains(where: { $0.checkpoint.size == checkpoint.size }) {
          compare(path, checkpoint, by: key)
        }
        judge(proof, given, path, checkpoint, &good)
      } catch let problem as NoteProblem {
        add(path, .log, .altered, problem.wording)
      } catch {
        add(path, .log, .altered, "\(error)")
      }
    }
    guard let first = good.first else { return }
    add(
      first, .log, .note,
      good.count == 1
        ? "the office has proved that its log has the delivery of 1 receipt"
        : "the office has proved that its log has the deliveries of \(good.count) receipts")
  }

  private mutating func judge(
    _ proof: EntryProof, _ given: ReceiptProof, _ path: String, _ checkpoint: Checkpoint,
    _ good: inout [String]
  ) {
    let receipt = receipts.values.first { $0.id == given.receipt }
    guard let receipt else {
      return add(path, .log, .note, "its receipt is not here")
    }
    guard Digest.hexadecimal(Array(receipt.jws.utf8)) == given.digest else {
      return add(path, .log, .altered, "it is of another receipt with this identifier")
    }
    switch self.proof(proof, of: receipt, checkpoint) {
    case .failure(let bad): add(path, .log, bad.severity, bad.wording)
    case .success(let found):
      good.append(path)
      guard found.coversReceipt else { return }
      revokedKeys.places[receipt.jws] = min(
        revokedKeys.places[receipt.jws] ?? found.index, found.index)
    }
  }
}
