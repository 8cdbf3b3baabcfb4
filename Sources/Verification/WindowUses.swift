import Evidence
import Inspection
import Positioning
import TimeAndText

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
  /// The receiver's fixes with a place, from the gate's window to the shutter.
  public var fixes: [Fix] = []
  /// The skies that the receiver reported in the window.
  public var sky = SkyHistory()
  /// The devices from which gpsd says that it read, as gpsd names them; empty for other sources.
  public var gpsdDevices: Set<String> = []

  /// Reads a window.
  /// - Parameter fileBytes: the raw window's file. If it cannot be read, everything is nil or empty:
  ///   the verifier reports the fault.
  public init(_ fileBytes: [UInt8], of seal: SealFile) {
    guard let window = try? RawWindow(fileBytes: fileBytes) else { return }
    let again = Recomputation(window)
    use = again.use(by: seal.seal.link.key)
    recomputedDifferenceMetres = seal.differenceMetres(from: again)
    fixes = again.allFixes
    sky = again.sky
    if window.source.hasPrefix("gpsd:") { gpsdDevices = GpsdDevices.named(in: window.chunks) }
  }
}
