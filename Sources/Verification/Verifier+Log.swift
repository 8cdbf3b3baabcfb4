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
    switch logProofs.checkpoint(at: path, state) {
    case .failure(let bad): return add(path, .log, bad.severity, bad.wording)
    case .success(let found): (note, checkpoint, key) = found
    }
    compare(path, checkpoint, by: key)
    var good = 0
    for (proof, result) in logProofs.all(below: root, in: note, checkpoint) {
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

  /// The proofs among the files.
  var logProofs: LogProofs { LogProofs(files: files, receipts: receipts) }

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
      guard
        log.origin == kept.checkpoint.origin || authorities.contains(where: kept.isUnder)
          || authorities.isEmpty
      else {
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
}
