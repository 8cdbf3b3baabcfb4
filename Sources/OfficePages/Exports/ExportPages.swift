import Exports
import Foundation
import Guide
import Inspection
import Office
import OfficeExporting
import OfficeFrame
import Web

/// The exports of photos, tasks and tracks as files to take away.
struct ExportPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.takeAway

  /// Adds the addresses of the exports of a photo, a task and a track; KML has its own addresses,
  /// as PDF and the bundle have.
  func add(to routes: inout Routes) {
    for kind in ExportChoice.Kind.allCases {
      let name = kind.rawValue
      for format in ExportFormat.allCases where format != .kml {
        routes.get("/\(name)s/{id}/\(name).\(format.rawValue)") { request in
          try await reading(request, own: true) { reader in
            let id = try identifier(request)
            return try await file(ExportChoice(kind, [id]), as: format, "\(name)-\(id)", reader)
          }
        }
      }
    }
  }

  /// Returns an export, which is made on the disk first, so that its length tells if a download is
  /// complete.
  /// - Parameter options: nil for the usual ones.
  func file(
    _ choice: ExportChoice, as format: ExportFormat, options: ExportOptions? = nil, _ name: String,
    _ reader: Reader
  ) async throws -> WebResponse {
    try await .made(
      ending: format.rawValue, mediaType: format.mediaType,
      fileName: "\(name).\(format.rawValue)"
    ) { [office, t] path, tick in
      try await office.exports.export(
        choice, in: reader.agency, ofInspector: reader.own, as: format,
        options: options ?? choice.usualOptions, toFile: path, in: t, tick: tick)
    }
  }

  /// Returns a CSV of tasks with a column for each question.
  func answers(
    of tasks: [Identifier], _ name: String, _ reader: Reader
  ) async throws -> WebResponse {
    var options = ExportOptions()
    options.rows = .tasks
    return try await file(.tasks(tasks), as: .csv, options: options, name, reader)
  }

  /// Returns the links to all formats.
  static func links(_ path: String, style: String = "button") -> [HTML] {
    ExportFormat.allCases.map { format in
      "<a class=\"\(style)\" href=\"\(path).\(format.rawValue)\">\(format.title)</a>" as HTML
    }
  }
}
