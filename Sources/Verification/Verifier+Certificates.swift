import Evidence
import Positioning
import TimeAndText

// Checks of who vouches for the key of a seal, and of what the office says that it holds.

extension Verifier {
  /// Reads `certificates/*.pem`.
  mutating func readCertificates() {
    for path in files.paths.sorted() where Self.isCertificate(path) {
      guard let text = text(of: path, .certificate) else { continue }
      do throws(EvidenceError) {
        let all = try EvidenceCertificate.all(pem: text)
        book.add(all, from: path)
        checkForm(of: path, text, all)
      } catch {
        add(path, .certificate, .altered, "\(error)")
      }
    }
    // An office's statement brings the certificates by which its authority follows an earlier one.
    for (path, receipt) in receipts.sorted(by: { $0.key < $1.key }) {
      book.add(receipt.certificate.bridges, from: path)
    }
    for problem in book.settle() {
      add(problem.path, .certificate, problem.severity, problem.message)
    }
  }

  /// Reports what a file holds besides certificates, and a name that is another key's.
  private mutating func checkForm(of path: String, _ text: String, _ all: [EvidenceCertificate]) {
    let lines = text.split(whereSeparator: \.isNewline)
    if lines != all.map(\.pem).joined().split(whereSeparator: \.isNewline) {
      add(path, .certificate, .note, "the text holds more than certificates")
    }
    // The length of a thumbprint: a person may give the file a name of their own.
    let length = 43
    let name = path.split(separator: "/").last?.prefix { $0 != "." } ?? ""
    let named = name.prefix(length)
    guard named.count == length, name.count == length || name.dropFirst(length).first == "-",
      let key = all.first?.publicKey.thumbprint, key != named
    else { return }
    add(path, .certificate, .note, "its name is that of another key than its own, \(word: key)")
  }

  /// Reports the keys for which no authority vouches, if an authority is trusted or any certificate
  /// is there.
  mutating func checkKeys(_ trust: Trust?) {
    guard trust != nil || !book.isEmpty else { return }
    let keys = Set(seals.map(\.link.key)).union(composites.compactMap(\.reading.key))
    for key in keys.sorted() {
      let vouched = book.vouched(for: key)
      if vouched.isEmpty {
        add(key, .certificate, .note, "none of the authorities here vouches for this key")
      } else if trust != nil, !book.isTrusted(vouched.map(\.authority)) {
        add(key, .certificate, .note, "the trusted authority does not vouch for this key")
      }
    }
  }

  /// Compares the agency, inspector, device and time of a record with the certificate of its key.
  mutating func checkSubject(_ entry: Entry) {
    let all = book.vouched(for: entry.link.key)
    if all.isEmpty { return }
    let believed = revokedKeys.believable(all, of: entry.link.record)
    guard !believed.isEmpty else {
      return add(entry.path, .certificate, .doubtful, revokedKeys.words(about: all))
    }
    let vouched = believed.map(\.certificate)
    let record = entry.file.record
    let mine = vouched.filter { certificate in
      guard let subject = certificate.subject else { return false }
      return subject.agency == record["agency"]?.text
        && subject.inspector == record["inspector"]?.text
        && subject.device == record["device"]?["id"]?.text
    }
    guard let certificate = mine.first else {
      let whom = vouched.compactMap(\.subject).map { subject -> Wording in
        "\(subject.inspector) of \(subject.agency) with device \(subject.device)"
      }
      add(
        entry.path, .certificate, .doubtful,
        whom.first.map { "its key is certified for \($0), not for the inspector it names" }
          ?? "its key is not certified for any inspector, not even for the one it names"
      )
      return
    }
    let stated = record["time"]?["device"]?.text ?? record["time"]?["started"]?.text
    guard let time = stated.flatMap(DeviceTime.init(rfc3339:)) else {
      add(
        entry.path, .certificate, .doubtful,
        "it does not say when it was made: nobody can tell if its key was certified then")
      return
    }
    guard mine.contains(where: { CertificateBook.isValid($0, at: time) }) else {
      add(
        entry.path, .certificate, .doubtful,
        "made at \(moment: time), but its key's certificate is valid from"
          + " \(moment: certificate.notBefore) to \(moment: certificate.notAfter)")
      return
    }
  }

