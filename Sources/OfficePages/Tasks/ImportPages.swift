import Evidence
import Guide
import Imports
import Inspection
import NIOPosix
import Office
import OfficeFrame
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// The pages that take tasks and parcels from a file, after a preview.
struct ImportPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.tasksFromFile

  func add(to routes: inout Routes) {
    for kind in ImportReport.Kind.allCases {
      routes.get("/\(kind.rawValue)/import") { request in
        try await reading(request) { reader in
          try requireImporter(of: kind, reader)
          guard let digest = request.query["file"] else { return try await upload(kind, reader) }
          return try await preview(kind, digest, reader)
        }
      }
      routes.post("/\(kind.rawValue)/import") { request in
        try await reading(request) { reader in
          try requireImporter(of: kind, reader)
          return request.isUpload
            ? try await receive(kind, reader) : try await carryOut(kind, reader)
        }
      }
    }
  }

  private func requireImporter(of kind: ImportReport.Kind, _ reader: Reader) throws {
    guard !kind.importers.contains(reader.role) else { return }
    try requireRole(.officer, reader)
  }

  /// Returns the part of an address that leads back to the first start; empty for other readers.
  private func way(_ reader: Reader, _ mark: String) -> String {
    reader.request.query["way"] == "set-up" ? "\(mark)way=set-up" : ""
  }

  // MARK: sending a file

  private func title(_ kind: ImportReport.Kind) -> String {
    switch kind {
    case .tasks: t("Tasks from a file")
    case .parcels: t("Parcels from a file")
    }
  }

  private func part(_ kind: ImportReport.Kind) -> GuidePart {
    kind == .tasks ? .tasksFromFile : .parcels
  }

  private func upload(
    _ kind: ImportReport.Kind, _ reader: Reader, refusal: OfficeRefusal? = nil
  ) async throws -> WebResponse {
    let words: HTML =
      switch kind {
      case .tasks:
        "<p>\(t("GeoJSON with a Polygon or MultiPolygon feature for each task and its parcel; or CSV in UTF-8 with the first line identifier,name,type,instructions,due,inspector,wkt. inspector is a login. Without an outline, the parcel with that identifier is used. If you import a file again, its tasks are updated, not duplicated."))</p>"
      case .parcels:
        """
        <p>\(t("GeoJSON with a Polygon or MultiPolygon feature for each parcel (with fiboa's properties, if you like); or CSV in UTF-8 with the first line identifier,name,crop,type,area,wkt; area is in hectares. A parcel with a known identifier is updated."))</p>
        <p class="muted">\(await t("{1} parcels in the register.", try office.places.parcelCount(in: reader.agency)))</p>
        """
      }
    let megabytes = office.configuration.maximumImportBytes >> 20
    return page(
      title(kind), reader, current: "/tasks", help: part(kind), status: refusal?.kind.status ?? 200,
      """
      <section class="card"><h1>\(title(kind))</h1>
      \(refusal.map { "<p class=\"notice notice-error\" role=\"alert\">\(t($0.wording))</p>" as HTML })
      \(words)
      <form class="fields" method="post" action="/\(kind.rawValue)/import\(way(reader, "?"))" enctype="multipart/form-data">\
      \(reader.request.formField)
      <label>\(t("File"))<input type="file" name="file" required
      accept=".geojson,.json,.geojsonl,.ndjson,.csv,.tsv,.txt"></label>
      <p class="hint">\(t("At most {1} MB. For larger files, use the command standpoint office {2} import. You will see what the file changes before anything is imported.", megabytes, kind == .tasks ? "task" : "parcel"))</p>
      <p class="actions"><button class="button primary">\(t("Check the file"))</button>
      <a class="button quiet" href="/tasks">\(t("Cancel"))</a></p></form>
      \(kind == .tasks ? "<p><a href=\"/parcels/import\">\(t("Parcels from a file"))</a></p>" as HTML : nil)</section>
      """)
  }

  private func receive(_ kind: ImportReport.Kind, _ reader: Reader) async throws -> WebResponse {
    let limit = office.configuration.maximumImportBytes
    let request = reader.request
    do {
      // The multipart wrapping around the file needs little room in the body.
      let digest = try await ImportShelf(office.imports).receive(
        kind, agency: reader.agency, login: reader.visitor.account.login
      ) { body in
        try await request.upload(limit: limit + 65_536) { try body($0) } != nil
      }
      guard let digest else { throw OfficeRefusal(.inputInvalid, "no file was chosen") }
      return .redirect("/\(kind.rawValue)/import?file=\(digest)\(way(reader, "&"))")
    } catch WebProblem.tooLarge {
      throw OfficeRefusal(
        .fileTooLarge,
        "the file has more than \(limit >> 20) MB: divide it, or use the command standpoint office"
          + " \(kind == .tasks ? "task" : "parcel") import on the office's machine")
    } catch let refusal as OfficeRefusal where refusal.kind == .inputInvalid {
      return try await upload(kind, reader, refusal: refusal)
    }
  }

  // MARK: preview and result

  private func read(
    _ kind: ImportReport.Kind, _ digest: String, _ reader: Reader, isCarriedOut: Bool
  ) async throws -> ImportReport {
    let office = office
    let (agency, login) = (reader.agency, reader.visitor.account.login)
    let shelf = ImportShelf(office.imports)
    let file = try shelf.file(digest, kind, agency: agency, login: login)
    let report = try await ImportShelf.reading.runInTurn {
      try await office.imports.importFile(
        file, of: kind, in: agency, by: login, isCarriedOut: isCarriedOut, expected: digest)
    }
    if report.isTaken { try shelf.remove(file) }
    return report
  }

  private func preview(
    _ kind: ImportReport.Kind, _ digest: String, _ reader: Reader
  ) async throws -> WebResponse {
    result(
      kind, digest, try await read(kind, digest, reader, isCarriedOut: false), reader)
  }

  private func carryOut(_ kind: ImportReport.Kind, _ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    guard let digest = form["file"] else {
      throw OfficeRefusal(.inputInvalid, "the form is not complete: choose the file again")
    }
    let report = try await read(kind, digest, reader, isCarriedOut: true)
    guard report.isTaken else { return result(kind, digest, report, reader) }
    if kind == .parcels, !way(reader, "?").isEmpty {
      return .redirect("/set-up?step=parcels&done=imported")
    }
    return .redirect(
      kind == .tasks ? "/tasks?done=imported" : "/parcels/import?done=imported")
  }

  private func result(
    _ kind: ImportReport.Kind, _ digest: String, _ report: ImportReport, _ reader: Reader
  ) -> WebResponse {
    let isGood = report.faultCount == 0
    let counts = HTML.facts([
      (t("Rows"), .text("\(report.rows)")), (t("New"), .text("\(report.new)")),
      (t("Changed"), .text("\(report.changed)")),
      (t("Unchanged"), .text("\(report.unchanged)")),
      (t("With errors"), .text("\(report.faultCount)")),
    ])
    let confirm: HTML? =
      isGood && report.new + report.changed > 0
      ? """
      <form method="post" action="/\(kind.rawValue)/import\(way(reader, "?"))">\(reader.request.formField)
      <input type="hidden" name="file" value="\(digest)">
      <p class="actions"><button class="button primary">\(kind == .tasks ? t("Order these tasks") : t("Import these parcels"))</button>
      <a class="button quiet" href="/\(kind.rawValue)/import">\(t("Another file"))</a></p></form>
      """
      : """
      <p class="actions"><a class="button primary" href="/\(kind.rawValue)/import">\(t("Another file"))</a></p>
      """
    let verdict =
      !isGood
      ? t("Nothing is imported while the file has errors. Correct the file, then send it again.")
      : report.new + report.changed == 0
        ? t("This file contains nothing new.")
        : t("Nothing is imported yet. The file is kept for an hour.")
    return page(
      title(kind), reader, current: "/tasks", help: part(kind), status: isGood ? 200 : 422,
      """
      <section class="card"><h1>\(title(kind))</h1>
      <p class="notice \(raw: isGood ? "notice-note" : "notice-error")" role="status">\(verdict)</p>\(counts)\(confirm)</section>
      \(list(t("Errors"), report.faults, of: report.faultCount))
      \(list(t("Warnings"), report.remarks, of: report.remarkCount))
      \(samples(kind, report))
      """)
  }

  private func list(_ title: String, _ faults: [ImportFault], of count: Int) -> HTML? {
    guard count > 0 else { return nil }
    let items = faults.map { fault in
      """
      <li>\(fault.line.map { "<strong>\(t("Line {1}", $0))</strong>: " as HTML })\(t(fault.reason))</li>
      """ as HTML
    }
    let more: HTML? =
      count > faults.count ? "<p>\(t("And {1} more.", count - faults.count))</p>" : nil
    return "<section class=\"card\"><h2>\(title)</h2><ul>\(items)</ul>\(more)</section>"
  }

  private func samples(_ kind: ImportReport.Kind, _ report: ImportReport) -> HTML? {
    guard !report.samples.isEmpty else { return nil }
    let detail = kind == .tasks ? t("Inspector and due date") : t("Crop")
    let rows = report.samples.map { sample in
      let effect =
        switch sample.effect {
        case .new: t("new")
        case .changed: t("changed")
        case .unchanged: t("unchanged")
        }
      let area = sample.areaSquareMetres.map { t.decimal($0, places: 0) + " m²" } ?? "—"
      return """
        <tr><td data-label="\(t("Line"))" class="number">\(sample.line)</td>
        <td data-label="\(t("Identifier"))">\(sample.identifier ?? "—")</td>
        <td data-label="\(t("Name"))">\(sample.name ?? "—")</td>
        <td data-label="\(detail)">\(sample.detail)</td>
        <td data-label="\(t("Area"))" class="number">\(area)</td>
        <td data-label="\(t("Effect"))">\(effect)</td></tr>
        """ as HTML
    }
    return """
      <section class="card"><h2>\(t("The first rows"))</h2><table class="list"><thead><tr>
      <th scope="col" class="number">\(t("Line"))</th><th scope="col">\(t("Identifier"))</th>
      <th scope="col">\(t("Name"))</th><th scope="col">\(detail)</th>
      <th scope="col" class="number">\(t("Area"))</th><th scope="col">\(t("Effect"))</th></tr></thead>
      <tbody>\(rows)</tbody></table></section>
      """
  }
}
