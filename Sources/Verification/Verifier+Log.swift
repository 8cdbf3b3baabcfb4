import Evidence
import Inspection
import Positioning
import TimeAndText
import Transparency

// Checks of what a bundle proves about the office's log.

extension Verifier {
  /// Checks the checkpoint of a bundle, and the proofs that its log has the deliveries of the receipts.
  mutating func checkProofs(_ state: BundleStatement.LogState?, _ root: String) {
    guard let state else { return }
    let path = root + BundleList.checkpointPath
    guard files.paths.contains(path) else { return }
    let note: SignedNote
    let checkpoint: Checkpoint
    do {
      let key = try NoteKey(state.key)
      note = try SignedNote(bytes: try files.bytes(of: path))
      checkpoint = try Checkpoint(text: note.text)
      guard case .signed = note.answer(of: key) else {
        return add(path, .log, .altered, "the key of the office's log did not sign it")
      }
      guard checkpoint.size == state.entries, checkpoint.root.base64 == state.root else {
        return add(path, .log, .doubtful, "it is not the checkpoint that the office's list names")
      }
    } catch let problem as NoteProblem {
      return add(path, .log, .altered, problem.wording)
    } catch {
      return add(path, .log, Self.severity(of: error), "it cannot be read: \(error)")
    }
    compare(path, checkpoint)
    let proofs = files.paths.filter {
      $0.hasPrefix(root) && $0.hasSuffix(BundleList.proofEnding)
    }
    var good = 0
    for proof in proofs.sorted() {
      if let (severity, wording) = problem(ofProof: proof, note, checkpoint) {
        add(proof, .log, severity, wording)
      } else {
        good += 1
      }
    }
    add(
      path, .log, .note,
      good == 1
        ? "\(checkpoint.size) entries, among them the delivery of 1 receipt: \(word: checkpoint.origin)"
        : "\(checkpoint.size) entries, among them the deliveries of \(good) receipts: \(word: checkpoint.origin)"
    )
  }

  // MARK: checkpoints that others have kept

  /// Compares a log's entries with the checkpoints that the caller has kept.
  /// - Parameters:
  ///   - leaves: the digests of the entries.
  ///   - office: the certificate of the office that signed the log.
  mutating func compare(
    _ path: String, _ leaves: [String], with office: EvidenceCertificate
  ) {
    let authorities = book.authorities(of: office)
    var edge = TreeEdge()
    for kept in checkpoints.sorted(by: { $0.checkpoint.size < $1.checkpoint.size }) {
      let size = kept.checkpoint.size
      let isOwn = authorities.contains(where: kept.isUnder)
      guard isOwn || authorities.isEmpty else {
        add(path, .log, .note, "the checkpoint in \(kept.name) is of another office's log")
        continue
      }
      let severity: Finding.Severity = isOwn ? .altered : .doubtful
      guard size <= leaves.count else {
        add(
          path, .log, severity,
          "the checkpoint in \(kept.name) has \(size) entries, and here are \(leaves.count): entries were taken out"
        )
        continue
      }
      for leaf in leaves[edge.size..<size] {
        if let hash = TreeHash.leaf(ofHexadecimal: leaf) { edge.append(hash) }
      }
      if edge.root == kept.checkpoint.root {
        add(
          path, .log, .note, "its first \(size) entries are those of the checkpoint in \(kept.name)"
        )
      } else {
        add(
          path, .log, severity,
          "its first \(size) entries are not those of the checkpoint in \(kept.name): the log was rewritten"
        )
      }
    }
  }

  /// Compares the checkpoint of a bundle with those that the caller has kept.
  private mutating func compare(_ path: String, _ own: Checkpoint) {
    for kept in checkpoints {
      let other = kept.checkpoint
      if other.origin != own.origin {
        add(path, .log, .note, "the checkpoint in \(kept.name) is of another log")
      } else if other.size != own.size {
        let (less, more) = (min(own.size, other.size), max(own.size, other.size))
        add(
          path, .log, .note,
          "the checkpoint in \(kept.name) has another number of entries: the office proves at /checkpoints/\(word: "\(more)")/from/\(word: "\(less)") that one begins with the other"
        )
      } else if other.root == own.root {
        add(path, .log, .note, "it says the same as the checkpoint in \(kept.name)")
      } else {
        add(
          path, .log, .altered,
          "it says something else than the checkpoint in \(kept.name): the office signed two logs")
      }
    }
  }

  /// Returns why a proof does not hold; nil if it does.
  private func problem(
    ofProof path: String, _ note: SignedNote, _ checkpoint: Checkpoint
  ) -> (Finding.Severity, Wording)? {
    let receiptPath = String(path.dropLast(BundleList.proofEnding.count)) + ".receipt"
    do {
      let proof = try EntryProof(String(decoding: try files.bytes(of: path), as: UTF8.self))
      guard proof.note.text == note.text else {
        return (.doubtful, "it is a proof for another checkpoint")
      }
      guard let line = proof.extra,
        let leaf = TreeHash.leaf(ofHexadecimal: Digest.hexadecimal(line)),
        proof.leads(from: leaf, to: checkpoint)
      else { return (.altered, "the proof does not lead to the checkpoint") }
      var jws = String(decoding: try files.bytes(of: receiptPath), as: UTF8.self)
      if jws.hasSuffix("\n") { jws.removeLast() }
      let receipt = try Receipt(jws: jws)
      let entry = try JSONValue(parsing: line)
      guard entry["action"]?.text == "delivery-received",
        entry["subject"]?.text == receipt.batch.description,
        entry["detail"]?.text?.hasSuffix("receipt \(receipt.id)") == true
      else { return (.doubtful, "the log's entry is not of this receipt") }
      return nil
    } catch let problem as NoteProblem {
      return (.altered, problem.wording)
    } catch {
      return (Self.severity(of: error), "it cannot be read: \(error)")
    }
  }
}
