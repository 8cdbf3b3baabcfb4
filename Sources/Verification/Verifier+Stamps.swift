import Evidence
import Positioning
import TimeAndText
import Timestamps
import Transparency

// Checks of what time authorities outside the office have stamped.

extension Verifier {
  /// The stamps over the seals that were checked.
  public struct StampedSeals: Hashable, Sendable {
    /// The number of seals that a stamped checkpoint of the office's log covers.
    public var seals = 0
    /// The earliest time by which one of them existed; nil for none.
    public var first: DeviceTime?
    /// The time by which all of them existed; nil for none.
    public var last: DeviceTime?
    /// The names of the authorities that stamped.
    public var authorities: Set<String> = []
    /// The names of the trusted certificates that vouch for these.
    public var roots: Set<String> = []

    /// Creates the stamps over no seal.
    public init() {}

    /// Adds the stamps over other seals.
    public mutating func add(_ others: StampedSeals) {
      seals += others.seals
      first = [first, others.first].compactMap(\.self).min()
      last = [last, others.last].compactMap(\.self).max()
      authorities.formUnion(others.authorities)
      roots.formUnion(others.roots)
    }
  }

  /// The earliest stamp over a receipt.
  struct StampedReceipt {
    var time: DeviceTime
    var authority: String
    var root: String?

    func isEarlier(than other: StampedReceipt?) -> Bool { other.map { time < $0.time } ?? true }
  }

  /// Checks the timestamps of bundles, and which receipts they cover. A stamp covers the checkpoint beside it, the
  /// checkpoint the log's entries, an entry the digest of its receipt, and the receipt its records: no key of the
  /// office has a part in that.
  /// - Returns: the earliest stamp over each record, by its digest. With trusted time authorities, those of others do
  ///   not count.
  mutating func checkStamps() -> [String: StampedReceipt] {
    var stamped: [String: StampedReceipt] = [:]
    for folder in times.folders { check(folder, &stamped) }
    var byRecord: [String: StampedReceipt] = [:]
    for (path, stamp) in stamped {
      for record in receipts[path]?.records ?? []
      where stamp.isEarlier(than: byRecord[record]) { byRecord[record] = stamp }
    }
    return byRecord
  }

  private mutating func check(
    _ folder: StampedTimes.Folder, _ stamped: inout [String: StampedReceipt]
  ) {
    for fault in folder.faults { add(fault.path, .timestamp, .altered, fault.problem.wording) }
    if let first = folder.rest.first {
      add(
        first, .timestamp, .note,
        "there are too many timestamps here: \(folder.rest.count) were not read")
    }
    guard !folder.stamps.isEmpty else { return }
    let path = folder.checkpoint
    do {
      let bytes = try files.bytes(of: path)
      let digest = Digest.hexadecimal(bytes)
      let good = folder.stamps.filter { judge($0, digest) }
      guard !good.isEmpty else { return }
      let note = try SignedNote(bytes: bytes)
      let covered = receiptsCovered(by: folder, note, try Checkpoint(text: note.text))
      for stamp in good { count(stamp, covered, &stamped) }
    } catch let problem as NoteProblem {
      add(path, .timestamp, .altered, problem.wording)
    } catch {
      add(path, .timestamp, Self.severity(of: error), "it cannot be read: \(error)")
    }
  }

  /// Returns true if a stamp is one of this digest, and nothing speaks against it.
  private mutating func judge(_ found: StampedTimes.Stamp, _ digest: String) -> Bool {
    guard digest == Digest.hexadecimal(of: found.stamp.digest) else {
      add(
        found.path, .timestamp, .altered,
        "it is a stamp of something else than the checkpoint beside it")
      return false
    }
    for doubt in found.standing.doubts { add(found.path, .timestamp, .doubtful, doubt) }
    for gap in found.standing.gaps { add(found.path, .timestamp, .note, gap) }
    return found.standing.doubts.isEmpty
  }

  /// Returns the paths of the valid receipts whose words a stamped checkpoint covers.
  private mutating func receiptsCovered(
    by folder: StampedTimes.Folder, _ note: SignedNote, _ checkpoint: Checkpoint
  ) -> [String] {
    folder.proofs.compactMap { path, receipt in
      switch logProofs.proof(at: path, of: receipt, in: note, checkpoint) {
      case .failure(let bad): add(path, .timestamp, bad.severity, bad.wording)
      case .success(let good) where good.coversReceipt:
        if let jws = receipts[receipt]?.jws, goodReceipts.contains(jws) { return receipt }
      case .success:
        add(
          path, .timestamp, .note,
          "the log's entry names its receipt and not what it says: it is an older office's, and no stamp covers it"
        )
      }
      return nil
    }
  }

  private mutating func count(
    _ found: StampedTimes.Stamp, _ covered: [String], _ stamped: inout [String: StampedReceipt]
  ) {
    let (stamp, root) = (found.stamp, found.standing.root)
    let own = StampedReceipt(time: stamp.latest, authority: stamp.authority, root: root)
    for receipt in covered {
      contradict(stamp, receipt)
      if times.hasTrust, root == nil { continue }
      if own.isEarlier(than: stamped[receipt]) { stamped[receipt] = own }
    }
    add(
      found.path, .timestamp, .note,
      covered.count == 1
        ? "the delivery of 1 receipt existed before \(moment: own.time), says time authority \(word: own.authority)"
        : "the deliveries of \(covered.count) receipts existed before \(moment: own.time), says time authority \(word: own.authority)"
    )
  }

  /// Reports a receipt that says it is younger than the stamp over it.
  private mutating func contradict(_ stamp: Timestamp, _ receiptPath: String) {
    guard let receipt = receipts[receiptPath],
      receipt.received.gnssTime.seconds(since: stamp.latest.gnssTime) > ClockTolerance.seconds
    else { return }
    add(
      receiptPath, .timestamp, .doubtful,
      "an office says that it received this at \(moment: receipt.received), but a time authority stamped it at \(moment: stamp.latest)"
    )
  }

  /// Counts the seals that stamps cover.
  func count(_ byRecord: [String: StampedReceipt]) -> StampedSeals {
    var found = StampedSeals()
    for entry in seals {
      guard let stamp = byRecord[entry.link.record] else { continue }
      found.seals += 1
      found.first = min(found.first ?? stamp.time, stamp.time)
      found.last = max(found.last ?? stamp.time, stamp.time)
      found.authorities.insert(stamp.authority)
      if let root = stamp.root { found.roots.insert(root) }
    }
    return found
  }
}
