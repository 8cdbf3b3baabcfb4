import Exports
import Foundation
import Inspection
import Web

extension FieldPages {
  /// What a photo, a task and a track are taken away as; each is made on the disk first, so that a download is
  /// whole or is seen to be cut off by its length.
  func addExports(to routes: inout Routes) {
    for (kind, name) in [("photos", "photo"), ("tasks", "task"), ("tracks", "track")] {
      for format in ExportFormat.allCases {
        routes.get("/\(kind)/{id}/\(name).\(format.rawValue)") { request in
          try await reading(request) { reader in
            let id = try identifier(request)
            let choice: InspectorUnit.Choice =
              switch kind {
              case "photos": .photos([id])
              case "tasks": .tasks([id])
              default: .tracks([id])
              }
            var options = ExportOptions()
            if kind == "tracks" { options.rows = .points }
            let file = TemporaryFile(ending: format.rawValue)
            try reader.unit.export(choice, as: format, options: options, toFile: file.path)
            return .file(
              file, mediaType: format.mediaType, fileName: "\(name)-\(id).\(format.rawValue)")
          }
        }
      }
    }
  }

  /// Links to each format.
  func exportLinks(_ path: String) -> HTML {
    let links = ExportFormat.allCases.map { format in
      "<a class=\"button\" href=\"\(path).\(format.rawValue)\">\(format.title)</a>" as HTML
    }
    return """
      <details class="card"><summary>\(t("Take away as a file"))</summary>
      <div class="actions">\(links)</div></details>
      """
  }
}
