import Exports
import Foundation
import Inspection
import Web

extension OfficePages {
  /// What a photo, a task and a track are taken away as; KML has its addresses beside PDF and bundle.
  func addExports(to routes: inout Routes) {
    for (kind, name) in [("photos", "photo"), ("tasks", "task"), ("tracks", "track")] {
      for format in ExportFormat.allCases where format != .kml {
        routes.get("/\(kind)/{id}/\(name).\(format.rawValue)") { request in
          try await reading(request, own: true) { reader in
            let id = try identifier(request)
            let choice: OfficeServer.Choice =
              switch kind {
              case "photos": .photos([id])
              case "tasks": .tasks([id])
              default: .tracks([id])
              }
            return try file(choice, as: format, "\(name)-\(id)", reader)
          }
        }
      }
    }
  }

  /// A file that is made on the disk first, so that a download is whole or is seen to be cut off by its length.
  func file(
    _ choice: OfficeServer.Choice, as format: ExportFormat, _ name: String, _ reader: Reader
  ) throws -> WebResponse {
    var options = ExportOptions()
    if case .tracks = choice { options.rows = .points }
    let file = TemporaryFile(ending: format.rawValue)
    try office.export(
      choice, in: reader.agency, ofInspector: reader.own, as: format, options: options,
      toFile: file.path)
    return .file(
      file, mediaType: format.mediaType, fileName: "\(name).\(format.rawValue)")
  }

  /// Links to the formats beside KML.
  func exportLinks(_ path: String, style: String = "button") -> [HTML] {
    ExportFormat.allCases.filter { $0 != .kml }.map { format in
      "<a class=\"\(style)\" href=\"\(path).\(format.rawValue)\">\(format.title)</a>" as HTML
    }
  }
}