  // MARK: receipts

  /// Checks the receipts.
  /// - Returns: for each record's digest, the time at which an office first said that it holds the record.
  mutating func checkReceipts() -> [String: DeviceTime] {
    var witnessed: [String: DeviceTime] = [:]
    // A receipt may lie in several places; it is judged once.
    var seen: Set<String> = []
    let byRecord = Dictionary(grouping: seals, by: \.link.record)
    let digests = Dictionary(
      grouping: seals.map(\.file.seal) + bareLinks.map(\.seal), by: \.link.key
    ).mapValues { seals in
      Dictionary(grouping: seals, by: \.link.sequence).mapValues { Set($0.map(\.digest)) }
    }
    for (path, receipt) in receipts.sorted(by: { $0.key < $1.key }) {
      guard seen.insert(receipt.jws).inserted else { continue }
      if check(receipt, at: path, receipt.records.flatMap { byRecord[$0] ?? [] }) {
        goodReceipts.insert(receipt.jws)
        for record in receipt.records {
          witnessed[record] = min(witnessed[record] ?? receipt.received, receipt.received)
        }
      }
      if scopeIsWhole, let head = receipt.head, let links = digests[receipt.key] {
        check(head, of: receipt.key, at: path, links)
      }
    }
    return witnessed
  }

  /// Reads `receipts/*.receipt`. A receipt may lie in several places.
  mutating func readReceipts() {
    var seen: [String: Receipt] = [:]
    for path in files.paths.sorted() where path.hasSuffix(".receipt") && !Self.isStaged(path) {
      guard var jws = text(of: path, .receipt) else { continue }
      if jws.hasSuffix("\n") { jws.removeLast() }
      if let known = seen[jws] {
        receipts[path] = known
        continue
      }
      do throws(EvidenceError) {
        let receipt = try Receipt(jws: jws)
        (receipts[path], seen[jws]) = (receipt, receipt)
      } catch {
        add(path, .receipt, .altered, "\(error)")
      }
    }
  }

  /// Reads and checks `*.log`.
  /// - Returns: for each log, the certificate of the office that signed it; nil for a log that does
  ///   not hold.
  mutating func checkLogs() -> [EvidenceCertificate?] {
    let paths = files.paths.sorted().filter { $0.hasSuffix(".log") && !Self.isStaged($0) }
    return paths.compactMap { path in
      do {
        let bytes = try files.bytes(of: path)
        // A caller who names a single log wants to know about it; in a folder there may be logs of
        // other programs.
        guard !scopeIsWhole || ExportedLog.isMeant(by: bytes) else { return nil }
        var roots = TreeRoots(of: checkpoints)
        let log = try ExportedLog(bytes) { roots.append($0) }
        named.insert(path)
        book.learn(from: log.certificate)
        let problem = problem(ofStatementBy: log.certificate, about: nil, at: log.time)
        add(
          path, .log, problem?.severity ?? .note,
          problem.map {
            "\(log.entries) entries, exported at \(moment: log.time): \($0.message)"
          } ?? "\(log.entries) entries, exported at \(moment: log.time)")
        compare(path, log, roots)
        return .some(log.certificate)
      } catch let error as EvidenceError {
        named.insert(path)
        add(path, .log, .altered, "\(error)")
      } catch {
        // Another program may be writing the file.
        guard !scopeIsWhole else { return nil }
        add(path, .log, Self.severity(of: error), "it cannot be read: \(error)")
      }
      return .some(nil)
    }
  }

