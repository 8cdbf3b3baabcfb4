import Dispatch
import Evidence
import Foundation
import Imagery
import Inspection
import Positioning
import Synchronization
import TimeAndText
import Transparency

/// The verifier: it checks evidence from the files alone, without network, database or clock.
public struct Verifier: Sendable {
  /// The extent of the files that the caller named.
  public enum Scope: Hashable, Sendable {
    /// Single photos, whose places in the chain cannot be judged.
    case single
    /// A folder or a data directory: a file that is not in it is missing.
    case whole
  }

  /// A seal file that could be read.
  struct Entry: Sendable {
    var path: String
    var file: SealFile

    var link: Link { file.seal.link }
    var isSimulated: Bool { file.record["simulated"]?.flag == true }
  }

  let files: any EvidenceFiles
  /// Returns pictures beside the files in which a composite's originals may be. It is asked only where
  /// there is a composite.
  let further: @Sendable () -> (any EvidenceFiles)?
  /// The checkpoints of offices' logs that the caller has kept.
  let checkpoints: [KeptCheckpoint]
  /// The keys of the witnesses that the caller trusts.
  let trustedWitnesses: [NoteKey]
  /// The keys of those that have signed the checkpoint of every bundle here; nil before the first bundle.
  var cosigned: Set<String>?
  /// The timestamps among the files.
  let times: StampedTimes
  private let scope: Scope
  var scopeIsWhole: Bool { scope == .whole }
  private var findings: [Finding] = []
  /// Each seal once, however many copies of it there are.
  private(set) var seals: [Entry] = []
  /// Each bare link once.
  var bareLinks: [BareLink] = []
  var book: CertificateBook
  var revokedKeys = RevokedOfficeKeys()
  /// The epochs that each capture rests on, by the path of its seal. A set rests on two windows.
  var windowUses: [String: [WindowUse]] = [:]
  var named: Set<String> = []
  /// The digests of the files that seals name, as far as they were read, by path.
  private(set) var digests: [String: String] = [:]
  /// The receipts that could be read, by path.
  var receipts: [String: Receipt] = [:]
  /// Those with which nothing is wrong, as compact JWS.
  var goodReceipts: Set<String> = []
  /// The names of the kept checkpoints that were compared with something.
  var compared: Set<String> = []
  /// The composites among the files.
  var composites: [Composite] = []
  private var byName: [String: [String]] = [:]

  private init(
    _ files: any EvidenceFiles, scope: Scope, trust: Trust?, checkpoints: [KeptCheckpoint],
    trustedWitnesses: [NoteKey], times: StampedTimes,
    further: @escaping @Sendable () -> (any EvidenceFiles)?
  ) {
    self.files = files
    self.further = further
    self.checkpoints = checkpoints
    self.trustedWitnesses = trustedWitnesses
    self.times = times
    self.scope = scope
    book = CertificateBook(trust: trust)
    for path in files.paths { byName[Self.name(of: path), default: []].append(path) }
  }

  /// Checks `files`, and returns the report.
  /// - Parameters:
  ///   - trust: the authority that the caller knows from another source; nil if it knows none.
  ///   - checkpoints: the checkpoints of offices' logs that the caller has kept.
  ///   - trustedWitnesses: the keys of witnesses that must have signed the office's checkpoints.
  ///   - times: the timestamps among the files.
  ///   - progress: called with the number of seals done and the number of all seals.
  ///   - further: returns files that are not checked, but in which the photos of a composite may be;
  ///     called at most once, and only where there is a composite.
  public static func verify(
    _ files: any EvidenceFiles, scope: Scope, trust: Trust? = nil,
    checkpoints: [KeptCheckpoint] = [], trustedWitnesses: [NoteKey] = [],
    times: StampedTimes = StampedTimes(),
    progress: (Int, Int) -> Void = { _, _ in },
    further: @escaping @Sendable () -> (any EvidenceFiles)? = { nil }
  ) -> VerificationReport {
    var verifier = Verifier(
      files, scope: scope, trust: trust, checkpoints: checkpoints,
      trustedWitnesses: trustedWitnesses, times: times, further: further)
    return verifier.run(trust, progress)
  }

