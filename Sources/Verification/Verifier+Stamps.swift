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
  /// checkpoint the log's entries, an entry its receipt, and the receipt its records: no key of the office has a
  /// part in that.
  /// - Returns: the earliest stamp over each record, by its digest. With trusted time authorities, those of others do
  ///   not count.
  mutating func checkStamps() -> [String: StampedReceipt] {
    var stamped: [String: StampedReceipt] = [:]
    for path in times.paths {
      guard let found = times.stamp(at: path), let parts = BundleList.StampedPath(path) else {
        continue
      }
      switch found {
      case .failure(let problem): add(path, .timestamp, .altered, problem.wording)
      case .success(let stamp): check(stamp, path, parts, &stamped)
      }
    }
    var byRecord: [String: StampedReceipt] = [:]
    for (path, stamp) in stamped {
      for record in receipts[path]?.records ?? []
      where stamp.isEarlier(than: byRecord[record]) { byRecord[record] = stamp }
    }
    return byRecord
  }

  private mutating func check(
    _ found: StampedTimes.Stamp, _ path: String, _ parts: BundleList.StampedPath,
    _ stamped: inout [String: StampedReceipt]
  ) {
    let (stamp, standing) = (found.stamp, found.standing)
    let note: SignedNote
    let checkpoint: Checkpoint
    do {
      let bytes = try files.bytes(of: parts.checkpoint)
      guard Digest.hexadecimal(bytes) == Digest.hexadecimal(of: stamp.digest) else {
        return add(
          path, .timestamp, .altered,
          "it is a stamp of something else than the checkpoint beside it")
      }
      note = try SignedNote(bytes: bytes)
      checkpoint = try Checkpoint(text: note.text)
    } catch let problem as NoteProblem {
      return add(parts.checkpoint, .timestamp, .altered, problem.wording)
    } catch {
      return add(
        parts.checkpoint, .timestamp, Self.severity(of: error), "it cannot be read: \(error)")
    }
    for doubt in standing.doubts { add(path, .timestamp, .doubtful, doubt) }
    for gap in standing.gaps { add(path, .timestamp, .note, gap) }
    guard standing.doubts.isEmpty else { return }
    var good = 0
    for proof in files.paths.sorted() {
      guard let place = BundleList.StampedPath(proof), place.folder == parts.folder,
        let receiptPath = place.receipt
      else { continue }
      if let (severity, wording) = problem(ofProof: proof, receiptPath, note, checkpoint) {
        add(proof, .timestamp, severity, wording)
        continue
      }
      good += 1
      contradict(stamp, receiptPath, path)
      let own = StampedReceipt(
        time: stamp.time, authority: stamp.authority, root: standing.root)
      guard !times.hasTrust || own.root != nil else { continue }
      if own.isEarlier(than: stamped[receiptPath]) { stamped[receiptPath] = own }
    }
    add(
      path, .timestamp, .note,
      good == 1
        ? "the delivery of 1 receipt existed before \(moment: stamp.time), says time authority \(word: stamp.authority)"
        : "the deliveries of \(good) receipts existed before \(moment: stamp.time), says time authority \(word: stamp.authority)"
    )
  }

  /// Reports a receipt that says it is younger than the stamp over it.
  private mutating func contradict(_ stamp: Timestamp, _ receiptPath: String, _ path: String) {
    guard let receipt = receipts[receiptPath],
      receipt.received.gnssTime.seconds(since: stamp.time.gnssTime) > ClockTolerance.seconds
    else { return }
    add(
      receiptPath, .timestamp, .doubtful,
      "an office says that it received this at \(moment: receipt.received), but a time authority stamped it at \(moment: stamp.time)"
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
