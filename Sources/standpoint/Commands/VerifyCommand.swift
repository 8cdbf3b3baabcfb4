import ArgumentParser
import Evidence
import FieldUnit
import Foundation

/// Checks evidence.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Checks photos, folders and data directories.",
    discussion: """
      From the files alone: no network, no database. The verdict is intact, altered (bytes or
      signatures do not hold), incomplete (something named is missing, or something unnamed is
      there) or doubtful (all bytes hold, a check does not). Exit status 0 only for intact.

      Without --trust anybody could have made and sealed these files with a key of their own.
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "Photos, folders or data directories.") var paths: [String]
  @Option(help: "The authority to trust: a certificate (PEM), or its SHA-256.") var trust: String?

  func run() async throws {
    if paths.isEmpty { throw ValidationError("Name what to check.") }
    var verdict = EvidenceVerdict.intact
    var checked = 0
    var findings: [Finding] = []
    var keys: Set<String> = []
    for path in paths {
      let report = try verify(path)
      verdict = max(verdict, report.verdict)
      checked += report.checked
      keys.formUnion(report.keys)
      findings += report.findings.map { finding in
        guard paths.count > 1 else { return finding }
        var finding = finding
        finding.subject = "\(path): \(finding.subject)"
        return finding
      }
    }
    Terminal.endProgress()
    if checked == 0, findings.isEmpty {
      Terminal.complain("standpoint: nothing sealed in \(paths.joined(separator: ", "))")
      throw ExitStatus.badInput
    }
    say(verdict, checked: checked, keys: keys.sorted(), findings)
    // No authority signs keys yet, so nobody's key is one that --trust can know.
    if verdict != .intact || trust != nil { throw ExitStatus.refused }
  }

  private func verify(_ path: String) throws -> VerificationReport {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw FieldUnitError.unreadable(path: path, reason: "there is no such file or folder")
    }
    let files = isFolder.boolValue ? try EvidenceFolder(folder: path) : EvidenceFolder(photo: path)
    return Verifier.verify(files, scope: isFolder.boolValue ? .whole : .single) { done, all in
      if all > 20 { Terminal.progress("\(path): \(done) of \(all)") }
    }
  }

  private func say(
    _ verdict: EvidenceVerdict, checked: Int, keys: [String], _ findings: [Finding]
  ) {
    if common.isJSON {
      let list = findings.map { finding in
        JSONValue.object([
          "subject": .string(finding.subject), "check": .string(finding.check.rawValue),
          "severity": .string(finding.severity.rawValue), "message": .string(finding.message),
        ])
      }
      Terminal.say(
        .object([
          "verdict": .string(verdict.rawValue), "issuer": .string("unknown"),
          "checked": .integer(checked), "keys": .array(keys.map { .string($0) }),
          "findings": .array(list),
        ]))
      return
    }
    for finding in findings {
      Terminal.say(
        "\(finding.severity.rawValue): \(finding.subject): \(finding.message)"
          + " [\(finding.check.rawValue)]")
    }
    Terminal.say("\(verdict.rawValue): \(checked) seal\(checked == 1 ? "" : "s") checked")
    Terminal.say(
      "issuer unknown: anybody can seal with a key of their own; key"
        + "\(keys.count == 1 ? "" : "s") \(keys.joined(separator: ", "))")
  }
}