  private mutating func run(
    _ trust: Trust?, _ progress: (Int, Int) -> Void
  ) -> VerificationReport {
    readSeals()
    settleStaging()
    setCopiesAside()
    if scope == .whole {
      readBareLinks()
      checkChains()
    }
    readComposites()
    readReceipts()
    readCertificates()
    checkOfficeKeys()
    checkKeys(trust)
    let deletions = deletions()
    for start in stride(from: 0, to: seals.count, by: Self.batch) {
      progress(start, seals.count)
      check(Array(seals[start..<min(start + Self.batch, seals.count)]), deletions: deletions)
    }
    checkRepetitions()
    if scope == .whole { checkAnswers() }
    let witnessed = checkReceipts()
    checkTimes(witnessed)
    checkRevocations(witnessed)
    checkNames()
    let logs = checkLogs()
    checkComposites()
    let stamped = checkStamps()
    let between = checkChallenges(witnessed)
    if scope == .whole { checkUnnamed(besides: checkLists(witnessed)) }
    findings.sort { ($0.subject, $0.check.rawValue) < ($1.subject, $1.check.rawValue) }
    let keys = Set(seals.map(\.link.key)).union(composites.compactMap(\.reading.key))
    let (issuer, fingerprint) = book.issuer(of: keys, and: logs.compactMap(\.self))
    return VerificationReport(
      verdict: findings.map(\.severity.verdict).max() ?? .intact, checked: seals.count,
      logs: logs.count, composites: composites.count, witnesses: witnesses(witnessed),
      stamped: count(stamped), sealedBetween: between,
      comparedCheckpoints: compared, cosigned: cosigned,
      keys: keys.sorted(), issuer: issuer, issuerFingerprint: fingerprint, findings: findings)
  }

  /// Checks the office's own keys, and compares its proofs with the checkpoints that the caller has kept.
  private mutating func checkOfficeKeys() {
    var checks = OfficeKeyChecks(files: files, book: book, receipts: receipts)
    checks.run()
    findings += checks.findings
    (book, revokedKeys) = (checks.book, checks.keys)
    var attestations = AttestationChecks(
      files: files, book: book, revokedKeys: revokedKeys, keys: Set(seals.map(\.link.key)))
    attestations.run()
    var seconds = SecondSignatures(files: files, receipts: receipts)
    // Around a single photo lie the certificates of many devices.
    if scope == .whole { seconds.run() }
    findings += attestations.findings + seconds.findings
    for given in checks.checkpoints
    where checkpoints.contains(where: { $0.checkpoint.size == given.checkpoint.size }) {
      compare(given.path, given.checkpoint, by: given.key)
    }
  }

  mutating func add(
    _ subject: String, _ check: Finding.Check, _ severity: Finding.Severity, _ wording: Wording
  ) {
    findings.append(
      Finding(subject: subject, check: check, severity: severity, wording: wording))
  }

  // MARK: seals

  private mutating func readSeals() {
    let paths = files.paths.sorted().filter { $0.hasSuffix(".seal") }
    let files = files
    let read = Parallel.map(paths) { path -> Result<SealFile, Unread> in
      let bytes: [UInt8]
      do {
        bytes = try files.bytes(of: path)
      } catch {
        return .failure(
          Unread(severity: Self.severity(of: error), words: "it cannot be read: \(error)"))
      }
      do {
        return .success(try SealFile(bytes))
      } catch {
        return .failure(Unread(severity: .altered, words: "\(error)"))
      }
    }
    for (path, result) in zip(paths, read) {
      switch result {
      case .success(let file): seals.append(Entry(path: path, file: file))
      case .failure(let unread): refuse(path, unread.severity, unread.words)
      }
    }
  }

  /// A seal that could not be read.
  private struct Unread: Error {
    var severity: Finding.Severity
    var words: Wording
  }

  private mutating func refuse(_ path: String, _ severity: Finding.Severity, _ wording: Wording) {
    guard !Self.isStaged(path) else { return }
    // The files that the seal would have named are not reported as unnamed: there is one fault, and
    // it is reported once.
    named.insert(String(path.dropLast(5)))
    named.insert(Self.path(of: .raw, .capture, path))
    if path.hasSuffix(RecordKind.around.fileEnding.map { $0 + ".seal" } ?? "") {
      let stem = Self.stem(of: path) + "-"
      named.formUnion(files.paths.filter { $0.hasPrefix(stem) })
    }
    add(path, .seal, severity, wording)
  }

  /// Keeps the staged captures that are whole. A capture that was cut off while its files were
  /// moved into place is whole if all its files are there and its link is the chain's next; one
  /// that was cut off earlier was never acknowledged.
  private mutating func settleStaging() {
    var heads: [String: Entry] = [:]
    for entry in seals where !Self.isStaged(entry.path) {
      if entry.link.sequence > heads[entry.link.key]?.link.sequence ?? 0 {
        heads[entry.link.key] = entry
      }
    }
    seals = seals.filter { entry in
      guard Self.isStaged(entry.path) else { return true }
      let head = heads[entry.link.key]
      let isNext =
        entry.link.sequence == (head?.link.sequence ?? 0) + 1
        && entry.link.previous == head?.file.seal.digest
      return isNext && named(by: entry).allSatisfy { $0.path != nil }
    }
    let kept = Set(seals.flatMap { entry in named(by: entry).compactMap(\.path) })
    let keptSeals = Set(seals.map(\.path))
    let rest = files.paths.filter {
      Self.isStaged($0) && !kept.contains($0) && !keptSeals.contains($0)
    }
    if !rest.isEmpty {
      add(
        EvidencePath.stagingFolder, .unfinished, .note,
        rest.count == 1
          ? "1 file left over from interrupted work; the field unit removes it"
          : "\(rest.count) files left over from interrupted work; the field unit removes them")
    }
  }

