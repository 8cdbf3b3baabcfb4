import Inspection
import Positioning

// What no seal can show alone: its place among the others.

extension Verifier {
  /// A photo's time is that of its shutter and its place in the chain that of its seal, and a camera
  /// may take a minute between them; a clock that the network sets goes back by seconds. Neither is
  /// a clock that was turned back.
  static let clockToleranceSeconds = 90.0

  mutating func checkChains() {
    for (key, entries) in Dictionary(grouping: seals, by: \.link.key).sorted(by: { $0.key < $1.key }
    ) {
      let places = Dictionary(grouping: entries, by: \.link.sequence)
      var expected = 1
      // Where a chain forks, what follows may continue either branch.
      var previous: Set<String?> = [nil]
      var latest: DeviceTime?
      for (place, branches) in places.sorted(by: { $0.key < $1.key }) {
        if place > expected { addGap(expected..<place, of: key, before: branches) }
        for entry in branches.dropFirst() {
          add(
            entry.path, .chain, .doubtful,
            "the chain of key \(key) forks: place \(place) is that of \(branches[0].path), too")
        }
        for entry in branches {
          if place == expected, !previous.contains(entry.link.previous) {
            add(
              entry.path, .chain, .altered,
              "it does not continue the chain of key \(key): the link before it is another")
          }
          checkClock(entry, &latest)
        }
        previous = Set(branches.map(\.file.seal.digest))
        expected = place + 1
      }
    }
  }

  private mutating func addGap(_ gap: Range<Int>, of key: String, before entries: [Entry]) {
    let places = gap.count == 1 ? "\(gap.lowerBound)" : "\(gap.lowerBound)–\(gap.upperBound - 1)"
    for entry in entries {
      add(
        entry.path, .chain, .incomplete,
        "the chain of key \(key) has a gap before it: place \(places) is missing")
    }
  }

  private mutating func checkClock(_ entry: Entry, _ latest: inout DeviceTime?) {
    guard let time = CaptureChecks.comparableDeviceTime(entry.file.record) else { return }
    guard let before = latest, time < before else {
      latest = time
      return
    }
    // The latest time stays the measure, so that a clock cannot be turned back in small steps.
    guard before.gnssTime.seconds(since: time.gnssTime) > Self.clockToleranceSeconds else { return }
    add(
      entry.path, .times, .doubtful,
      "the device's clock was turned back: \(time.rfc3339) after \(before.rfc3339)")
    latest = time
  }

  /// The reasons of deletions, by the digest of the record that each names.
  mutating func deletions() -> [String: String] {
    var reasons: [String: String] = [:]
    let subjects = Dictionary(grouping: seals, by: \.link.record)
    for entry in seals where entry.link.kind == .deletion {
      let deletion = entry.file.record["deletion"]
      // A deletion counts only for the very record it names, from the same key, and afterwards.
      let isKnown = subjects[deletion?["record"]?.text ?? ""]?.contains {
        $0.link.id.description == deletion?["id"]?.text && $0.link.key == entry.link.key
          && $0.link.sequence < entry.link.sequence
      }
      if let record = deletion?["record"]?.text, isKnown == true {
        reasons[record] = deletion?["reason"]?.text ?? "no reason"
      } else if scopeIsWhole {
        add(entry.path, .deletion, .incomplete, "the record whose deletion it names is missing")
      }
    }
    return reasons
  }

  /// Two captures share nothing: neither their identifier, nor their picture, nor the receiver's
  /// bytes. A replay may be played, and a demonstration drawn, as often as one likes.
  mutating func checkRepetitions() {
    var ids: [Identifier: String] = [:]
    var windows: [String: String] = [:]
    var pictures: [String: String] = [:]
    // Identifiers sort by the time of their making: the later one repeats the earlier one.
    for entry in seals.sorted(by: { ($0.link.id, $0.path) < ($1.link.id, $1.path) }) {
      if let other = ids.updateValue(entry.path, forKey: entry.link.id) {
        add(entry.path, .chain, .doubtful, "its identifier is that of \(other), too")
      }
      guard entry.link.kind == .capture, !entry.isSimulated else { continue }
      if let raw = entry.link.raw, let other = windows.updateValue(entry.path, forKey: raw) {
        add(entry.path, .rawWindow, .doubtful, "its raw window is that of \(other), too")
      }
      let photo = entry.file.record["photo"]
      guard let picture = photo?["image"]?.text,
        let other = pictures.updateValue(entry.path, forKey: picture)
      else { continue }
      let isImported = photo?["origin"]?.text == PhotoOrigin.imported.rawValue
      add(
        entry.path, .reused, isImported ? .note : .doubtful,
        "its picture is that of \(other), too")
    }
  }
}
