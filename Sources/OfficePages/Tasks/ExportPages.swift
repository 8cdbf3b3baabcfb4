import Exports
import Foundation
import Inspection
import Office
import Web

/// Photos, tasks and tracks as files to take away.
struct ExportPages: OfficePage {
  let office: OfficeServer

  /// What a photo, a task and a track are taken away as; KML has its addresses beside PDF and bundle.
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

  /// A file that is made on the disk first, so that a download is whole or is seen to be cut off by its length.
  func file(
    _ choice: ExportChoice, as format: ExportFormat, _ name: String, _ reader: Reader
  ) async throws -> WebResponse {
    try await .made(
      ending: format.rawValue, mediaType: format.mediaType,
      fileName: "\(name).\(format.rawValue)"
    ) { [office] path, tick in
      try await office.export(
        choice, in: reader.agency, ofInspector: reader.own, as: format,
        options: choice.usualOptions, toFile: path, tick: tick)
    }
  }

  /// Links to the formats beside KML.
  static func links(_ path: String, style: String = "button") -> [HTML] {
    ExportFormat.allCases.filter { $0 != .kml }.map { format in
      "<a class=\"\(style)\" href=\"\(path).\(format.rawValue)\">\(format.title)</a>" as HTML
    }
  }
}
