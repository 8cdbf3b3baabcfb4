import Evidence
import Inspection
import Positioning
import TimeAndText

// Checks of what no seal can show alone: its place among the others.

extension Verifier {
  /// A bare link: a seal that is here without its record.
  struct BareLink {
    var path: String
    var seal: Seal
  }

  /// The most faults that are reported of one file: a file of nonsense has as many as it has lines.
  private static let mostFaultsOfOneFile = 5

  /// Reads `links/*.links`. A link whose record is here as well adds nothing.
  mutating func readBareLinks() {
    var known = Set(seals.map(\.file.seal.digest))
    for path in files.paths.sorted() where path.hasSuffix(".links") && !Self.isStaged(path) {
      var faults = 0
      do {
        LinkList.read(try files.bytes(of: path)) { line in
          switch line {
          case .success(let seal):
            if known.insert(seal.digest).inserted {
              bareLinks.append(BareLink(path: path, seal: seal))
            }
            return true
          case .failure(let error):
            add(path, .seal, .altered, "\(error)")
            faults += 1
            return faults < Self.mostFaultsOfOneFile
          }
        }
      } catch {
        add(path, .seal, Self.severity(of: error), "it cannot be read: \(error)")
      }
    }
    for (key, links) in Dictionary(grouping: bareLinks, by: \.seal.link.key) {
      let words: Wording =
        links.count == 1
        ? "1 link belongs to other work of this device; its record is not here"
        : "\(links.count) links belong to other work of this device; their records are not here"
      add(key, .chain, .note, words)
    }
  }

  /// A link in its place in the chain, with its record or without.
  private struct Occupant {
    var path: String
    var seal: Seal
    var entry: Entry?
  }

  mutating func checkChains() {
    // Of two links in one place, the one with its record comes first.
    let occupants =
      seals.map { Occupant(path: $0.path, seal: $0.file.seal, entry: $0) }
      + bareLinks.map { Occupant(path: $0.path, seal: $0.seal) }
    let chains = Dictionary(grouping: occupants, by: \.seal.link.key)
    for (key, links) in chains.sorted(by: { $0.key < $1.key }) {
      let places = Dictionary(grouping: links, by: \.seal.link.sequence)
      var expected = 1
      // After a fork, the next link may continue either branch.
      var previous: Set<String?> = [nil]
      var clock = ClockOrder()
      for (place, branches) in places.sorted(by: { $0.key < $1.key }) {
        if place > expected {
          addGap(expected..<place, of: key, before: Set(branches.map(\.path)).sorted())
        }
        for branch in branches.dropFirst() {
          add(
            branch.path, .chain, .doubtful,
            "the chain of key \(key) forks: place \(place) is also taken by \(branches[0].path)")
        }
        for branch in branches {
          if place == expected, !previous.contains(branch.seal.link.previous) {
            add(
              branch.path, .chain, .altered,
              "it does not continue the chain of key \(key): it names a different link before it")
          }
          if let entry = branch.entry, let words = clock.accept(entry.file.record) {
            add(entry.path, .times, .doubtful, words)
          }
        }
        previous = Set(branches.map(\.seal.digest))
        expected = place + 1
      }
    }
  }

  private mutating func addGap(_ gap: Range<Int>, of key: String, before paths: [String]) {
    let places = gap.count == 1 ? "\(gap.lowerBound)" : "\(gap.lowerBound)–\(gap.upperBound - 1)"
    for path in paths {
      add(
        path, .chain, .incomplete,
        "the chain of key \(key) has a gap before it: place \(places) is missing")
    }
  }

  private static let noReason: Wording = "no reason"

  /// Returns the reasons of deletions, by the digest of the record that each deletion names.
  mutating func deletions() -> [String: Wording] {
    var reasons: [String: Wording] = [:]
    let subjects = Dictionary(
      grouping: seals.map(\.link) + bareLinks.map(\.seal.link), by: \.record)
    for entry in seals where entry.link.kind == .deletion {
      let deletion = entry.file.record["deletion"]
      // A deletion counts only for the very record that it names, sealed earlier by the same key.
      let isKnown = subjects[deletion?["record"]?.text ?? ""]?.contains {
        $0.id.description == deletion?["id"]?.text && $0.key == entry.link.key
          && $0.sequence < entry.link.sequence
      }
      if let record = deletion?["record"]?.text, isKnown == true {
        reasons[record] = deletion?["reason"]?.text.map(Wording.init(verbatim:)) ?? Self.noReason
      } else if scopeIsWhole {
        add(entry.path, .deletion, .incomplete, "the record that it says was deleted is missing")
      }
    }
    return reasons
  }

  /// Checks that no two records share an identifier, and that no two captures share their picture
  /// or the receiver's bytes. Simulated captures may: a replay can be played, and a demonstration
  /// drawn, any number of times.
  mutating func checkRepetitions() {
    var ids: [Identifier: String] = [:]
    var uses = WindowUses()
    var pictures: [String: String] = [:]
    // Identifiers sort by the time when they were made: the later record repeats the earlier one.
    for entry in seals.sorted(by: { ($0.link.id, $0.path) < ($1.link.id, $1.path) }) {
      if let other = ids.updateValue(entry.path, forKey: entry.link.id) {
        add(entry.path, .chain, .doubtful, "it has the same identifier as \(other)")
      }
      guard !entry.isSimulated else { continue }
      for use in windowUses[entry.path] ?? [] {
        // The two windows of a set may overlap: it may have ended where it began.
        if let other = uses.insert(use, of: entry.path), other != entry.path {
          add(entry.path, .rawWindow, .doubtful, WindowUses.words(other))
        }
      }
      guard entry.link.kind == .capture else { continue }
      let photo = entry.file.record["photo"]
      guard let picture = photo?["image"]?.text,
        let other = pictures.updateValue(entry.path, forKey: picture)
      else { continue }
      let isImported = photo?["origin"]?.text == PhotoOrigin.imported.rawValue
      add(
        entry.path, .reused, isImported ? .note : .doubtful,
        "it has the same picture as \(other)")
    }
  }
}
