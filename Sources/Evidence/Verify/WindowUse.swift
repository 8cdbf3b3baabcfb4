import Crypto
import Geodesy
import Inspection
import Positioning

/// Which of a receiver's epochs a capture rests on, from its first sample to its shutter. It is made of what the
/// receiver said, not of the file's bytes: packed or divided in another way it is the same.
public struct WindowUse: Hashable, Sendable {
  /// No more epochs than this are compared, the last ones: a minute at 10 Hz and more.
  public static let maximumEpochs = 1_024

  /// What the receiver said longer before the shutter than this is not compared.
  public static let maximumSpanSeconds = 900.0

  /// Thumbprint of the key that sealed the capture.
  public var key: String
  /// When the first of the epochs was: milliseconds since 1970, or after midnight UTC where the receiver told no date.
  public var first: Int64
  /// When the shutter's was, in the same way; not before `first`, though the window may go past midnight.
  public var last: Int64
  /// The marks of the epochs, in their order; the last is the shutter's. Not empty.
  public var epochs: [UInt64]

  /// A window's use as it was kept; nil for one without epochs.
  public init?(key: String, first: Int64, last: Int64, epochs: [UInt64]) {
    guard !epochs.isEmpty else { return nil }
    self.key = key
    self.first = first
    self.last = last
    self.epochs = epochs
  }

  init?(_ fixes: [Fix], key: String) {
    let shutter = fixes.last?.time
    let kept = fixes.filter {
      shutter?.seconds(since: $0.time) ?? 0 <= Self.maximumSpanSeconds
    }.suffix(Self.maximumEpochs)
    guard let first = kept.first.map(Self.milliseconds), var last = kept.last.map(Self.milliseconds)
    else { return nil }
    if last < first { last += Self.millisecondsOfDay }
    self.init(key: key, first: first, last: last, epochs: kept.map(Self.mark))
  }

  private static let millisecondsOfDay: Int64 = 86_400_000

  private static func milliseconds(_ fix: Fix) -> Int64 {
    fix.time.millisecondsSince1970 ?? Int64(fix.time.millisecondsSinceMidnight)
  }

  /// The same for the same time, place and height. No two receivers say all three alike: the last digits are noise.
  private static func mark(_ fix: Fix) -> UInt64 {
    func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "-" }
    let words = [
      "\(milliseconds(fix))", text(fix.coordinate?.latitudeDegrees),
      text(fix.coordinate?.longitudeDegrees), text(fix.ellipsoidalHeightMetres),
      text(fix.meanSeaLevelHeightMetres),
    ]
    return SHA256.hash(data: Array(words.joined(separator: " ").utf8)).prefix(8)
      .reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether two captures have their shutter's epoch in common.
  public func hasShutter(of other: WindowUse) -> Bool { epochs.last == other.epochs.last }

  /// Whether two captures cannot both have been made with what one receiver said once: they have their shutter's epoch
  /// in common, or, sealed by two devices, any. One device may stand at a place and take several photos.
  public func isSame(as other: WindowUse) -> Bool {
    hasShutter(of: other) || key != other.key && !Set(epochs).isDisjoint(with: other.epochs)
  }
}

/// The windows of many captures, in the order in which they were made.
struct WindowUses {
  private struct Owner {
    var key: String
    /// Its place in the order.
    var place: Int
  }

  private var subjects: [String] = []
  /// Who had an epoch as the shutter's at first.
  private var shutters: [UInt64: Int] = [:]
  /// Whose an epoch was at first.
  private var epochs: [UInt64: Owner] = [:]
  /// Whose it was then, by the first that is of another key.
  private var others: [UInt64: Owner] = [:]

  static func words(_ other: String) -> Wording { "its raw window is that of \(other), too" }

  /// Takes the next capture's window.
  /// - Returns: the earliest capture that it is the same as, by its shutter before all; nil where there is none.
  mutating func insert(_ use: WindowUse, of subject: String) -> String? {
    let own = Owner(key: use.key, place: subjects.count)
    subjects.append(subject)
    var found: Int?
    for epoch in use.epochs {
      guard let owner = epochs[epoch] else {
        epochs[epoch] = own
        continue
      }
      let other = owner.key == use.key ? others[epoch] : owner
      if let other, other.key != use.key { found = min(found ?? other.place, other.place) }
      if owner.key != use.key, others[epoch] == nil { others[epoch] = own }
    }
    if let last = use.epochs.last {
      if let place = shutters[last] { found = place } else { shutters[last] = own.place }
    }
    return found.map { subjects[$0] }
  }
}

extension Finding {
  /// What is said of a capture whose raw window is another capture's, too.
  /// - Parameter other: the path of that one's seal.
  public static func reusedWindow(_ subject: String, of other: String) -> Finding {
    Finding(
      subject: subject, check: .rawWindow, severity: .doubtful, wording: WindowUses.words(other))
  }
}

/// What a capture's raw window gives when it is read again.
public struct WindowReading: Sendable {
  /// Metres between the position that the record claims and the one of the window; nil where the window gives none, or
  /// the record claims none.
  public var recomputedDifferenceMetres: Double?
  /// The epochs that the capture rests on; nil where the window gives none.
  public var use: WindowUse?

  /// Reads a window.
  /// - Parameter fileBytes: the raw window's file. What cannot be read the verifier has said.
  public init(_ fileBytes: [UInt8], of seal: SealFile) {
    guard let window = try? RawWindow(fileBytes: fileBytes) else { return }
    let again = Recomputation(window)
    use = again.use(by: seal.seal.link.key)
    recomputedDifferenceMetres = seal.differenceMetres(from: again)
  }
}
