import ArgumentParser
import Evidence
import Exports
import FieldExporting
import FieldUnit
import Foundation
import Inspection
import Office
import OfficeExporting
import Positioning
import Receivers
import Synchronization
import TimeAndText
import Web

/// Writes tasks, photos and tracks for other programs.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write tasks, photos and tracks for other programs.",
    discussion: """
      Exports the field unit's data, or the office's with --office. If the data directory holds
      only one of them, that one is exported. PDF and bundle are made by the office, of one task.

      Examples: standpoint export all --as kmz -o day.kmz
                standpoint export task ID --as gpkg -o task.gpkg
                standpoint export track ID --as gpx --points -o walk.gpx
                standpoint export all --as csv --rows tracks -o tracks.csv
                standpoint export all --office --as csv --rows tasks -o answers.csv
                standpoint export task ID --office --as pdf -o task.pdf
                standpoint export task ID --office --as pdf --language cs -o ukol.pdf
                standpoint export task ID --office --as bundle -o task.zip
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case kml
    case kmz
    case gpx
    case geojson
    case gpkg
    case csv
    case pdf
    case bundle
  }

  @OptionGroup var data: DataOptions
  @Argument(help: "all, or: task ID…, photo ID…, track ID…") var selection: [String]
  @Option(name: .customLong("as"), help: "The format.") var format: Format
  @Option(name: .shortAndLong, help: "The file to write, - for standard output.")
  var output: String
  @Flag(
    help:
      "Write each point of a track separately, with its time and uncertainty (kml, kmz, gpx, geojson)."
  )
  var points = false
  @Option(
    help:
      "The rows of a CSV: photos, tasks (with a column for each question), items, answers, parcels, tracks, points, sets or frames."
  )
  var rows = CSVDocument.Rows.photos
  @Option(help: "The pictures in a kmz or gpkg: all, thumbnails or none.")
  var pictures = GeoPackageDocument.Pictures.all
  @Option(help: "The language of words for people in a pdf, kml or kmz: en or cs.")
  var language = "en"
  @Flag(help: "Export from the office's data. With several agencies, give --agency.")
  var office = false

  func run() async throws {
    let t = try texts()
    let server = try await officeServer()
    let choice = try await chosen(from: server)
    switch format {
    case .kml, .kmz, .gpx, .geojson, .gpkg, .csv:
      guard let kept = ExportFormat(rawValue: format.rawValue) else { return }
      try await Self.writing(to: output) { path, tick in
        if let (office, agency) = server {
          try await office.exports.export(
            choice, in: agency, as: kept, options: options, toFile: path, in: t, tick: tick)
        } else {
          try data.unit().exports.export(
            choice, as: kept, options: options, toFile: path, in: DocumentLanguage(t), tick: tick)
        }
      }
    case .pdf, .bundle:
      guard let (office, agency) = server else {
        throw ValidationError(
          "PDF and bundle are made from the office's data: give --office, in its data directory.")
      }
      guard case .tasks(let ids) = choice, ids.count == 1 else {
        throw ValidationError("A PDF or a bundle is of one task: give task ID.")
      }
      if format == .pdf, output != "-" {
        try await writeDossier(of: ids[0], office, agency, t)
        return
      }
      try await Self.writing(to: output) { path, tick in
        try await office.exports.write(
          format == .pdf ? "task.pdf" : "bundle.zip", ofTask: ids[0], in: agency, toFile: path,
          in: t, tick: tick)
      }
    }
  }

  /// Writes a task's PDF; a large one becomes volumes, which are named on standard output.
  private func writeDossier(
    of task: Identifier, _ office: OfficeServer, _ agency: String, _ t: Texts
  ) async throws {
    var volumes: [String] = []
    try await Self.interruptible { isCancelled in
      volumes = try await office.exports.writeDossier(
        ofTask: task, in: agency, toFile: output, in: t,
        progress: { Terminal.progress("\($0) of \($1) photos") }, isCancelled: isCancelled)
    }
    if volumes.count > 1 { for volume in volumes { Terminal.say(volume) } }
  }

  private func texts() throws -> Texts { try Self.texts(language) }

  /// Returns the texts of a language that a command names.
  static func texts(_ language: String) throws -> Texts {
    if let texts = Texts.languages.first(where: { $0.language == language }) { return texts }
    let known = Texts.languages.map(\.language).joined(separator: ", ")
    throw ValidationError("There is no language \(language): \(known).")
  }

  private func chosen(
    from server: (office: OfficeServer, agency: String)?
  ) async throws -> ExportChoice {
    if selection == ["all"] { return .all }
    let named = selection.dropFirst()
    guard let kind = selection.first.flatMap(ExportChoice.Kind.init(rawValue:)), !named.isEmpty
    else { throw ValidationError("Give all, or: task ID…, photo ID…, track ID….") }
    guard let (office, agency) = server else {
      let unit = try data.unit()
      return switch kind {
      case .task: .tasks(try named.map(unit.task(meant:)))
      case .photo: .photos(try named.map(unit.photo(meant:)))
      case .track: .tracks(try named.map(unit.track(meant:)))
      }
    }
    guard kind == .task, named.contains(where: { Identifier($0.lowercased()) == nil }) else {
      return ExportChoice(kind, try named.map(InspectorUnit.identifier))
    }
    let tasks = try await office.review.tasks(in: agency)
    return .tasks(
      try named.map { text in
        if let id = Identifier(text.lowercased()) { return id }
        return try Meant.one(
          text, of: ("task's name or identifier", "tasks"), among: tasks,
          list: "standpoint office task list", names: { [$0.id.description, $0.name] }
        ).id
      })
  }

  private var options: ExportOptions {
    var options = ExportOptions()
    options.pointFeatures = points
    options.rows = rows
    options.pictures = pictures
    return options
  }

  /// Makes a file, shows how far it is, and stops on Ctrl-C: nothing is left then. Standard output
  /// gets the file when it is whole.
  private static func writing(
    to output: String,
    _ body: (_ path: String, _ tick: @escaping () throws -> Void) async throws -> Void
  ) async throws {
    let temporary = output == "-" ? TemporaryFile(ending: "part") : nil
    try await interruptible { isCancelled in
      var count = 0
      try await body(temporary?.path ?? output) {
        count += 1
        if count % 64 == 0 { Terminal.progress("\(count) read") }
        if isCancelled() { throw CancellationError() }
      }
    }
    guard let temporary else { return }
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: temporary.path))
    while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
      try FileHandle.standardOutput.write(contentsOf: piece)
    }
    withExtendedLifetime(temporary) {}
  }

  /// Stops the work of `body` on Ctrl-C. The first Ctrl-C lets it clear away what it has begun.
  private static func interruptible(
    _ body: (_ isCancelled: @escaping () -> Bool) async throws -> Void
  ) async throws {
    let cancelled = Cancelled()
    let interrupts = Interrupts { cancelled.flag.store(true, ordering: .relaxed) }
    defer {
      interrupts.stop()
      Terminal.endProgress()
    }
    do {
      try await body { cancelled.flag.load(ordering: .relaxed) }
    } catch {
      // A PDF reports the cancellation with an error of its own.
      guard error is CancellationError || cancelled.flag.load(ordering: .relaxed) else {
        throw error
      }
      Terminal.endProgress()
      throw ExitStatus.explained(.refused, "the export was cancelled: nothing was written")
    }
  }

  /// Returns the office with the agency that is meant; nil if the field unit's data are meant.
  private func officeServer() async throws -> (OfficeServer, String)? {
    func holds(_ side: String) -> Bool {
      FileManager.default.fileExists(
        atPath: data.directory.appendingPathComponent("\(side)/standpoint.sqlite").path)
    }
    guard office || (holds("office") && !holds("field")) else { return nil }
    guard holds("office") else {
      throw ValidationError("\(data.directory.path) holds no data of an office.")
    }
    let server = try await OfficeDataOptions.office(inDirectory: data.directory)
    let agencies = try await server.people.agencies().map(\.name)
    if let agency = data.agency ?? Fallback.value("agency") {
      guard agencies.contains(agency) else {
        throw ValidationError("There is no agency \(agency): \(agencies.joined(separator: ", ")).")
      }
      return (server, agency)
    }
    guard agencies.count == 1 else {
      throw ValidationError("Give the agency: --agency \(agencies.joined(separator: " or ")).")
    }
    return (server, agencies[0])
  }
}

/// A flag that is set when Ctrl-C was pressed.
private final class Cancelled: Sendable {
  let flag = Atomic(false)
}

extension CSVDocument.Rows: ExpressibleByArgument {}
extension GeoPackageDocument.Pictures: ExpressibleByArgument {}
