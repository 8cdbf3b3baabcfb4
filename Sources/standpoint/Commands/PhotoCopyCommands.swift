import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import ObjectStorage
import Office
import PhotoCopying
import Receivers
import Telling
import TimeAndText

/// `standpoint office photos`: a second copy of all photos, elsewhere.
struct PhotoCopyGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos", abstract: "Keep a second copy of all photos in an object store (S3).",
    discussion: """
      The address is s3://BUCKET[/PREFIX]?endpoint=https://HOST[:PORT]&region=REGION; without an
      endpoint it is Amazon's own. The key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in
      ~/.aws/credentials, which nobody else may read.

      Example: standpoint office photos copy --to 's3://field-photos?endpoint=https://s3.example.org'
      """,
    subcommands: [Copy.self, Fetch.self])

  struct Copy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copy what the object store does not have, while the office runs.",
      discussion: """
        All files of a backup except keys and database: photos, raw windows, tracks, seals,
        receipts, certificates, files of orders. They are not encrypted there. Each object is named
        by its SHA-256, so nothing is changed, and a copy that was broken off goes on. Each run reads
        every file of the office. A list in the form of sha256sum says which name had which bytes.

        Exit 1 if a file is gone, cannot be read, or has other bytes than in the copy, which keeps
        what it had: fetch brings it back, and office check says what is damaged.
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Option(help: ArgumentHelp("The object store.", valueName: "address")) var to: String

    func run() async throws {
      let outcome = try await PhotoCopyGroup.copy(to, data).run(
        clock: { MachineClock().deviceTime }, progress: PhotoCopyGroup.progress)
      try PhotoCopyGroup.tell(
        common, [("files", outcome.files), ("copied", outcome.copied), ("bytes", outcome.bytes)],
        [("list", .string(outcome.list))],
        "\(outcome.files) files, \(outcome.copied) of them new; \(outcome.list)", outcome.complaints
      )
    }
  }

  struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Bring back the files that the office has lost.",
      discussion: """
        What the office has is left alone, even if its bytes are others than in the copy: move a
        damaged file away first. Exit 1 if there are such files, or if the object store has lost
        some; they are named. Run office check afterwards.
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Option(help: ArgumentHelp("The object store.", valueName: "address")) var from: String
    @Flag(help: "Bring nothing back: read every object, and compare it with its digest.")
    var check = false

    func run() async throws {
      let copy = try await PhotoCopyGroup.copy(from, data)
      let now = MachineClock().deviceTime
      let outcome =
        check
        ? try await copy.check(at: now, progress: PhotoCopyGroup.progress)
        : try await copy.fetch(at: now, progress: PhotoCopyGroup.progress)
      try PhotoCopyGroup.tell(
        common, [("files", outcome.files), ("fetched", outcome.fetched), ("bytes", outcome.bytes)],
        [],
        "\(outcome.files) files in the copy, \(outcome.fetched) \(check ? "read" : "brought back")",
        outcome.complaints)
    }
  }
}

extension PhotoCopyGroup {
  fileprivate static func copy(_ text: String, _ data: OfficeDataOptions) async throws -> PhotoCopy
  {
    let store = try CopyAddress.store(
      text, environment: ProcessInfo.processInfo.environment, now: { MachineClock().deviceTime })
    ProcessMemory.keepNoLargeBlocks()
    // A misspelt folder must not become an office without files.
    let folder = data.configuration.dataDirectory.path
    guard FileManager.default.fileExists(atPath: folder + "/office/standpoint.sqlite") else {
      throw ExitStatus.explained(.badInput, "there is no office in \(folder): give --data")
    }
    return PhotoCopy(of: try await data.office(), in: store)
  }

  @Sendable
  fileprivate static func progress(files: Int, all: Int, bytes: Int) {
    if files.isMultiple(of: 16) {
      Terminal.progress("\(files) of \(all) files, \(bytes >> 20) MiB")
    }
  }

  /// - Throws: `ExitStatus.refused` if there is anything to complain of.
  fileprivate static func tell(
    _ common: CommonOptions, _ numbers: [(String, Int)], _ more: [(String, JSONValue?)],
    _ line: String, _ complaints: [String]
  ) throws {
    Terminal.endProgress()
    for complaint in complaints { Terminal.complain(complaint) }
    let all = numbers + [("complaints", complaints.count)]
    if common.isJSON {
      Terminal.say(.members(all.map { ($0.0, .integer($0.1)) } + more))
    } else {
      Terminal.say(line)
    }
    guard complaints.isEmpty else { throw ExitStatus.refused }
  }
}
