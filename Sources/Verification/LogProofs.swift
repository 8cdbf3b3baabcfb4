import Evidence
import Inspection
import Positioning
import TimeAndText
import Transparency

/// The proofs that an office's log has the deliveries of receipts.
struct LogProofs {
  let files: any EvidenceFiles
  /// The receipts that could be read, by path.
  let receipts: [String: Receipt]

  /// A proof that holds.
  struct Good {
    /// The place of the delivery in the log, from 0.
    var index: Int
    /// True if the log's line covers what the receipt says; lines of older offices name it only.
    var coversReceipt: Bool
  }

  /// A proof that does not hold, and why.
  struct Bad: Error {
    var severity: Finding.Severity
    var wording: Wording
  }

  /// Checks that a checkpoint's log has the delivery of a receipt.
  func proof(
    at path: String, of receiptPath: String, in note: SignedNote, _ checkpoint: Checkpoint
  ) -> Result<Good, Bad> {
    do {
      let proof = try EntryProof(String(decoding: try files.bytes(of: path), as: UTF8.self))
      guard proof.note.text == note.text else {
        return .failure(
          Bad(severity: .doubtful, wording: "it is a proof for another checkpoint"))
      }
      return self.proof(proof, of: receipts[receiptPath], checkpoint)
    } catch let problem as NoteProblem {
      return .failure(Bad(severity: .altered, wording: problem.wording))
    } catch {
      return .failure(
        Bad(severity: Verifier.severity(of: error), wording: "it cannot be read: \(error)"))
    }
  }

  /// Checks that a proof leads from a receipt's delivery to a checkpoint.
  func proof(
    _ proof: EntryProof, of receipt: Receipt?, _ checkpoint: Checkpoint
  ) -> Result<Good, Bad> {
    func bad(_ severity: Finding.Severity, _ wording: Wording) -> Result<Good, Bad> {
      .failure(Bad(severity: severity, wording: wording))
    }
    do {
      guard let line = proof.extra,
        let leaf = TreeHash.leaf(ofHexadecimal: Digest.hexadecimal(line)),
        proof.leads(from: leaf, to: checkpoint)
      else { return bad(.altered, "the proof does not lead to the checkpoint") }
      guard let receipt else {
        return bad(.incomplete, "there is no valid receipt for it")
      }
      let entry = try JSONValue(parsing: line)
      let detail = entry["detail"]?.text ?? ""
      guard entry["action"]?.text == "delivery-received",
        entry["subject"]?.text == receipt.batch.description,
        detail.hasSuffix("receipt \(receipt.id)")
      else { return bad(.doubtful, "the log's entry is not of this receipt") }
      let covers = detail.hasSuffix(", " + BundleList.receiptWords(receipt))
      guard covers || !detail.contains("SHA-256 ") else {
        return bad(.altered, "the log's entry is of another receipt with this identifier")
      }
      return .success(Good(index: proof.index, coversReceipt: covers))
    } catch {
      return bad(.altered, "the log's entry cannot be read: \(error)")
    }
  }

  /// Reads the checkpoint that an office's list names.
  func checkpoint(
    at path: String, _ state: BundleStatement.LogState
  ) -> Result<(SignedNote, Checkpoint, NoteKey), Bad> {
    do {
      let key = try NoteKey(state.key)
      let note = try SignedNote(bytes: try files.bytes(of: path))
      let checkpoint = try Checkpoint(text: note.text)
      guard case .signed = note.answer(of: key) else {
        return .failure(
          Bad(severity: .altered, wording: "the key of the office's log did not sign it"))
      }
      guard checkpoint.size == state.entries, checkpoint.root.base64 == state.root else {
        return .failure(
          Bad(
            severity: .doubtful, wording: "it is not the checkpoint that the office's list names"))
      }
      return .success((note, checkpoint, key))
    } catch let problem as NoteProblem {
      return .failure(Bad(severity: .altered, wording: problem.wording))
    } catch {
      return .failure(
        Bad(severity: Verifier.severity(of: error), wording: "it cannot be read: \(error)"))
    }
  }

  /// Checks the proofs of a bundle's receipts, by their paths.
  func all(
    below root: String, in note: SignedNote, _ checkpoint: Checkpoint
  ) -> [(path: String, result: Result<Good, Bad>)] {
    files.paths.sorted().filter { $0.hasPrefix(root) }.compactMap { path in
      BundleList.receiptPath(ofProof: String(path.dropFirst(root.count))).map {
        (path, proof(at: path, of: root + $0, in: note, checkpoint))
      }
    }
  }
}
