import Exports
import FieldExporting
import FieldUnit
import Foundation
import Guide
import Inspection
import TimeAndText
import Web

/// The exports of photos, tasks and tracks as files to take away.
struct ExportPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldPhoto

  /// Adds the addresses of the exports of a photo, a task, a track and the list of tasks. Each file
  /// is made on the disk first, so that its length tells if a download is complete.
  func add(to routes: inout Routes) {
    for format in ExportFormat.allCases {
      // The export holds the tasks that the filter of the list shows.
      routes.get("/tasks.\(format.rawValue)") { request in
        try await reading(request) { reader in
          let chosen = TaskOrdering(reader.request.query).rows(
            try reader.unit.taskListings().tasks.map { TaskOrdering.Row(task: $0, way: nil) })
          return try await .made(
            ending: format.rawValue, mediaType: format.mediaType,
            fileName: "tasks.\(format.rawValue)"
          ) { [unit = reader.unit, ids = chosen.map(\.task.id), t] path, tick in
            try unit.exports.export(
              .tasks(ids), as: format, toFile: path, in: DocumentLanguage(t), tick: tick)
          }
        }
      }
    }
    for kind in ExportChoice.Kind.allCases {
      for format in ExportFormat.allCases {
        routes.get("/\(kind.rawValue)s/{id}/\(kind.rawValue).\(format.rawValue)") { request in
          try await reading(request) { reader in
            let id = try identifier(request)
            let choice = ExportChoice(kind, [id])
            return try await .made(
              ending: format.rawValue, mediaType: format.mediaType,
              fileName: "\(kind.rawValue)-\(id).\(format.rawValue)"
            ) { [unit = reader.unit, t] path, tick in
              try unit.exports.export(
                choice, as: format, options: choice.usualOptions, toFile: path,
                in: DocumentLanguage(t), tick: tick)
            }
          }
        }
      }
    }
  }

  /// Returns the links to each format.
  /// - Parameter query: the part of the address after the format, with its question mark.
  func exportLinks(_ path: String, query: String = "") -> HTML {
    let links = ExportFormat.allCases.map { format in
      "<a class=\"button\" href=\"\(path).\(format.rawValue)\(query)\">\(format.title)</a>" as HTML
    }
    return """
      <details class="card"><summary>\(t("Export as a file"))</summary>
      <div class="actions">\(links)</div></details>
      """
  }
}
