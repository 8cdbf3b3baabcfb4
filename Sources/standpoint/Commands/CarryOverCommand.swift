import ArgumentParser
import Evidence
import Foundation
import Office
import Predecessor
import Synchronization
import Telling

extension OfficeCommand {
  /// Carries an EGNSS4CAP office's data over.
  struct ImportEGNSS4CAP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import-egnss4cap",
      abstract: "Carry over an EGNSS4CAP office's data: people, tasks, photos, paths, parcels.",
      discussion: """
        DUMP is the output of mysqldump or mariadb-dump for its database, compressed with gzip or
        not; - is standard input. No database server is needed here. FOLDER is the older office's
        folder of pictures, AGENCY/USER/image_NUMBER.jpeg.

          mysqldump --single-transaction --hex-blob --default-character-set=utf8mb4 egnss4cap >dump.sql
          standpoint office import-egnss4cap dump.sql --photos photos --zone Europe/Prague --check
          standpoint office import-egnss4cap dump.sql --photos photos --zone Europe/Prague --report report.csv

        --check shows what would be done, and writes nothing. The office may keep running. If the
        import is interrupted, nothing is left half done: run it again with the same dump or a
        newer one, and it adds what is missing. What is here already stays as it is.

        Photos become photos of a phone: not sealed by a device key, with everything that the
        older office kept, and checked like other phone photos. Passwords stay valid: the older
        database's hash is hashed once more, and replaced when the person signs in. Tasks are
        found by their old number: EGNSS4CAP-17. Deleted things and super-administrators are not
        carried over.

        Exit 1 if something could not be carried over: the report says what, why, and what to do.
        Exit 2 if the dump cannot be read to its end, or you have to decide something first; then
        nothing was carried over.
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The dump; - is standard input.") var dump: String
    @Option(help: "The folder with the older office's pictures.") var photos: String?
    @Option(help: "The time zone of the tasks' dates (default: that of the agency's phones).")
    var zone: String?
    @Option(
      help: ArgumentHelp(
        "Carry over an agency of the dump (number or name) into an agency here; repeatable.",
        valueName: "OLD=NAME"))
    var join: [String] = []
    @Option(help: "The agency here that gets the parcels, if the dump has several agencies.")
    var agency: String?
    @Option(help: "Leave out photos, tracks or parcels; repeatable.") var without: [String] =
      []
    @Option(help: "The older office's name here; each older office needs its own.")
    var source = CarryOverOptions().source
    @Option(help: "The database to read, if the dump has several.") var database: String?
    @Flag(help: "Show what would be done; write nothing.") var check = false
    @Option(
      help:
        "A report of each row that changed or was left out: CSV if the name ends in .csv, else JSON Lines."
    )
    var report: String?

    func validate() throws {
      _ = try options()
      if let zone, TimeZone(identifier: zone) == nil {
        throw ValidationError("--zone \(zone) is not a time zone: write Europe/Prague, or UTC.")
      }
    }

    private func options() throws -> CarryOverOptions {
      var options = CarryOverOptions()
      options.photos = photos
      options.source = source
      options.database = database
      options.zone = zone
      options.parcelsAgency = agency
      options.isCheck = check
      for pair in join {
        guard let place = pair.lastIndex(of: "="), place > pair.startIndex,
          pair.index(after: place) < pair.endIndex
        else { throw ValidationError("--join \(pair) is not OLD=NAME.") }
        options.joins[String(pair[..<place])] = String(pair[pair.index(after: place)...])
      }
      for word in without {
        guard let part = CarryOverPart(rawValue: word), [.photos, .tracks, .parcels].contains(part)
        else { throw ValidationError("--without \(word): choose photos, tracks or parcels.") }
        options.without.insert(part)
      }
      return options
    }

    func run() async throws {
      let options = try options()
      let file = try report.map { try CarryOverReportFile($0) }
      let (office, service) = try await data.officeAndPhones()
      let isCancelled = Interrupted()
      let interrupts = Interrupts { isCancelled.value.store(true, ordering: .relaxed) }
      defer { interrupts.stop() }
      let carryOver = CarryOver(
        office, service, options, by: OfficeCommand.terminal,
        progress: {
          if isCancelled.value.load(ordering: .relaxed) { throw CancellationError() }
          Self.show($0)
        }
      ) { try file?.add($0) }
      let summary: CarryOverSummary
      do {
        summary = try await carryOver.run(DumpFile(path: dump))
      } catch {
        Terminal.endProgress()
        // The report keeps all that was found by then, as the office keeps all that was carried
        // over. If the import did not get under way, the report of an earlier run stays.
        if carryOver.isUnderWay { try? file?.finish() }
        guard error is CancellationError else { throw error }
        throw ExitStatus.explained(
          .refused,
          "the import was cancelled: what was carried over is complete, run it again for the rest"
        )
      }
      Terminal.endProgress()
      try file?.finish()
      if common.isJSON {
        Terminal.say(Self.json(summary, report: report))
      } else {
        for line in Self.lines(summary) { Terminal.say(line) }
        if report == nil, summary.remarks.contains(where: { $0.value > 0 }) {
          Terminal.complain("--report FILE lists each row, and what to do about it")
        }
      }
      if summary.hasLeftOut { throw ExitStatus.refused }
    }

    /// A flag that is set when Ctrl-C was pressed.
    private final class Interrupted: Sendable {
      let value = Atomic(false)
    }

    private static func show(_ progress: CarryOverProgress) {
      let words =
        switch progress.phase {
        case .reading: "reading the dump"
        case .people: "people"
        case .tasks: "tasks"
        case .photos: "photos"
        case .tracks: "tracks"
        case .parcels: "parcels"
        case .checking: "checking photos"
        }
      let done = progress.phase == .reading ? "\(progress.done >> 20) MiB" : "\(progress.done)"
      let all = progress.all.map { progress.phase == .reading ? "\($0 >> 20) MiB" : "\($0)" }
      Terminal.progress("\(words): \(done)\(all.map { " of \($0)" } ?? "")")
    }

    // MARK: output

    private static func lines(_ summary: CarryOverSummary) -> [String] {
      func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
      }
      var lines = summary.agencies.map {
        "agency \($0.number), \($0.title): \($0.name) here, \($0.isNew ? "new" : "existing")"
      }
      let heads = [
        "in the dump", summary.isCheck ? "to carry over" : "carried over", "here already",
        "deleted there", "passed over", "left out",
      ]
      lines.append(padded("", 8) + heads.map { padded($0, 15) }.joined())
      for part in CarryOverPart.allCases {
        let count = summary.counts[part] ?? CarryOverCount()
        let numbers = [
          count.rows, count.carried, count.here, count.deleted, count.passed, count.left,
        ]
        lines.append(
          part.rawValue + String(repeating: " ", count: max(0, 8 - part.rawValue.count))
            + numbers.map { padded("\($0)", 15) }.joined())
      }
      for remark in CarryOverRemark.allCases {
        guard let count = summary.remarks[remark], count > 0 else { continue }
        lines.append("\(remark.rawValue) (\(words(remark.outcome))): \(count)")
      }
      if summary.digests.brought > 0 {
        lines.append(
          "the app's digest is valid for \(summary.digests.held) of \(summary.digests.brought)"
            + " photos that have one; for the others it can no longer be checked")
      }
      if summary.isCheck { lines.append("nothing was written (--check)") }
      return lines
    }

    private static func words(_ outcome: CarryOverRemark.Outcome) -> String {
      switch outcome {
      case .left: "left out"
      case .passed: "passed over"
      case .changed: "carried over, with a change"
      case .stays: "stays as it is here"
      }
    }

    private static func json(_ summary: CarryOverSummary, report: String?) -> JSONValue {
      var counts: [String: JSONValue] = [:]
      for part in CarryOverPart.allCases {
        let count = summary.counts[part] ?? CarryOverCount()
        counts[part.rawValue] = .object([
          "rows": .integer(count.rows), "carried": .integer(count.carried),
          "here": .integer(count.here), "deleted": .integer(count.deleted),
          "passed": .integer(count.passed), "left": .integer(count.left),
        ])
      }
      var remarks: [String: JSONValue] = [:]
      for (remark, count) in summary.remarks { remarks[remark.rawValue] = .integer(count) }
      return .members([
        ("check", .bool(summary.isCheck)),
        (
          "agencies",
          .array(
            summary.agencies.map {
              .object([
                "number": .string("\($0.number)"), "title": .string($0.title),
                "name": .string($0.name), "new": .bool($0.isNew),
              ])
            })
        ), ("counts", .object(counts)), ("remarks", .object(remarks)),
        ("digestsBrought", .integer(summary.digests.brought)),
        ("digestsHeld", .integer(summary.digests.held)), ("examined", .integer(summary.examined)),
        ("report", .text(report)),
      ])
    }
  }
}