  /// Keeps one copy of each seal: a second copy says nothing new, and is no fork. The first copy
  /// with all its files counts, and the files of the other copies are still compared.
  private mutating func setCopiesAside() {
    var places: [String: Int] = [:]
    var kept: [Entry] = []
    for entry in seals {
      guard let place = places[entry.file.seal.digest] else {
        places[entry.file.seal.digest] = kept.count
        kept.append(entry)
        continue
      }
      var copy = entry
      let isWhole = named(by: kept[place]).allSatisfy { $0.path != nil }
      if !isWhole, named(by: copy).allSatisfy({ $0.path != nil }) { swap(&kept[place], &copy) }
      for named in named(by: copy) {
        if let found = named.path { _ = contents(of: found, named.check, named.digest) }
      }
      add(copy.path, .chain, .note, "it is a copy of \(kept[place].path)")
    }
    seals = kept
  }

  /// A file that a seal names.
  struct NamedFile {
    var part: SealedPart
    /// The path at which it is expected.
    var expected: String
    var digest: String
    /// The path at which it lies; nil if it is missing.
    var path: String?

    var check: Finding.Check { part.isRaw ? .rawWindow : .file }
  }

  /// Returns the files that a seal names.
  func named(by entry: Entry) -> [NamedFile] {
    entry.file.parts.map { named in
      let expected =
        named.part == .file
        ? String(entry.path.dropLast(5)) : Self.path(of: named.part, entry.link.kind, entry.path)
      return NamedFile(
        part: named.part, expected: expected, digest: named.digest, path: find(expected))
    }
  }

  /// Returns the path itself or, while files are moved into place, the same name elsewhere; nil if
  /// there is none.
  private func find(_ path: String) -> String? {
    let candidates = byName[Self.name(of: path)] ?? []
    if candidates.contains(path) { return path }
    return candidates.first { Self.isStaged($0) || Self.isStaged(path) }
  }

  // MARK: one seal

  /// The number of seals that are checked between two reports of progress.
  static let batch = 32

  /// Checks some seals, as many at once as there are processors. The findings have the order of the seals.
  private mutating func check(_ entries: [Entry], deletions: [String: Wording]) {
    var empty = self
    empty.findings = []
    empty.named = []
    empty.digests = [:]
    empty.windowUses = [:]
    let worker = empty
    let results = Parallel.map(entries) { entry in
      var own = worker
      own.check(entry, deletions: deletions)
      own.checkSubject(entry)
      return (
        findings: own.findings, named: own.named, digests: own.digests, uses: own.windowUses
      )
    }
    for result in results {
      windowUses.merge(result.uses) { $1 }
      findings += result.findings
      named.formUnion(result.named)
      digests.merge(result.digests) { $1 }
    }
  }

  private mutating func check(_ entry: Entry, deletions: [String: Wording]) {
    let reason = deletions[entry.link.record]
    var bytes: [SealedPart: [UInt8]] = [:]
    for file in named(by: entry) {
      named.insert(file.expected)
      if let found = file.path {
        let contents = contents(of: found, file.check, file.digest, entry)
        // A set has many frames: each is judged by itself, and none is held.
        if case .frame(let number) = file.part {
          checkFrame(contents, number, found)
        } else {
          bytes[file.part] = contents
        }
      } else if let reason {
        add(file.expected, .deletion, .note, "deleted before it was sent: \(reason)")
      } else {
        add(file.expected, file.check, .incomplete, "it is sealed, but it is missing")
      }
    }
    if entry.isSimulated {
      add(entry.path, .simulated, .note, "made with a simulator or a replay, marked as such")
    }
    switch entry.link.kind {
    case .capture: checkCapture(entry, picture: bytes[.file], rawWindow: bytes[.raw])
    case .track:
      if entry.link.file == nil {
        add(entry.path, .file, .doubtful, "it has no file: its points are not sealed")
      }
    case .around, .turn: checkFrameSet(entry, bytes)
    case .note, .transition, .deletion, .answer:
      if entry.link.file != nil || entry.link.raw != nil {
        add(
          entry.path, .file, .doubtful,
          "it seals a file, but a record of this kind has none: \(word: entry.link.kind.rawValue)")
      }
    }
  }