  /// Reads and checks `revocations/*.revocation`. A record that a key sealed before it was revoked
  /// stays valid if the office held it by then: the holder of the key can turn back a clock, but
  /// cannot write old receipts.
  mutating func checkRevocations(_ witnessed: [String: DeviceTime]) {
    var seen: Set<String> = []
    for path in files.paths.sorted() where path.hasSuffix(".revocation") && !Self.isStaged(path) {
      guard var jws = text(of: path, .revoked) else { continue }
      if jws.hasSuffix("\n") { jws.removeLast() }
      guard seen.insert(jws).inserted else { continue }
      let revocation: Revocation
      do throws(EvidenceError) {
        revocation = try Revocation(jws: jws)
      } catch {
        add(path, .revoked, .altered, "\(error)")
        continue
      }
      if let problem = problem(
        ofStatementBy: revocation.certificate, about: revocation.key,
        // It may have been signed again, by a later key of the office.
        at: max(revocation.time, revocation.certificate.notBefore))
      {
        add(path, .revoked, problem.severity, problem.message)
        continue
      }
      let words: Wording = "its key was revoked at \(moment: revocation.time): \(revocation.reason)"
      add(path, .revoked, .note, "key \(revocation.key): \(words)")
      for entry in seals where entry.link.key == revocation.key {
        if let held = witnessed[entry.link.record], held <= revocation.time { continue }
        add(
          entry.path, .revoked, .doubtful,
          entry.file.deviceTime.map {
            "\(words), and no office had it by then; it says it was made at \(moment: $0)"
          } ?? "\(words), and no office had it by then")
      }
    }
  }

  /// Returns why an office's statement about a key is not to be believed; nil if it is to be believed.
  func problem(
    ofStatementBy office: EvidenceCertificate, about key: String?, at time: DeviceTime
  ) -> CertificateBook.Doubt? {
    revokedKeys.problem(ofStatementBy: office, about: key, at: time, in: book)
  }

  /// Checks a receipt against the sealed records that it names.
  /// - Returns: true if nothing is wrong with the receipt.
  private mutating func check(_ receipt: Receipt, at path: String, _ entries: [Entry]) -> Bool {
    var isGood = true
    if let problem = revokedKeys.problem(of: receipt, in: book) {
      isGood = false
      add(path, .receipt, problem.severity, problem.message)
    }
    for entry in entries {
      if entry.link.key != receipt.key {
        isGood = false
        add(path, .receipt, .doubtful, "\(entry.path) was sealed with a different key than it says")
      } else if entry.file.record["agency"]?.text != receipt.agency
        || entry.file.record["inspector"]?.text != receipt.inspector
      {
        isGood = false
        add(path, .receipt, .doubtful, "\(entry.path) does not belong to the person it names")
      }
    }
    return isGood
  }

  /// Compares the head of a chain in a receipt with the links at hand. The link that the office
  /// held must be here, or the chain was cut at its end or is another one. A bundle may end
  /// earlier: its maker chose what belongs to it.
  private mutating func check(
    _ head: Receipt.Head, of key: String, at path: String, _ links: [Int: Set<String>]
  ) {
    if let here = links[head.sequence] {
      guard !here.contains(head.link) else { return }
      add(
        path, .receipt, .doubtful,
        "the office has a different link of key \(key) at place \(head.sequence)")
    } else if let last = links.keys.max(), head.sequence > last {
      add(
        path, .receipt, files.isSelection ? .note : .incomplete,
        "the office has the chain of key \(key) up to place \(head.sequence); here it ends at"
          + " \(last)")
    }
  }

  /// Reads a file as text; nil, with a finding, if the file cannot be read or is no text.
  mutating func text(of path: String, _ check: Finding.Check) -> String? {
    do {
      if let text = String(validating: try files.bytes(of: path), as: UTF8.self) { return text }
      add(path, check, .altered, "it is not text")
    } catch {
      add(path, check, Self.severity(of: error), "it cannot be read: \(error)")
    }
    return nil
  }

  static func isCertificate(_ path: String) -> Bool {
    path.hasSuffix(".pem") && path.split(separator: "/").dropLast().last == "certificates"
  }
}
