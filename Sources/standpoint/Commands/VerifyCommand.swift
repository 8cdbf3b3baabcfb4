import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Positioning
import Store
import TimeAndText
import Transparency
import Verification

/// Checks evidence.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check photos, bundles, folders and data directories.",
    discussion: """
      Uses only the files: no network, no database. The verdict is intact, altered (bytes,
      signatures or certificates are not valid), incomplete (something named is missing, or
      something unnamed is there) or doubtful (all bytes are valid, but a check fails). Exit
      status 0 only for intact, and with --trust only if the trusted authority vouches for every
      key.

      Without --trust, anybody could have made and sealed these files with their own authority:
      compare the fingerprint with the one that the agency gives you in another way.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "Photos, bundles, folders or data directories.") var paths: [String]
  @Option(help: "The authority to trust: a certificate (PEM), or its SHA-256.") var trust: String?
  @Flag(help: "Refuse seals that are in no receipt of the trusted authority's office.")
  var requireReceipt = false

  @Option(
    help: ArgumentHelp(
      "A checkpoint of the office's log that you have kept: a log that does not begin with it was rewritten.",
      valueName: "file"))
  var checkpoint: [String] = []

  func validate() throws {
    if requireReceipt, trust == nil {
      throw ValidationError(
        "--require-receipt needs --trust: anybody can write receipts with an authority of their own."
      )
    }
  }

  /// The reports of all paths, as one.
  private struct Whole {
    var verdict = EvidenceVerdict.intact
    var checked = 0
    var logs = 0
    var composites = 0
    var witnesses = Verifier.Witnesses()
    var compared: Set<String> = []
    /// True if the receipts beside the seals were looked at: around a single photo there may be many thousands.
    var readsReceipts = false
    var keys: Set<String> = []
    var findings: [Finding] = []
    var issuers: [Issuer] = []
    var fingerprints: [String?] = []

    var isTrusted: Bool { issuers.allSatisfy { $0 == .trusted } && !issuers.isEmpty }
    /// The fingerprint of the authority that vouches for all of them; nil if there is none, or several.
    var fingerprint: String? {
      Set(fingerprints).count == 1 ? fingerprints.first ?? nil : nil
    }

    mutating func add(_ report: VerificationReport, of path: String?) {
      verdict = max(verdict, report.verdict)
      checked += report.checked
      logs += report.logs
      composites += report.composites
      witnesses.add(report.witnesses)
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
  }

  func run() async throws {
    if paths.isEmpty { throw ValidationError("Give the files or folders to check.") }
    let trust = try readTrust()
    let checkpoints = try checkpoint.map(readCheckpoint)
    var whole = Whole()
    for path in paths {
      let (report, isSingle) = try verify(path, trust, checkpoints)
      whole.add(report, of: paths.count > 1 ? path : nil)
      if !isSingle || requireReceipt || report.witnesses.seals > 0 { whole.readsReceipts = true }
    }
    Terminal.endProgress()
    if whole.checked + whole.logs + whole.composites == 0, whole.verdict == .intact {
      Terminal.complain("standpoint: nothing sealed in \(paths.joined(separator: ", "))")
      throw ExitStatus.badInput
    }
    say(whole)
    let lacksReceipt = requireReceipt && whole.witnesses.seals < whole.checked
    if lacksReceipt {
      Terminal.complain(
        "standpoint: \(whole.checked - whole.witnesses.seals) of \(whole.checked) seals are in no receipt of"
          + " the trusted authority's office")
    }
    let left = checkpoint.filter { !whole.compared.contains($0) }
    for name in left {
      Terminal.complain(
        "standpoint: the checkpoint in \(name) was compared with nothing here: give the log of the same office,"
          + " from standpoint office log -o FILE")
    }
    if whole.verdict != .intact || (trust != nil && !whole.isTrusted) || lacksReceipt
      || !left.isEmpty
    {
      throw ExitStatus.refused
    }
  }

  /// Reads the authority to trust from a file of that name, otherwise from a fingerprint; nil if
  /// none is given.
  private func readTrust() throws -> Trust? {
    guard let trust else { return nil }
    var text = trust
    if FileManager.default.fileExists(atPath: trust) {
      guard let data = FileManager.default.contents(atPath: trust),
        let contents = String(validating: data, as: UTF8.self)
      else { throw refusal("--trust: \(trust) cannot be read, or is not text") }
      text = contents
    }
    do {
      return try Trust(text)
    } catch {
      throw refusal("--trust: \(trust) is \(error)")
    }
  }

  private func readCheckpoint(_ path: String) throws -> KeptCheckpoint {
    guard FileStatus(ofPath: path)?.isFile ?? false,
      let data = FileManager.default.contents(atPath: path)
    else { throw refusal("--checkpoint: \(path) cannot be read, or is no file") }
    do {
      return try KeptCheckpoint(name: path, bytes: Array(data))
    } catch {
      throw refusal("--checkpoint: \(path) is no checkpoint: \(error.wording)")
    }
  }

  private func refusal(_ words: String) -> ExitStatus {
    Terminal.complain("standpoint: \(words)")
    return .badInput
  }

  private func verify(
    _ path: String, _ trust: Trust?, _ checkpoints: [KeptCheckpoint]
  ) throws -> (VerificationReport, isSingle: Bool) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw FieldUnitError.unreadable(path: path, reason: "there is no such file or folder")
    }
    // A pipe or a device in a file's place would never end.
    guard isFolder.boolValue || FileStatus(ofPath: path)?.isFile ?? false else {
      throw FieldUnitError.unreadable(path: path, reason: "it is neither a file nor a folder")
    }
    let files: any EvidenceFiles
    var scope = Verifier.Scope.whole
    if isFolder.boolValue {
      files = try EvidenceFolder(folder: path)
    } else if Self.isArchive(path) {
      do {
        files = try EvidenceArchive(path: path)
      } catch {
        throw FieldUnitError.unreadable(path: path, reason: "\(error)")
      }
    } else {
      files =
        path.hasSuffix(".log")
        ? EvidenceFolder(file: path)
        : EvidenceFolder(photo: path, readsReceipts: requireReceipt)
      scope = .single
    }
    let (isSingle, paths) = (scope == .single, paths)
    let report = Verifier.verify(
      files, scope: scope, trust: trust, checkpoints: checkpoints,
      progress: { done, all in
        if all > 20 { Terminal.progress("\(path): \(done) of \(all)") }
      },
      further: {
        isSingle ? EvidenceFolder(pictures: Self.pictures(beside: path, among: paths)) : nil
      })
    return (report, isSingle)
  }

  /// Returns the pictures in which a composite's photos may be: those that were named, too, and those
  /// in its folder.
  private static func pictures(beside path: String, among paths: [String]) -> [String] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return paths.filter { $0 != path } + names.map { "\(folder)/\($0)" }
  }

  /// Returns true for a bundle, which is known by its contents, whatever its name.
  private static func isArchive(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 2)) == Data("PK".utf8)
  }

  private func say(_ whole: Whole) {
    if common.isJSON {
      let list = whole.findings.map { finding in
        JSONValue.object([
          "subject": .string(finding.subject), "check": .string(finding.check.rawValue),
          "severity": .string(finding.severity.rawValue), "message": .string(finding.message),
        ])
      }
      var answer: [String: JSONValue] = [
        "verdict": .string(whole.verdict.rawValue),
        "issuer": .string((whole.isTrusted ? Issuer.trusted : .unknown).rawValue),
        "checked": .integer(whole.checked), "logs": .integer(whole.logs),
        "composites": .integer(whole.composites),
        "keys": .array(whole.keys.sorted().map { .string($0) }), "findings": .array(list),
      ]
      answer["issuerFingerprint"] = whole.fingerprint.map { .string($0) }
      if whole.readsReceipts {
        answer["receipts"] = .object(known: [
          ("seals", .integer(whole.witnesses.seals)), ("trusted", .bool(trust != nil)),
          ("first", whole.witnesses.first.map { .string($0.rfc3339) }),
          ("last", whole.witnesses.last.map { .string($0.rfc3339) }),
        ])
      }
      Terminal.say(.object(answer))
      return
    }
    for finding in whole.findings {
      Terminal.say(
        "\(finding.severity.rawValue): \(finding.subject): \(finding.message)"
          + " [\(finding.check.rawValue)]")
    }
    let seals = "\(whole.checked) seal\(whole.checked == 1 ? "" : "s")"
    let logs = "\(whole.logs) log\(whole.logs == 1 ? "" : "s")"
    let composites =
      "\(whole.composites) composite\(whole.composites == 1 ? "" : "s") (no evidence)"
    let counted = [
      whole.checked > 0 || whole.logs + whole.composites == 0 ? seals : nil,
      whole.logs > 0 ? logs : nil, whole.composites > 0 ? composites : nil,
    ]
    let what = counted.compactMap(\.self).joined(separator: " and ")
    Terminal.say("\(whole.verdict.rawValue): \(what) checked")
    let keys =
      "key\(whole.keys.count == 1 ? "" : "s") \(whole.keys.sorted().joined(separator: ", "))"
    if whole.checked > 0, whole.readsReceipts { Terminal.say(receiptWords(whole)) }
    Terminal.say(issuerWords(whole))
    if !whole.keys.isEmpty { Terminal.say("sealed by \(keys)") }
  }

  private func receiptWords(_ whole: Whole) -> String {
    guard let first = whole.witnesses.first, let last = whole.witnesses.last else {
      return "receipts: none\(trust == nil ? "" : " of the trusted authority's office"): only the"
        + " devices say when these were made"
    }
    let office = trust == nil ? "" : " of the trusted authority's office"
    return "receipts\(office): \(whole.witnesses.seals) of \(whole.checked) seals, from"
      + " \(first.rfc3339) to \(last.rfc3339)"
      + (trust == nil ? "; with --trust you know whose receipts they are" : "")
  }

  private func issuerWords(_ whole: Whole) -> String {
    switch (whole.isTrusted, whole.fingerprint, trust != nil) {
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
