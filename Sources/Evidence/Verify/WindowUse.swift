import Crypto
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The epochs of a receiver that a capture rests on, from its first sample to its shutter. They are
/// taken from the receiver's fixes, not from the file's bytes: a window that is packed or divided
/// in another way gives the same epochs.
public struct WindowUse: Hashable, Sendable {
  /// The most epochs that are compared, the last ones: those of more than a minute at 10 Hz.
  public static let maximumEpochs = 1_024

  /// The longest time before the shutter from which epochs are compared, seconds.
  public static let maximumSpanSeconds = 900.0

  /// Thumbprint of the key that sealed the capture.
  public var key: String
  /// The time of the first epoch: milliseconds since 1970, or after midnight UTC if the receiver
  /// gave no date.
  public var first: Int64
  /// The time of the shutter's epoch, in the same way; not before `first`, even if the window goes
  /// past midnight.
  public var last: Int64
  /// The marks of the epochs, in their order; the last is the shutter's. Never empty.
  public var epochs: [UInt64]

  /// Creates a window's use as it was kept; nil if it has no epochs.
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

  /// Returns a mark that is equal for equal time, place and height. No two receivers say all three
  /// alike: the last digits are noise.
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

  /// Returns true if two captures have their shutter's epoch in common.
  public func hasShutter(of other: WindowUse) -> Bool { epochs.last == other.epochs.last }

  /// Returns true if two captures cannot both have been made with what one receiver said once: they
  /// share the shutter's epoch or, if two devices sealed them, any epoch. One device may take
  /// several photos at one place.
  public func isSame(as other: WindowUse) -> Bool {
    hasShutter(of: other) || key != other.key && !Set(epochs).isDisjoint(with: other.epochs)
  }
}

/// The windows of many captures, in the order in which the captures were made.
struct WindowUses {
  private struct Owner {
    var key: String
    /// The capture's place in the order.
    var place: Int
  }

  private var subjects: [String] = []
  /// The place of the first capture with this epoch as its shutter's.
  private var shutters: [UInt64: Int] = [:]
  /// The first capture that rests on this epoch.
  private var epochs: [UInt64: Owner] = [:]
  /// The first later capture that rests on this epoch and is of another key.
  private var others: [UInt64: Owner] = [:]

  static func words(_ other: String) -> Wording { "it has the same raw window as \(other)" }

  /// Adds the next capture's window.
  /// - Returns: the earliest capture with the same window, preferably one with the same shutter;
  ///   nil if there is none.
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
  /// Returns the finding for a capture whose raw window is another capture's, too.
  /// - Parameter other: the path of the other capture's seal.
  public static func reusedWindow(_ subject: String, of other: String) -> Finding {
    Finding(
      subject: subject, check: .rawWindow, severity: .doubtful, wording: WindowUses.words(other))
  }
}

/// The result of reading a capture's raw window again.
public struct WindowReading: Sendable {
  /// Metres between the position that the record claims and the one that the window gives; nil if
  /// the window gives none, or the record claims none.
  public var recomputedDifferenceMetres: Double?
  /// The epochs that the capture rests on; nil if the window gives none.
  public var use: WindowUse?

  /// Reads a window.
  /// - Parameter fileBytes: the raw window's file. If it cannot be read, both properties are nil:
  ///   the verifier reports the fault.
  public init(_ fileBytes: [UInt8], of seal: SealFile) {
    guard let window = try? RawWindow(fileBytes: fileBytes) else { return }
    let again = Recomputation(window)
    use = again.use(by: seal.seal.link.key)
    recomputedDifferenceMetres = seal.differenceMetres(from: again)
  }
}
