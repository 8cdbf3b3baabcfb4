import Evidence
import TimeAndText

/// The reports on all paths that a person named, as one, and its words.
public struct VerificationSummary: Sendable {
  /// True if the person trusts an authority.
  private let hasTrust: Bool
  /// True if the person trusts a time authority.
  private let hasTimeTrust: Bool
  /// The worst verdict.
  public var verdict = EvidenceVerdict.intact
  /// The number of seals.
  public var checked = 0
  /// The number of offices' logs.
  public var logs = 0
  /// The number of composites, which are no evidence.
  public var composites = 0
  /// The receipts over the seals.
  public var witnesses = Verifier.Witnesses()
  /// The stamps of time authorities over the seals.
  public var stamped = Verifier.StampedSeals()
  /// The times between which records were sealed.
  public var between: [Verifier.SealedBetween] = []
  /// The names of the kept checkpoints that were compared with something.
  public var compared: Set<String> = []
  /// The keys of the trusted witnesses that have signed the checkpoint of each bundle; nil before the first path.
  public var cosigned: Set<String>?
  /// True if the receipts beside the seals were looked at: around a single photo there may be many thousands.
  public var readsReceipts = false
  /// Thumbprints of the keys that sealed.
  public var keys: Set<String> = []
  /// All findings.
  public var findings: [Finding] = []
  private var issuers: [Issuer] = []
  private var fingerprints: [String?] = []

  /// True if the trusted authority vouches for every key.
  public var isTrusted: Bool { issuers.allSatisfy { $0 == .trusted } && !issuers.isEmpty }
  /// The fingerprint of the authority that vouches for all of them; nil if there is none, or several.
  public var fingerprint: String? {
    Set(fingerprints).count == 1 ? fingerprints.first ?? nil : nil
  }

  /// Adds the report on a path; nil if it is the only one.
  public mutating func add(_ report: VerificationReport, of path: String?) {
    verdict = max(verdict, report.verdict)
    checked += report.checked
    logs += report.logs
    composites += report.composites
    witnesses.add(report.witnesses)
    stamped.add(report.stamped)
    between += report.sealedBetween.map { one in
      guard let path else { return one }
      var one = one
      one.subject = "\(path): \(one.subject)"
      return one
    }
    cosigned = cosigned?.intersection(report.cosigned ?? []) ?? report.cosigned ?? []
    compared.formUnion(report.comparedCheckpoints)
    keys.formUnion(report.keys)
    issuers.append(report.issuer)
    fingerprints.append(report.issuerFingerprint)
    findings += report.findings.map { finding in
      guard let path else { return finding }
      var finding = finding
      finding.subject = "\(path): \(finding.subject)"
      return finding
    }
  }

  /// Creates a summary of nothing.
  public init(hasTrust: Bool, hasTimeTrust: Bool) {
    (self.hasTrust, self.hasTimeTrust) = (hasTrust, hasTimeTrust)
  }

  /// Returns the report for programs.
  public var json: JSONValue {
    let list = findings.map { finding in
      JSONValue.object([
        "subject": .string(finding.subject), "check": .string(finding.check.rawValue),
        "severity": .string(finding.severity.rawValue), "message": .string(finding.message),
      ])
    }
    var answer: [String: JSONValue] = [
      "verdict": .string(verdict.rawValue),
      "issuer": .string((isTrusted ? Issuer.trusted : .unknown).rawValue),
      "checked": .integer(checked), "logs": .integer(logs),
      "composites": .integer(composites),
      "keys": .array(keys.sorted().map { .string($0) }), "findings": .array(list),
    ]
    answer["issuerFingerprint"] = fingerprint.map { .string($0) }
    if readsReceipts {
      answer["receipts"] = .object(known: [
        ("seals", .integer(witnesses.seals)), ("trusted", .bool(hasTrust)),
        ("first", witnesses.first.map { .string($0.rfc3339) }),
        ("last", witnesses.last.map { .string($0.rfc3339) }),
      ])
    }
    if stamped.seals > 0 || hasTimeTrust {
      answer["timestamps"] = .object(known: [
        ("seals", .integer(stamped.seals)), ("trusted", .bool(hasTimeTrust)),
        ("first", stamped.first.map { .string($0.rfc3339) }),
        ("last", stamped.last.map { .string($0.rfc3339) }),
        ("authorities", .array(stamped.authorities.sorted().map { .string($0) })),
        ("vouchedBy", .array(stamped.roots.sorted().map { .string($0) })),
      ])
    }
    if !between.isEmpty {
      answer["sealedBetween"] = .array(
        between.map { one in
          .object(known: [
            ("subject", .string(one.subject)), ("after", .string(one.after.rfc3339)),
            ("before", one.before.map { .string($0.rfc3339) }),
            ("seconds", one.seconds.map { .integer(Int($0.rounded(.up))) }),
          ])
        })
    }
    return .object(answer)
  }

