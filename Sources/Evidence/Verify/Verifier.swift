import Foundation
import Inspection
import Positioning

/// The files that a verifier may read: a folder, a data directory, an archive.
public protocol EvidenceFiles {
  /// Paths of all files, relative, with `/` between their parts.
  var paths: [String] { get }
  /// A file's bytes.
  func bytes(of path: String) throws -> [UInt8]
}

/// Checks evidence from the files alone: no network, no database, no clock.
public struct Verifier {
  /// What was pointed at.
  public enum Scope: Hashable, Sendable {
    /// Single photos: their places in the chain cannot be judged.
    case single
    /// A folder or a data directory: what is missing from it is missing.
    case whole
  }

  /// The folder in which a capture waits until it is whole.
  public static let stagingFolder = "staging"

  private let files: any EvidenceFiles
  private let scope: Scope
  private var findings: [Finding] = []
  private var seals: [(path: String, file: SealFile)] = []
  private var named: Set<String> = []
  private var byName: [String: [String]] = [:]

  private init(_ files: any EvidenceFiles, scope: Scope) {
    self.files = files
    self.scope = scope
    for path in files.paths { byName[Self.name(of: path), default: []].append(path) }
  }

  /// Checks `files`.
  /// - Parameter progress: called with the number of seals done and of all.
  public static func verify(
    _ files: any EvidenceFiles, scope: Scope, progress: (Int, Int) -> Void = { _, _ in }
  ) -> VerificationReport {
    var verifier = Verifier(files, scope: scope)
    return verifier.run(progress)
  }

  private mutating func run(_ progress: (Int, Int) -> Void) -> VerificationReport {
    readSeals()
    settleStaging()
    if scope == .whole { checkChains() }
    let deletions = deletions()
    var rawDigests: [String: String] = [:]
    for (done, entry) in seals.enumerated() {
      progress(done, seals.count)
      check(entry.path, entry.file, deletions: deletions)
      if let raw = entry.file.seal.link.raw, entry.file.record["simulated"]?.flag != true {
        if let other = rawDigests[raw] {
          add(entry.path, .rawWindow, .doubtful, "its raw window is that of \(other), too")
        }
        rawDigests[raw] = entry.path
      }
    }
    if scope == .whole { checkUnnamed() }
    findings.sort { ($0.subject, $0.check.rawValue) < ($1.subject, $1.check.rawValue) }
    return VerificationReport(
      verdict: findings.map(\.severity.verdict).max() ?? .intact, checked: seals.count,
      keys: Set(seals.map(\.file.seal.link.key)).sorted(), findings: findings)
  }

  private mutating func add(
    _ subject: String, _ check: Finding.Check, _ severity: Finding.Severity, _ message: String
  ) {
    findings.append(
      Finding(subject: subject, check: check, severity: severity, message: message))
  }

  // MARK: seals

  private mutating func readSeals() {
    for path in files.paths.sorted() where path.hasSuffix(".seal") {
      do {
        seals.append((path, try SealFile(try files.bytes(of: path))))
      } catch {
        guard !Self.isStaged(path) else { continue }
        // What the seal would have named is not unnamed: the one fault is said once.
        named.insert(String(path.dropLast(5)))
        named.insert(Self.rawPath(beside: path))
        add(path, .seal, .altered, "\(error)")
      }
    }
  }

  /// A capture that was cut off while its files were moved into place is whole if they are all there
  /// and its link is the chain's next; one that was cut off earlier was never acknowledged.
  private mutating func settleStaging() {
    var heads: [String: Link] = [:]
    var digests: [String: String] = [:]
    for entry in seals where !Self.isStaged(entry.path) {
      let link = entry.file.seal.link
      if link.sequence > heads[link.key]?.sequence ?? 0 {
        heads[link.key] = link
        digests[link.key] = entry.file.seal.digest
      }
    }
    let placed = Set(seals.filter { !Self.isStaged($0.path) }.map(\.file.seal.link.id))
    seals = seals.filter { entry in
      guard Self.isStaged(entry.path) else { return true }
      let link = entry.file.seal.link
      let isNext =
        link.sequence == (heads[link.key]?.sequence ?? 0) + 1
        && link.previous == digests[link.key]
      let isWhole = named(by: entry.path, entry.file).allSatisfy { $0.path != nil }
      return !placed.contains(link.id) && isNext && isWhole
    }
    let kept = Set(seals.flatMap { entry in named(by: entry.path, entry.file).compactMap(\.path) })
    let keptSeals = Set(seals.map(\.path))
    let rest = files.paths.filter {
      Self.isStaged($0) && !kept.contains($0) && !keptSeals.contains($0)
    }
    if !rest.isEmpty {
      add(
        Self.stagingFolder, .unfinished, .note,
        "\(rest.count) file\(rest.count == 1 ? "" : "s") of something that was cut off before it"
          + " was acknowledged; the field unit clears them away")
    }
  }

  /// The files that a seal names: what they are, their digest, and where they lie.
  private func named(
    by path: String, _ file: SealFile
  ) -> [(check: Finding.Check, expected: String, digest: String, path: String?)] {
    let link = file.seal.link
    var result: [(Finding.Check, String, String, String?)] = []
    if let digest = link.file {
      let expected = String(path.dropLast(5))
      result.append((.file, expected, digest, find(expected)))
    }
    if let digest = link.raw {
      let expected = Self.rawPath(beside: path)
      result.append((.rawWindow, expected, digest, find(expected)))
    }
    return result
  }

  /// The path itself, or, while things are moved into place, the same name elsewhere.
  private func find(_ path: String) -> String? {
    let candidates = byName[Self.name(of: path)] ?? []
    if candidates.contains(path) { return path }
    return candidates.first { Self.isStaged($0) || Self.isStaged(path) }
  }

