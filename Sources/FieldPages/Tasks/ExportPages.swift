import Exports
import FieldUnit
import Foundation
import Inspection
import Web

/// Photos, tasks and tracks as files to take away.
struct ExportPages: FieldPage {
  let server: FieldServer

  /// What a photo, a task and a track are taken away as; each is made on the disk first, so that a download is
  /// whole or is seen to be cut off by its length.
  func add(to routes: inout Routes) {
    for format in ExportFormat.allCases {
      // What the list of tasks shows, chosen by its filter.
      routes.get("/tasks.\(format.rawValue)") { request in
        try await reading(request) { reader in
          let chosen = TaskOrdering(reader.request.query).rows(
            try reader.unit.taskListings().tasks.map { TaskOrdering.Row(task: $0, way: nil) })
          return try await .made(
            ending: format.rawValue, mediaType: format.mediaType,
            fileName: "tasks.\(format.rawValue)"
          ) { [unit = reader.unit, ids = chosen.map(\.task.id)] path, tick in
            try unit.export(.tasks(ids), as: format, toFile: path, tick: tick)
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
            ) { [unit = reader.unit] path, tick in
              try unit.export(
                choice, as: format, options: choice.usualOptions, toFile: path, tick: tick)
            }
          }
        }
      }
    }
  }

  /// Links to each format.
  ///
  /// - Parameter query: what the address says behind its format, with its question mark.
  func exportLinks(_ path: String, query: String = "") -> HTML {
    let links = ExportFormat.allCases.map { format in
      "<a class=\"button\" href=\"\(path).\(format.rawValue)\(query)\">\(format.title)</a>" as HTML
    }
    return """
      <details class="card"><summary>\(t("Take away as a file"))</summary>
      <div class="actions">\(links)</div></details>
      """
  }
}