  /// The report for people, line by line.
  public var lines: [String] {
    var lines = findings.map { finding in
      "\(finding.severity.rawValue): \(finding.subject): \(finding.message)"
        + " [\(finding.check.rawValue)]"
    }
    func counted(_ count: Int, _ word: String) -> String {
      "\(count) \(word)\(count == 1 ? "" : "s")"
    }
    let parts = [
      checked > 0 || logs + composites == 0 ? counted(checked, "seal") : nil,
      logs > 0 ? counted(logs, "log") : nil,
      composites > 0 ? counted(composites, "composite") + " (no evidence)" : nil,
    ]
    let what = parts.compactMap(\.self).joined(separator: " and ")
    lines.append("\(verdict.rawValue): \(what) checked")
    lines += linesBetween
    if checked > 0, readsReceipts { lines.append(receiptWords) }
    if let timestampWords { lines.append(timestampWords) }
    lines.append(issuerWords)
    if !keys.isEmpty {
      let names = keys.sorted().joined(separator: ", ")
      lines.append("sealed by key\(keys.count == 1 ? "" : "s") \(names)")
    }
    return lines
  }

  private var receiptWords: String {
    guard let first = witnesses.first, let last = witnesses.last else {
      return "receipts: none\(!hasTrust ? "" : " of the trusted authority's office"): only the"
        + " devices say when these were made"
    }
    let office = !hasTrust ? "" : " of the trusted authority's office"
    return "receipts\(office): \(witnesses.seals) of \(checked) seals, from"
      + " \(first.rfc3339) to \(last.rfc3339)"
      + (!hasTrust ? "; with --trust you know whose receipts they are" : "")
  }

  /// The most records whose times are said one by one.
  private static let namedAtMost = 20

  /// Says between which times records were sealed: each of a few, the widest of many.
  private var linesBetween: [String] {
    func words(_ one: Verifier.SealedBetween) -> String {
      guard let before = one.before, let seconds = one.seconds else {
        return
          "\(one.subject): sealed after \(one.after.rfc3339) by the office's clock; "
          + (readsReceipts
            ? "no receipt says before when" : "with --require-receipt you learn before when")
      }
      let minutes = Int((max(0, seconds) / 60).rounded(.up))
      let width = minutes < 120 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
      return
        "\(one.subject): sealed between \(one.after.rfc3339) and \(before.rfc3339) by the office's"
        + " clock (within \(width))"
    }
    guard between.count > Self.namedAtMost,
      let widest = between.max(by: { $0.seconds ?? .infinity < $1.seconds ?? .infinity })
    else { return between.map(words) }
    return [
      "\(between.count) records say after which time they were sealed; the widest, \(words(widest))"
    ]
  }

  /// Returns the line about timestamps; nil where there are none and nobody asked.
  private var timestampWords: String? {
    guard let last = stamped.last else {
      return !hasTimeTrust
        ? nil
        : "timestamps: none of a trusted time authority: only the office says since when it has had these"
    }
    let who = stamped.authorities.sorted().joined(separator: ", ")
    return
      "timestamps: \(stamped.seals) of \(checked) seals existed before \(last.rfc3339), says"
      + " time authority \(who)"
      + (!hasTimeTrust
        ? "; with --trust-time you know who that is"
        : ", for which \(stamped.roots.sorted().joined(separator: ", ")) vouches")
  }

  private var issuerWords: String {
    switch (isTrusted, fingerprint, hasTrust) {
    case (true, let fingerprint, _):
      "issuer trusted: \(fingerprint ?? "") vouches for every key"
    case (false, let fingerprint?, false):
      "issuer unknown: anybody can make such files with their own authority; compare this"
        + " authority's SHA-256, \(fingerprint), and give it with --trust"
    case (false, nil, false):
      "issuer unknown: anybody can seal with a key of their own, and no one authority vouches"
    case (false, let fingerprint?, true):
      "issuer unknown: the trusted authority does not vouch for every key; the authority in these"
        + " files has the SHA-256 \(fingerprint)"
    case (false, nil, true): "issuer unknown: the trusted authority does not vouch for every key"
    }
  }
}
