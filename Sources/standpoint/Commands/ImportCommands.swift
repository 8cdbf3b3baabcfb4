import ArgumentParser
import Evidence
import Foundation
import Imports
import Office
import Positioning
import Sync
import Telling
import TimeAndText

/// The options of both imports, of tasks and of parcels.
struct ImportOptions: ParsableArguments {
  @Argument(help: "The file: GeoJSON or CSV.") var file: String
  @Option(help: "The agency.") var agency: String
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("geojson or csv (default: recognised from the file).", valueName: "format"))
  var format: String?
  @Flag(help: "Only check the file; import nothing.") var dryRun = false

  func run(
    _ kind: ImportReport.Kind, _ data: OfficeDataOptions, _ common: CommonOptions
  ) async throws -> (report: ImportReport, office: OfficeServer) {
    var known: ImportFormat?
    if let format {
      guard let value = ImportFormat(rawValue: format) else {
        throw ValidationError("--as \(format) is neither geojson nor csv.")
      }
      known = value
    }
    let office = try await data.office()
    try await office.people.requireAgency(agency)
    defer { Terminal.endProgress() }
    var shown = -1
    let report = try await office.imports.importFile(
      ImportedFile(path: file, format: known), of: kind, in: agency, by: OfficeCommand.terminal,
      isCarriedOut: !dryRun
    ) { done, all in
      let percent = all > 0 ? done * 100 / all : 100
      guard percent != shown else { return }
      shown = percent
      Terminal.progress("\(file): \(percent) %")
    }
    return (report, office)
  }

  /// Writes what is wrong in a file, in a form that editors understand: `FILE:LINE: words`.
  func complain(_ report: ImportReport) {
    func line(_ fault: ImportFault) -> String {
      fault.line.map { "\(file):\($0): \(fault.words)" } ?? "\(file): \(fault.words)"
    }
    for remark in report.remarks { Terminal.complain(line(remark) + " (imported anyway)") }
    if report.remarkCount > report.remarks.count {
      Terminal.complain(
        "\(file): and \(report.remarkCount - report.remarks.count) more such remarks")
    }
    for fault in report.faults { Terminal.complain(line(fault)) }
    if report.faultCount > report.faults.count {
      Terminal.complain("\(file): and \(report.faultCount - report.faults.count) more are wrong")
    }
    if report.faultCount > 0 { Terminal.complain("nothing was imported") }
  }

  func summary(_ report: ImportReport) -> JSONValue {
    func list(_ faults: [ImportFault]) -> JSONValue {
      .array(
        faults.map { fault in
          .members([
            ("line", fault.line.map(JSONValue.integer)), ("row", fault.row.map(JSONValue.integer)),
            ("message", .string(fault.words)),
          ])
        })
    }
    return .members([
      ("agency", .string(agency)), ("rows", .integer(report.rows)), ("new", .integer(report.new)),
      ("changed", .integer(report.changed)), ("unchanged", .integer(report.unchanged)),
      ("wrong", .integer(report.faultCount)), ("taken", .bool(report.isTaken)),
      ("errors", list(report.faults)), ("remarks", list(report.remarks)),
    ])
  }

  func words(_ report: ImportReport, _ thing: String) -> String {
    "\(report.rows) \(thing) in the file: \(report.new) new, \(report.changed) changed,"
      + " \(report.unchanged) unchanged" + (report.isTaken ? "" : "; nothing was imported")
  }
}

extension OfficeCommand.TaskGroup {
  /// Orders tasks from a file.
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Order tasks from a GeoJSON or CSV file.",
      discussion: """
        Each feature or line is a task; its polygon (in CSV: the column wkt) is the parcel, its
        properties are identifier, reference, name, type, instructions, due and inspector (a login),
        and around and turn for the pictures of sets that the task asks for.
        Without an outline, the agency's parcel with that identifier is used. Either all tasks are
        ordered or none; errors are listed by line.

        If you import a file again, no task is made twice: a task is recognised by its reference,
        or else by identifier and name, or else by inspector and name, and is changed as long as
        its inspector has it.
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @OptionGroup var options: ImportOptions

    func run() async throws {
      let (report, office) = try await options.run(.tasks, data, common)
      options.complain(report)
      guard report.faultCount == 0 else {
        if common.isJSON { Terminal.say(options.summary(report)) }
        throw ExitStatus.badInput
      }
      guard report.isTaken else {
        return common.isJSON
          ? Terminal.say(options.summary(report)) : Terminal.say(options.words(report, "tasks"))
      }
      Terminal.complain(options.words(report, "tasks"))
      let now = office.clock.deviceTime
      for id in report.tasks {
        let task = try await office.review.view(of: id, in: options.agency).task
        if common.isJSON {
          Terminal.say(.members(TaskLine.members(task, photos: 0, at: now)))
        } else {
          Terminal.say(TaskLine.text(task, photos: 0, at: now))
        }
      }
    }
  }
}

extension OfficeCommand {
  /// The commands for parcels.
  struct ParcelGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "parcel", abstract: "Parcels.", subcommands: [Import.self])

    /// Takes parcels from a file.
    struct Import: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        abstract: "Import an agency's parcels from a GeoJSON or CSV file.",
        discussion: """
          Each feature or line is a parcel: a Polygon or MultiPolygon (in CSV: the column wkt) in
          degrees on WGS 84, with an identifier; name, crop, type and area (hectares) if you have
          them. fiboa's properties id, area, category, determination_datetime and crop:name are
          understood. Either all parcels are imported or none; errors are listed by line. A parcel
          with a known identifier is changed; none is removed.

          Example: standpoint office parcel import fields.geojson --agency north
          """)
      @OptionGroup var common: CommonOptions
      @OptionGroup var data: OfficeDataOptions
      @OptionGroup var options: ImportOptions

      func run() async throws {
        let (report, _) = try await options.run(.parcels, data, common)
        options.complain(report)
        if common.isJSON {
          Terminal.say(options.summary(report))
        } else if report.faultCount == 0 {
          Terminal.say(options.words(report, "parcels"))
        }
        if report.faultCount > 0 { throw ExitStatus.badInput }
      }
    }
  }
}
