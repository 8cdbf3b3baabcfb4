import Evidence
import Inspection
import Positioning
import TimeAndText
import Transparency

/// Checks of the statements about an office's own keys, and of the proofs that an office gave to a device. They come
/// first, because they say what all other statements are worth.
struct OfficeKeyChecks {
  /// A checkpoint of a log, in a proof that an office gave.
  struct Given {
    var path: String
    var checkpoint: Checkpoint
    var key: NoteKey
  }

  let files: any EvidenceFiles
  private(set) var book: CertificateBook
  /// The receipts that could be read, by path.
  let receipts: [String: Receipt]
  private(set) var findings: [Finding] = []
  private(set) var keys = RevokedOfficeKeys()
  /// The checkpoints of proofs, one for each tree.
  private(set) var checkpoints: [Given] = []

  init(files: any EvidenceFiles, book: CertificateBook, receipts: [String: Receipt]) {
    (self.files, self.book, self.receipts) = (files, book, receipts)
  }

  private mutating func add(
    _ subject: String, _ check: Finding.Check, _ severity: Finding.Severity, _ wording: Wording
  ) {
    findings.append(
      Finding(subject: subject, check: check, severity: severity, wording: wording))
  }

  /// Reads `*.office-key-revocation`, `*.succession` and `*.receipt-proof`.
  mutating func run() {
    let paths = files.paths.sorted().filter { !Verifier.isStaged($0) }
    var revocations: [(path: String, revocation: OfficeKeyRevocation)] = []
    for path in paths where path.hasSuffix(OfficeKeyRevocation.ending) {
      checking(path, .revoked) { checks, text in
        let revocation = try OfficeKeyRevocation(jws: text)
        checks.book.learn(from: revocation.certificate)
        revocations.append((path, revocation))
      }
    }
    judge(revocations)
    for path in paths where path.hasSuffix(KeySuccession.ending) {
      checking(path, .certificate) { checks, text in try checks.readSuccession(path, text) }
    }
    readReceiptProofs(paths.filter { $0.hasSuffix(ReceiptProof.ending) })
    guard !keys.isEmpty else { return }
    for receipt in Set(receipts.values) {
      for record in receipt.records { keys.receipts[record, default: []].append(receipt.jws) }
    }
    for path in paths { readPlaces(of: path) }
  }

