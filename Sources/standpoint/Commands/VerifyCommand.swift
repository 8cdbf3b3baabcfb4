import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Positioning
import Store
import TimeAndText
import Timestamps
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

  @Option(
    help: ArgumentHelp(
      "The certificates (PEM) of a time authority that you trust: then only its stamps count.",
      valueName: "file"))
  var trustTime: [String] = []

  @Option(
    help: ArgumentHelp(
      "The key (NAME+ID+KEY) of a witness that must have signed the checkpoint of the office's log.",
      valueName: "key"))
  var witness: [String] = []

  func validate() throws {
    if requireReceipt, trust == nil {
      throw ValidationError(
        "--require-receipt needs --trust: anybody can write receipts with an authority of their own."
      )
    }
  }

  func run() async throws {
    if paths.isEmpty { throw ValidationError("Give the files or folders to check.") }
    let trust = try readTrust()
    let known = Known(
      trust: trust, checkpoints: try checkpoint.map(readCheckpoint), times: try readTimeTrust(),
      witnesses: try witness.map(readWitness))
    var whole = VerificationSummary(hasTrust: trust != nil, hasTimeTrust: !trustTime.isEmpty)
    for path in paths {
      let (report, isSingle) = try await verify(path, known)
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
    let unsigned = known.witnesses.filter { whole.cosigned?.contains($0.text) != true }
    for key in unsigned {
      Terminal.complain(
        "standpoint: witness \(key.name) has not signed the checkpoint of each bundle here")
    }
    if whole.verdict != .intact || !unsigned.isEmpty || (trust != nil && !whole.isTrusted)
      || lacksReceipt
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

  /// The certificates and checkpoints that the caller knows from other sources.
  private struct Known {
    var trust: Trust?
    var checkpoints: [KeptCheckpoint]
    var times: TimeAuthorities
    var witnesses: [NoteKey]
  }

  private func readWitness(_ text: String) throws -> NoteKey {
    let key: NoteKey
    do throws(NoteProblem) {
      key = try NoteKey(text)
    } catch {
      throw refusal("--witness: \(text) is no key: \(error.wording)")
    }
    guard key.kind == .witness else {
      throw refusal("--witness: this is the key of a log and not of a witness: \(text)")
    }
    return key
  }

  private func readTimeTrust() throws -> TimeAuthorities {
    var trusted = TimeAuthorities()
    for path in trustTime {
      do {
        try trusted.trust(pem: try TimeTrust.text(ofFile: path, option: "--trust-time"))
      } catch let problem as TimestampProblem {
        throw refusal("--trust-time: \(path): \(problem.wording)")
      }
    }
    return trusted
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
    _ path: String, _ known: Known
  ) async throws -> (VerificationReport, isSingle: Bool) {
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
      files, scope: scope, trust: known.trust, checkpoints: known.checkpoints,
      trustedWitnesses: known.witnesses,
      times: await StampedTimes(in: files, trusting: known.times),
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

  private func say(_ whole: VerificationSummary) {
    if common.isJSON { return Terminal.say(whole.json) }
    for line in whole.lines { Terminal.say(line) }
  }
}