  /// Returns a named file's bytes; nil, with a finding, if they cannot be read or are not those
  /// that were sealed.
  private mutating func contents(
    of path: String, _ check: Finding.Check, _ digest: String, _ entry: Entry? = nil
  ) -> [UInt8]? {
    named.insert(path)
    do {
      let bytes = try files.bytes(of: path)
      let actual = Digest.hexadecimal(bytes)
      digests[path] = actual
      if actual == digest { return bytes }
      add(path, check, .altered, "its bytes are not those that were sealed")
      if check == .file, let entry, entry.link.kind == .capture {
        nameChange(of: bytes, path, entry)
      }
    } catch {
      add(path, check, Self.severity(of: error), "it cannot be read: \(error)")
    }
    return nil
  }

  /// Reports which parts of a changed photo's file were changed, as far as the record tells.
  private mutating func nameChange(of bytes: [UInt8], _ path: String, _ entry: Entry) {
    let record = entry.file.record
    if let digest = try? CaptureDigests.image(of: bytes), digest != record["photo"]?["image"]?.text
    {
      add(path, .image, .altered, "the picture's image data do not match the record")
    }
    for problem in PhotoEmbedding.problems(in: bytes, record: record, key: entry.link.key) {
      add(path, problem.check, .altered, problem.words)
    }
  }

  /// Returns the severity of a read error: bytes that are there but damaged are altered; bytes that
  /// cannot be had are missing.
  static func severity(of error: any Error) -> Finding.Severity {
    error is EvidenceError ? .altered : .incomplete
  }

  private mutating func checkCapture(_ entry: Entry, picture: [UInt8]?, rawWindow: [UInt8]?) {
    let record = entry.file.record
    if record["photo"]?["origin"]?.text == PhotoOrigin.imported.rawValue {
      add(entry.path, .origin, .note, "an imported picture, marked as such")
    }
    if entry.link.file == nil {
      add(entry.path, .file, .doubtful, "it has no photo: no picture is sealed with it")
    }
    if let picture {
      do {
        let metadata = try JPEGMetadata(picture)
        if Digest.hexadecimal(picture, ranges: metadata.imageDataRanges)
          != record["photo"]?["image"]?.text
        {
          add(
            entry.path, .image, .altered, "the picture's image data do not match the record")
        }
        for problem in PhotoEmbedding.problems(
          in: picture, metadata, record: record, key: entry.link.key)
        {
          add(entry.path, problem.check, .doubtful, problem.words)
        }
      } catch {
        add(entry.path, .image, .altered, "\(error)")
      }
      if let words = CaptureChecks.sizeProblem(record, picture) {
        add(entry.path, .image, .doubtful, words)
      }
      // An imported picture may be of any age; a camera's must be of the moment of its shutter.
      if let words = CaptureChecks.cameraTimeProblem(record, picture) {
        let isImported = record["photo"]?["origin"]?.text == PhotoOrigin.imported.rawValue
        add(entry.path, .exif, isImported ? .note : .doubtful, words)
      }
    }
    if entry.link.raw == nil {
      add(
        entry.path, .rawWindow, .doubtful, "it has no raw window: nothing proves its position")
    }
    if let rawWindow {
      do {
        let window = try RawWindow(fileBytes: rawWindow)
        let again = Recomputation(window)
        windowUses[entry.path] = [again.use(by: entry.link.key)].compactMap(\.self)
        for problem in CaptureChecks.problems(of: record, window: window, again) {
          add(entry.path, problem.check, .doubtful, problem.message)
        }
      } catch {
        // The bytes are those that were sealed, so the sealing device made this content.
        add(entry.path, .rawWindow, .doubtful, "\(error): nothing proves its position")
      }
    }
    for words in [CaptureChecks.clockProblem(record), CaptureChecks.shutterProblem(record)] {
      if let words { add(entry.path, .times, .doubtful, words) }
    }
  }

  // MARK: paths

  private static func name(of path: String) -> String {
    String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }

  static func isStaged(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { $0 == EvidencePath.stagingFolder }
  }

  /// Returns the path of a part of what a seal seals, such as `…/ID.raw` for `…/ID.jpg.seal`.
  private static func path(
    of part: SealedPart, _ kind: RecordKind, _ sealPath: String
  ) -> String { stem(of: sealPath) + part.ending(kind) }

  /// Returns `…/ID` for `…/ID.jpg.seal`.
  private static func stem(of sealPath: String) -> String {
    let file = sealPath.dropLast(5)
    return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
  }
}
