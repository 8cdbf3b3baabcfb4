import Exports
import Inspection
import Office
import OfficeExporting
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// The exports for officers, in each format that the pages have.
struct ExportConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    for format in ExportFormat.allCases {
      for kind in ExportChoice.Kind.allCases {
        let name = kind.rawValue
        routes.get("\(Self.path)/\(name)s/{id}/\(name).\(format.rawValue)", machine: true) {
          request in
          try await asking(request) { try await exportOne(kind, as: format, $0) }
        }
      }
    }
    let one = Self.path + "/tasks/{id}"
    for (name, mediaType) in [("task.pdf", "application/pdf"), ("bundle.zip", "application/zip")] {
      routes.get("\(one)/\(name)", machine: true) { request in
        try await asking(request) { try await taskFile(name, mediaType, $0) }
      }
    }
    routes.get(Self.path + "/photos/{id}/photo.pdf", machine: true) { request in
      try await asking(request) { try await photoPDF($0) }
    }
    routes.post(Self.path + "/exports", machine: true) { request in
      try await asking(request) { try await exportChosen($0) }
    }
  }

  private func exportOne(
    _ kind: ExportChoice.Kind, as format: ExportFormat, _ asker: Asker
  ) async throws -> WebResponse {
    let id = try identifier(asker)
    return try await export(ExportChoice(kind, [id]), as: format, kind.rawValue, asker)
  }

  private func taskFile(
    _ name: String, _ mediaType: String, _ asker: Asker
  ) async throws -> WebResponse {
    let id = try identifier(asker)
    return try await made(name, mediaType, asker.request) {
      [office, t = Texts.current] path, tick in
      try await office.exports.write(
        name, ofTask: id, in: asker.agency, toFile: path, in: t, tick: tick)
    }
  }

  private func photoPDF(_ asker: Asker) async throws -> WebResponse {
    let received = try await photo(asker)
    if let task = received.photo.task {
      throw OfficeRefusal(
        .ruleForbids, "the photo belongs to task \(task): the task's PDF shows it")
    }
    return try await made("photo.pdf", "application/pdf", asker.request) {
      [office, t = Texts.current] path, _ in
      try await office.exports.writePDF(of: received, toFile: path, in: t)
    }
  }

  private func exportChosen(_ asker: Asker) async throws -> WebResponse {
    let wanted = try await body(of: asker.request, ["format", "tasks"])
    guard let format = ExportFormat(rawValue: try wanted.neededText("format", upTo: 16)) else {
      let known = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw OfficeRefusal(.inputInvalid, "\"format\" is none of \(known)")
    }
    let ids = try wanted.identifiers("tasks")
    try Review.requireFew(ids.count)
    return try await export(.tasks(ids), as: format, "tasks", asker)
  }

  private func export(
    _ choice: ExportChoice, as format: ExportFormat, _ name: String, _ asker: Asker
  ) async throws -> WebResponse {
    try await made(
      "\(name).\(format.rawValue)", format.mediaType, asker.request
    ) { [office, t = Texts.current] path, tick in
      try await office.exports.export(
        choice, in: asker.agency, as: format, options: choice.usualOptions, toFile: path, in: t,
        tick: tick)
    }
  }
}