  /// Reads a file and judges it; an error is a finding.
  private mutating func checking(
    _ path: String, _ check: Finding.Check,
    _ body: (inout OfficeKeyChecks, _ text: String) throws -> Void
  ) {
    let bytes: [UInt8]
    do {
      bytes = try files.bytes(of: path)
    } catch {
      return add(path, check, Verifier.severity(of: error), "it cannot be read: \(error)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return add(path, check, .altered, "it is not text")
    }
    do {
      try body(&self, text.hasSuffix("\n") ? String(text.dropLast()) : text)
    } catch let problem as NoteProblem {
      add(path, check, .altered, problem.wording)
    } catch {
      add(path, check, .altered, "\(error)")
    }
  }

  // MARK: keys that follow, and that count no more

  private typealias Found = (path: String, revocation: OfficeKeyRevocation)

  /// Judges revocations: those of authorities by the latest authorities first, then those of other keys by the latest
  /// keys first. A key that one of them ends cannot end others.
  private mutating func judge(_ found: [Found]) {
    let book = book
    let ofAuthorities = found.filter { book.isAuthority($0.revocation.key) }
    for one in ofAuthorities.sorted(by: {
      (book.countOfFollowers(of: book.issuers(of: $0.revocation.certificate)), $0.path)
        < (book.countOfFollowers(of: book.issuers(of: $1.revocation.certificate)), $1.path)
    }) {
      judge(ofAuthority: one)
    }
    let statements = receipts.values.map(\.certificate) + found.map(\.revocation.certificate)
    for one in found.filter({ !book.isAuthority($0.revocation.key) }).sorted(by: {
      ($1.revocation.certificate.notBefore, $0.path)
        < ($0.revocation.certificate.notBefore, $1.path)
    }) {
      judge(ofOther: one, among: statements)
    }
  }

  /// Returns true if the signer of a revocation is to be believed; otherwise says why not.
  private mutating func believes(_ one: Found) -> Bool {
    let signer = one.revocation.certificate
    let problem = keys.problem(
      ofStatementBy: signer, about: nil, at: max(one.revocation.time, signer.notBefore), in: book)
    if let problem { add(one.path, .revoked, problem.severity, problem.message) }
    return problem == nil
  }

  private mutating func refuse(_ path: String) {
    add(
      path, .revoked, .doubtful,
      "it does not count: the key that signed it does not follow the one that it revokes")
  }

  private mutating func judge(ofAuthority one: Found) {
    guard believes(one) else { return }
    let (key, signers) = (one.revocation.key, book.issuers(of: one.revocation.certificate))
    guard !signers.contains(key), book.have(signers, followed: [key]) else {
      return refuse(one.path)
    }
    keys.add(.init(revocation: one.revocation, signers: signers))
    tell(one.revocation, one.path)
    book.revoke(key, by: signers)
  }

  private mutating func judge(ofOther one: Found, among statements: [EvidenceCertificate]) {
    guard believes(one) else { return }
    let accepted = RevokedOfficeKeys.Accepted(
      revocation: one.revocation, signers: book.issuers(of: one.revocation.certificate))
    let known = statements.filter { $0.publicKey.thumbprint == one.revocation.key }
    let isAbout = known.contains {
      keys.isAbout($0, of: book.issuers(of: $0), accepted, in: book)
    }
    guard one.revocation.certificate.publicKey.thumbprint != one.revocation.key,
      isAbout || known.isEmpty
    else { return refuse(one.path) }
    keys.add(accepted)
    tell(one.revocation, one.path)
  }

  private mutating func tell(_ revocation: OfficeKeyRevocation, _ path: String) {
    if book.trustedAuthority?.publicKey.thumbprint == revocation.key {
      return add(
        path, .revoked, .doubtful,
        "the authority that you trust was revoked at \(moment: revocation.time): \(revocation.reason). Ask the office for the fingerprint of its present one"
      )
    }
    add(
      path, .revoked, .note,
      "the office's key \(word: revocation.key) was revoked at \(moment: revocation.time): \(revocation.reason). It counts for the first \(revocation.entries) entries of the log"
    )
  }

  private mutating func readSuccession(_ path: String, _ jws: String) throws {
    let succession = try KeySuccession(jws: jws)
    book.learn(from: succession.certificate)
    if let problem = book.problem(ofStatementBy: succession.certificate, about: nil) {
      return add(path, .certificate, problem.severity, problem.message)
    }
    let earlier = succession.certificate.publicKey.thumbprint
    add(
      path, .certificate, .note,
      "the office's key \(word: succession.follower) follows \(word: earlier) from \(moment: succession.time) on, by the earlier key's word"
    )
  }

  /// Reads the places of receipts in an office's log, as far as a bundle proves them by keys that count. A fault in
  /// any of these files is reported where the list is checked.
  private mutating func readPlaces(of path: String) {
    guard path == BundleList.statementPath || path.hasSuffix("/" + BundleList.statementPath),
      let bytes = try? files.bytes(of: path),
      let statement = try? BundleStatement(
        jws: String(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" })),
      keys.problem(
        ofStatementBy: statement.certificate, about: nil, at: statement.contents.made, in: book)
        == nil,
      let state = statement.contents.log
    else { return }
    let root = String(path.dropLast(BundleList.statementPath.count))
    let proofs = LogProofs(files: files, receipts: receipts)
    guard
      case .success((let note, let checkpoint, _)) = proofs.checkpoint(
        at: root + BundleList.checkpointPath, state)
    else { return }
    for (proof, result) in proofs.all(below: root, in: note, checkpoint) {
      guard case .success(let good) = result, good.coversReceipt,
        let path = BundleList.receiptPath(ofProof: String(proof.dropFirst(root.count))),
        let receipt = receipts[root + path], isOneOffice(statement.certificate, receipt)
      else { continue }
      keys.note(receipt, at: good.index)
    }
  }

  /// Returns true if the signer of a proof belongs to the office of a receipt, or to what has followed it: another
  /// office's log says nothing of it.
  private func isOneOffice(_ signer: EvidenceCertificate, _ receipt: Receipt) -> Bool {
    book.have(book.issuers(of: signer), followed: book.issuers(of: receipt.certificate))
  }

  // MARK: proofs that an office gave to a device

  private mutating func readReceiptProofs(_ paths: [String]) {
    let byDigest = Dictionary(
      receipts.values.map { (Digest.hexadecimal(Array($0.jws.utf8)), $0) }
    ) { first, _ in first }
    var trees: [String: Given] = [:]
    var good: [String] = []
    for path in paths {
      checking(path, .log) { checks, text in
        let proof = try ReceiptProof(jws: text)
        checks.book.learn(from: proof.certificate)
        if let problem = checks.keys.problem(
          ofStatementBy: proof.certificate, about: nil, at: proof.given, in: checks.book)
        {
          // A proof under a key that was revoked later is no fault of the device: it only proves nothing.
          let isRevoked = checks.keys.revocation(of: proof.certificate, in: checks.book) != nil
          return checks.add(
            path, .log, isRevoked ? .note : problem.severity, problem.message)
        }
        guard let tree = try checks.tree(of: proof, path, &trees) else { return }
        let receipt = byDigest[proof.digest]
        guard receipt.map({ checks.isOneOffice(proof.certificate, $0) }) ?? true else {
          return checks.add(
            path, .log, .doubtful, "another office than that of the receipt has signed it")
        }
        if try checks.judge(proof, of: receipt, path, tree) { good.append(path) }
      }
    }
    checkpoints = trees.values.sorted { $0.path < $1.path }
    guard let first = good.first else { return }
    add(
      first, .log, .note,
      good.count == 1
        ? "the office has proved that its log has the delivery of 1 receipt"
        : "the office has proved that its log has the deliveries of \(good.count) receipts")
  }

  /// Returns the checkpoint of a proof, if the log's key has signed it. Two trees of one size are two logs, whatever
  /// each of them proves.
  private mutating func tree(
    of proof: ReceiptProof, _ path: String, _ trees: inout [String: Given]
  ) throws -> Checkpoint? {
    let key = try NoteKey(proof.log)
    let note = try EntryProof(proof.proof).note
    let checkpoint = try Checkpoint(text: note.text)
    guard case .signed = note.answer(of: key) else {
      add(path, .log, .altered, "the key of the office's log did not sign it")
      return nil
    }
    let name = "\(proof.log) \(checkpoint.size)"
    if let other = trees[name], other.checkpoint.root != checkpoint.root {
      add(
        path, .log, .altered,
        "it says something else than \(other.path): the office signed two logs")
    }
    trees[name] = trees[name] ?? Given(path: path, checkpoint: checkpoint, key: key)
    return checkpoint
  }

  /// Judges a proof, and returns true if it holds.
  private mutating func judge(
    _ proof: ReceiptProof, of receipt: Receipt?, _ path: String, _ checkpoint: Checkpoint
  ) throws -> Bool {
    guard let receipt else {
      add(path, .log, .note, "its receipt is not here")
      return false
    }
    let entry = try EntryProof(proof.proof)
    switch LogProofs(files: files, receipts: receipts).proof(entry, of: receipt, checkpoint) {
    case .failure(let bad):
      add(path, .log, bad.severity, bad.wording)
      return false
    case .success(let found):
      if found.coversReceipt { keys.note(receipt, at: found.index) }
      return true
    }
  }
}
