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
    let (note, checkpoint, key): (SignedNote, Checkpoint, NoteKey)
    switch self.checkpoint(at: path, state) {
    case .failure(let bad): return add(path, .log, bad.severity, bad.wording)
    case .success(let found): (note, checkpoint, key) = found
    }
    compare(path, checkpoint, by: key)
    var good = 0
    for (proof, result) in proofs(below: root, in: note, checkpoint) {
      switch result {
      case .failure(let bad): add(proof, .log, bad.severity, bad.wording)
      case .success: good += 1
      }
    }
    checkWitnesses(path, note, proves: good > 0)
    add(
      path, .log, .note,
      good == 1
        ? "\(checkpoint.size) entries, among them the delivery of 1 receipt: \(word: checkpoint.origin)"
        : "\(checkpoint.size) entries, among them the deliveries of \(good) receipts: \(word: checkpoint.origin)"
    )
  }

  /// Reads the checkpoint that an office's list names.
  func checkpoint(
    at path: String, _ state: BundleStatement.LogState
  ) -> Result<(SignedNote, Checkpoint, NoteKey), BadProof> {
    do {
      let key = try NoteKey(state.key)
      let note = try SignedNote(bytes: try files.bytes(of: path))
      let checkpoint = try Checkpoint(text: note.text)
      guard case .signed = note.answer(of: key) else {
        return .failure(
          BadProof(severity: .altered, wording: "the key of the office's log did not sign it"))
      }
      guard checkpoint.size == state.entries, checkpoint.root.base64 == state.root else {
        return .failure(
          BadProof(
            severity: .doubtful, wording: "it is not the checkpoint that the office's list names"))
      }
      return .success((note, checkpoint, key))
    } catch let problem as NoteProblem {
      return .failure(BadProof(severity: .altered, wording: problem.wording))
    } catch {
      return .failure(
        BadProof(severity: Self.severity(of: error), wording: "it cannot be read: \(error)"))
    }
  }

  /// Checks the proofs of a bundle's receipts, by their paths.
  func proofs(
    below root: String, in note: SignedNote, _ checkpoint: Checkpoint
  ) -> [(path: String, result: Result<GoodProof, BadProof>)] {
    files.paths.sorted().filter { $0.hasPrefix(root) }.compactMap { path in
      BundleList.receiptPath(ofProof: String(path.dropFirst(root.count))).map {
        (path, proof(at: path, of: root + $0, in: note, checkpoint))
      }
    }
  }

  /// Says which of the trusted witnesses have signed a checkpoint.
  /// - Parameter proves: true if the checkpoint is proved to have a delivery of this bundle.
  private mutating func checkWitnesses(_ path: String, _ note: SignedNote, proves: Bool) {
    var signed: Set<String> = []
    for key in trustedWitnesses {
      switch note.answer(of: key) {
      case .signed(let time?):
        if proves { signed.insert(key.text) }
        add(
          path, .log, .note,
          "witness \(word: key.name) signed it at \(moment: time): it follows what this witness signed before"
        )
      case .signed, .absent: break
      case .wrong:
        add(path, .log, .altered, "the signature of witness \(word: key.name) is not valid")
      }
    }
    cosigned = cosigned?.intersection(signed) ?? signed
  }

  // MARK: checkpoints that others have kept

  /// Compares an exported log with the checkpoints that the caller has kept.
  /// - Parameter roots: the hashes of the log's trees at the sizes of these checkpoints.
  mutating func compare(_ path: String, _ log: ExportedLog, _ roots: TreeRoots) {
    let authorities = book.family(of: log.certificate).map(\.fingerprint)
    for kept in checkpoints {
      let (name, size) = (kept.name, kept.checkpoint.size)
      guard authorities.contains(where: kept.isUnder) || authorities.isEmpty else {
        add(path, .log, .note, "the checkpoint in \(name) is of another office's log")
        continue
      }
      compared.insert(name)
      if roots[size] == kept.checkpoint.root {
        add(path, .log, .note, "its first \(size) entries are those of the checkpoint in \(name)")
        continue
      }
      // Only a log that says that it is the one of the checkpoint has surely been changed.
      let isSame = log.origin == kept.checkpoint.origin
      let what: Wording =
        size > roots.size
        ? "the checkpoint in \(name) has \(size) entries, and here are \(roots.size)"
        : "its first \(size) entries are not those of the checkpoint in \(name)"
      add(
        path, .log, isSame ? .altered : .doubtful,
        isSame
          ? "\(what): the log was rewritten"
          : "\(what): the log was rewritten, or the office was restored from a backup and has begun a new log"
      )
    }
  }

  /// Compares the checkpoint of a bundle with those that the caller has kept.
  mutating func compare(_ path: String, _ own: Checkpoint, by key: NoteKey) {
    for kept in checkpoints {
      let (name, other) = (kept.name, kept.checkpoint)
      if other.origin == own.origin, case .signed = kept.note.answer(of: key) {
        guard other.size == own.size else {
          let (less, more) = (min(own.size, other.size), max(own.size, other.size))
          add(
            path, .log, .note,
            "not compared with the checkpoint in \(name), which has another number of entries: the office proves at /checkpoints/\(word: "\(more)")/from/\(word: "\(less)") that one begins with the other"
          )
          continue
        }
        compared.insert(name)
        if other.root == own.root {
          add(path, .log, .note, "it says the same as the checkpoint in \(name)")
        } else {
          add(
            path, .log, .altered,
            "it says something else than the checkpoint in \(name): the office signed two logs")
        }
      } else if other.origin == own.origin {
        add(
          path, .log, .note,
          "not compared with the checkpoint in \(name): the key of this log did not sign it")
      } else if book.authorities.map(\.fingerprint).contains(where: kept.isUnder) {
        compared.insert(name)
        add(
          path, .log, .doubtful,
          "the checkpoint in \(name) is of another log of this office: it has begun a new one")
      }
    }
  }

  /// A proof that holds.
  struct GoodProof {
    /// The place of the delivery in the log, from 0.
    var index: Int
    /// True if the log's line covers what the receipt says; lines of older offices name it only.
    var coversReceipt: Bool
  }

  /// A proof that does not hold, and why.
  struct BadProof: Error {
    var severity: Finding.Severity
    var wording: Wording
  }

  /// Checks that a checkpoint's log has the delivery of a receipt.
  func proof(
    at path: String, of receiptPath: String, in note: SignedNote, _ checkpoint: Checkpoint
  ) -> Result<GoodProof, BadProof> {
    do {
      let proof = try EntryProof(String(decoding: try files.bytes(of: path), as: UTF8.self))
      guard proof.note.text == note.text else {
        return .failure(
          BadProof(severity: .doubtful, wording: "it is a proof for another checkpoint"))
      }
      return self.proof(proof, of: receipts[receiptPath], checkpoint)
    } catch let problem as NoteProblem {
      return .failure(BadProof(severity: .altered, wording: problem.wording))
    } catch {
      return .failure(
        BadProof(severity: Self.severity(of: error), wording: "it cannot be read: \(error)"))
    }
  }

  /// Checks that a proof leads from a receipt's delivery to a checkpoint.
  func proof(
    _ proof: EntryProof, of receipt: Receipt?, _ checkpoint: Checkpoint
  ) -> Result<GoodProof, BadProof> {
    func bad(_ severity: Finding.Severity, _ wording: Wording) -> Result<GoodProof, BadProof> {
      .failure(BadProof(severity: severity, wording: wording))
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
      return .success(GoodProof(index: proof.index, coversReceipt: covers))
    } catch {
      return bad(.altered, "the log's entry cannot be read: \(error)")
    }
  }
}