  // MARK: one seal

  private mutating func check(
    _ path: String, _ file: SealFile, deletions: [String: (record: String, reason: String)]
  ) {
    let deletion = deletions[file.seal.link.id.description]
    var contents: [Finding.Check: [UInt8]] = [:]
    for (check, expected, digest, found) in named(by: path, file) {
      named.insert(expected)
      guard let found else {
        if let deletion {
          add(
            expected, .deletion, .note, "deleted before it was sent: \(deletion.reason)")
        } else {
          add(expected, check, .incomplete, "it is sealed, and it is missing")
        }
        continue
      }
      named.insert(found)
      do {
        let bytes = try files.bytes(of: found)
        if Digest.hexadecimal(bytes) == digest {
          contents[check] = bytes
        } else {
          add(found, check, .altered, "its bytes are not those that were sealed")
        }
      } catch {
        add(found, check, .incomplete, "it cannot be read: \(error)")
      }
    }
    if file.record["simulated"]?.flag == true {
      add(path, .simulated, .note, "made with a simulator or a replay, and says so")
    }
    if file.seal.link.kind == .capture {
      checkCapture(path, file, picture: contents[.file], rawWindow: contents[.rawWindow])
    }
  }

  private mutating func checkCapture(
    _ path: String, _ file: SealFile, picture: [UInt8]?, rawWindow: [UInt8]?
  ) {
    if file.record["photo"]?["origin"]?.text == PhotoOrigin.imported.rawValue {
      add(path, .origin, .note, "an imported picture, and says so")
    }
    if let picture {
      do {
        let digest = try CaptureDigests.image(of: picture)
        if digest != file.record["photo"]?["image"]?.text {
          add(path, .image, .altered, "the picture's image data are not those of the record")
        }
      } catch {
        add(path, .image, .altered, "\(error)")
      }
    }
    if file.seal.link.raw == nil {
      add(path, .rawWindow, .doubtful, "it has no raw window: its position rests on nothing")
    }
    if let rawWindow {
      do {
        let window = try RawWindow(fileBytes: rawWindow)
        for problem in CaptureChecks.problems(of: file.record, window: window) {
          add(path, problem.check, .doubtful, problem.message)
        }
      } catch {
        add(path, .rawWindow, .altered, "\(error)")
      }
    }
    if let words = CaptureChecks.clockProblem(file.record) {
      add(path, .times, .doubtful, words)
    }
  }

  // MARK: chains

  private mutating func checkChains() {
    let byKey = Dictionary(grouping: seals) { $0.file.seal.link.key }
    for (key, entries) in byKey.sorted(by: { $0.key < $1.key }) {
      let sorted = entries.sorted {
        ($0.file.seal.link.sequence, $0.path) < ($1.file.seal.link.sequence, $1.path)
      }
      var expected = 1
      var previous: (digest: String, time: DeviceTime?)?
      for entry in sorted {
        let link = entry.file.seal.link
        if link.sequence < expected {
          add(
            entry.path, .chain, .doubtful,
            "the chain of key \(key) forks: place \(link.sequence) is taken twice")
          continue
        }
        if link.sequence > expected {
          let gap =
            expected == link.sequence - 1 ? "\(expected)" : "\(expected)–\(link.sequence - 1)"
          add(
            entry.path, .chain, .incomplete,
            "the chain of key \(key) has a gap before it: place \(gap) is missing")
        } else if link.previous != previous?.digest {
          add(
            entry.path, .chain, .altered,
            "it does not continue the chain of key \(key): the link before it is another")
        }
        let time = CaptureChecks.comparableDeviceTime(entry.file.record)
        if let time, let before = previous?.time,
          before.millisecondsSince1970 - time.millisecondsSince1970 > 1000
        {
          add(
            entry.path, .times, .doubtful,
            "the device's clock was turned back: \(time.rfc3339) after \(before.rfc3339)")
        }
        previous = (entry.file.seal.digest, time ?? previous?.time)
        expected = link.sequence + 1
      }
    }
  }

  private mutating func deletions() -> [String: (record: String, reason: String)] {
    var deletions: [String: (record: String, reason: String)] = [:]
    let records = Dictionary(
      seals.map { ($0.file.seal.link.id.description, $0.file.seal.link) },
      uniquingKeysWith: { first, _ in first })
    for entry in seals where entry.file.seal.link.kind == .deletion {
      guard let id = entry.file.record["deletion"]?["id"]?.text,
        let record = entry.file.record["deletion"]?["record"]?.text
      else { continue }
      // A deletion counts only for the very record it names, and from the same key.
      guard let link = records[id], link.record == record, link.key == entry.file.seal.link.key
      else {
        add(entry.path, .deletion, .incomplete, "the record whose deletion it names is missing")
        continue
      }
      let reason = entry.file.record["deletion"]?["reason"]?.text ?? "no reason"
      deletions[id] = (record, reason)
    }
    return deletions
  }

  private mutating func checkUnnamed() {
    let kinds = [".jpg", ".jpeg", ".raw", ".track"]
    for path in files.paths where !named.contains(path) && !Self.isStaged(path) {
      let lower = path.lowercased()
      if kinds.contains(where: lower.hasSuffix) {
        add(path, .unnamed, .incomplete, "no seal names it")
      }
    }
  }

  // MARK: paths

  private static func name(of path: String) -> String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }

  private static func isStaged(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { $0 == stagingFolder }
  }

  /// `…/ID.raw` for `…/ID.jpg.seal`.
  private static func rawPath(beside sealPath: String) -> String {
    let file = sealPath.dropLast(5)
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    return stem + ".raw"
  }
}
