import Evidence
import FormTables
import Foundation
import Guide
import Inspection
import ItemViewing
import Office
import OfficeFrame
import OrderFiles
import Store
import Sync
import TimeAndText
import Web

/// The pages on which an agency's templates are built, or taken from a file.
struct TemplatePages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.templates

  private static let style = Asset(file: "/assets/templates.css", [PackageResources.templates_css])
  /// The most bytes of a form: the items that are not kept yet travel in it.
  private static let formBytesAtMost = 8 << 20
  /// The most faults of a file that are listed.
  private static let faultsAtMost = 100

  func add(to routes: inout Routes) {
    routes.get("/templates") { request in try await reading(request) { try await list($0) } }
    routes.get("/templates/edit") { request in
      try await reading(request) { reader in
        guard let asked = reader.request.query["type"] else {
          return try await list(reader, title: t("New template"))
        }
        let type = try Self.type(asked)
        return try await editor(type, Draft(try await kept(type, reader)), reader)
      }
    }
    routes.post("/templates/edit") { request in
      try await reading(request) { try await edit($0) }
    }
    routes.post("/templates/file") { request in
      try await reading(request) { try await receive($0) }
    }
    routes.get(Self.style.path) { request in Self.style.response(to: request) }
  }

  private func list(
    _ reader: Reader, title: String? = nil, faults: [TableFault] = [], file: String? = nil
  ) async throws -> WebResponse {
    let title = title ?? t("Templates")
    let templates = try await office.templates.newest(of: reader.agency)
    let types = try await office.database.read(in: reader.agency) { try $0.tasks.types() }
    let rows = templates.map { template in
      """
      <tr><th scope="row"><a href="/templates/edit?type=\(AddressText.escaped(template.type))">\(template.title ?? template.type)</a></th>
      <td data-label="\(t("Type"))">\(template.type)</td>
      <td class="number" data-label="\(t("Items"))">\(template.items.items.count)</td>
      <td class="number" data-label="\(t("Version"))">\(template.version)</td>
      <td class="time" data-label="\(t("Kept"))">\(t.time(template.made)), \(template.author)</td></tr>
      """ as HTML
    }
    let table: HTML =
      templates.isEmpty
      ? "<p class=\"empty\">\(t("There are no templates yet. A template says what orders of one type ask for: photos, questions, tracks and notes."))</p>"
      : """
      <table class="list"><thead><tr><th scope="col">\(t("Title"))</th><th scope="col">\(t("Type"))</th><th scope="col" class="number">\(t("Items"))</th>\
      <th scope="col" class="number">\(t("Version"))</th><th scope="col">\(t("Kept"))</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    let known = Set(templates.map(\.type))
    let offered = types.filter { !known.contains($0) }.map { "<option value=\"\($0)\">" as HTML }
    return page(
      title, reader, current: "/tasks", status: faults.isEmpty ? 200 : 422,
      styles: [Self.style.href],
      """
      <div class="heading"><h1>\(title)</h1></div>\(faultList(faults, file))\(table)
      <form class="filter" method="get" action="/templates/edit"><label>\(t("Type of tasks"))<input name="type" required list="types" maxlength="100"></label>
      <datalist id="types">\(offered)</datalist><button class="button primary">\(t("New template"))</button></form>
      <form class="filter" method="post" action="/templates/file" enctype="multipart/form-data">\(reader.request.formField)
      <label>\(t("XLSForm or JSON"))<input type="file" name="file" accept=".xlsx,.json" required></label>
      <button class="button">\(t("Look at the file"))</button></form>
      <p class="hint">\(t("An XLSForm is the workbook that users of Survey123, Kobo and ODK have. Nothing is kept before you press the button on the next page."))</p>
      """)
  }

  private func faultList(_ faults: [TableFault], _ file: String?) -> HTML? {
    guard !faults.isEmpty else { return nil }
    let lines = faults.prefix(Self.faultsAtMost).map { "<li>\(t($0.wording))</li>" as HTML }
    return """
      <section class="notice notice-error" role="alert"><p>\(t("Nothing was taken from {1}:", file ?? ""))</p><ul>\(lines)</ul></section>
      """
  }

  // MARK: building

  private typealias Draft = TemplateDraft

  private static func type(_ text: String?) throws -> String {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty,
      text.utf8.count <= CapturePolicy.typeByteLimit
    else {
      throw OfficeRefusal(
        .inputInvalid, "a type's name must have 1 to \(CapturePolicy.typeByteLimit) bytes")
    }
    return text
  }

  private func kept(_ type: String, _ reader: Reader) async throws -> ItemTemplate? {
    try await office.database.read(in: reader.agency) {
      try $0.templates.template(ofType: type, version: nil)
    }
  }

  private func editor(
    _ type: String, _ draft: Draft, _ reader: Reader,
    open form: (fields: ItemForm, place: TemplateEditor.Place)? = nil, fault: String? = nil
  ) async throws -> WebResponse {
    let kept = try await kept(type, reader)
    let editor = TemplateEditor(
      t: t, type: type, template: draft, isChanged: draft.differs(from: kept), draft: draft.text,
      formField: reader.request.formField,
      examples: ItemParts.Examples(folder: AttachmentPages.pictures))
    return page(
      t("Template"), reader, current: "/tasks", status: fault == nil ? 200 : 422,
      styles: [Self.style.href],
      """
      <div class="heading"><h1>\(t("Template for “{1}”", type))</h1></div>\(editor.html(open: form, fault: fault))
      """)
  }

  private func edit(_ reader: Reader) async throws -> WebResponse {
    let (form, picture) = try await sent(reader)
    let type = try Self.type(form["type"])
    let draft = Draft(
      title: form["title"].map { String($0.prefix(Templates.titleCharactersAtMost)) },
      items: try Self.items(form["items"] ?? "[]"),
      // A file's template is based on the version that is kept when it is looked at.
      version: try await base(form, type, reader))
    let parts = (form["do"] ?? "").split(separator: ":", maxSplits: 1).map(String.init)
    let number = parts.count == 2 ? Int(parts[1]) : nil
    let items = draft.items.items
    switch (parts.first, number) {
    case ("add", _):
      guard let kind = form["kind"].flatMap(ItemKind.init(rawValue:)) else { break }
      return try await editor(type, draft, reader, open: (ItemForm(new: kind), .new))
    case ("edit", let number?) where items.indices.contains(number):
      return try await editor(
        type, draft, reader, open: (ItemForm(items[number]), .at(number)))
    case ("up", let number?), ("down", let number?), ("drop", let number?):
      guard items.indices.contains(number) else { break }
      return try await move(parts[0], number, type, draft, reader)
    case ("save", _): return try await save(form, picture, type, draft, reader)
    case ("keep", _): return try await keep(type, draft, reader)
    default: break
    }
    return try await editor(type, draft, reader)
  }

  /// Reads the fields of a form, and the picture that it brings; nil without one.
  private func sent(_ reader: Reader) async throws -> (form: WebForm, picture: UploadedFile?) {
    guard reader.request.isUpload else {
      return (try await reader.request.form(limit: Self.formBytesAtMost), nil)
    }
    let (form, file) = try await reader.request.formWithFile(
      fieldBytes: Self.formBytesAtMost, fileBytes: OrderFileService.exampleBytesAtMost)
    return (form, file)
  }

  private func base(_ form: WebForm, _ type: String, _ reader: Reader) async throws -> Int {
    if let version = form["version"].flatMap({ Int($0) }) { return version }
    return try await kept(type, reader)?.version ?? 0
  }

  private static func items(_ text: String) throws -> OrderItems {
    do {
      return try ItemsJSON.items(JSONValue(parsing: Array(text.utf8)))
    } catch let fault as ItemsJSONFault {
      throw OfficeRefusal(.inputInvalid, "the template cannot be: \(fault.wording)")
    } catch {
      throw OfficeRefusal(.inputInvalid, "the form does not have the template's items")
    }
  }

  /// Moves an item, or takes it out.
  private func move(
    _ action: String, _ number: Int, _ type: String, _ draft: Draft, _ reader: Reader
  ) async throws -> WebResponse {
    var items = draft.items.items
    let target = action == "up" ? number - 1 : number + 1
    if action == "drop" {
      items.remove(at: number)
    } else if items.indices.contains(target) {
      items.swapAt(number, target)
    }
    let moved: OrderItems
    do throws(ItemFault) {
      moved = try OrderItems(items)
    } catch {
      return try await editor(type, draft, reader, fault: t(error.wording))
    }
    return try await editor(
      type, Draft(title: draft.title, items: moved, version: draft.version), reader)
  }

  private func save(
    _ form: WebForm, _ picture: UploadedFile?, _ type: String, _ draft: Draft, _ reader: Reader
  ) async throws -> WebResponse {
    var items = draft.items.items
    let number = form["place"].flatMap { Int($0) }.flatMap {
      items.indices.contains($0) ? $0 : nil
    }
    let before = number.map { items[$0] }
    guard var fields = ItemForm(form, kept: before?.condition) else {
      throw OfficeRefusal(.inputInvalid, "the form does not say what kind of item it is")
    }
    let place = number.map(TemplateEditor.Place.at) ?? .new
    let words: String
    do {
      if let picture, fields.takesExample {
        fields.take(
          example: try OrderFileService(of: office).example(picture.bytes, in: reader.agency))
      }
      let item = try fields.item(below: Array(items.prefix(number ?? items.count)), before: before)
      if let number { items[number] = item } else { items.append(item) }
      return try await editor(
        type, Draft(title: draft.title, items: try OrderItems(items), version: draft.version),
        reader)
    } catch let fault as ItemForm.Fault {
      words = t(fault.wording)
    } catch let fault as ItemFault {
      words = t(fault.wording)
    } catch let refusal as OfficeRefusal {
      words = t(refusal.wording)
    }
    return try await editor(type, draft, reader, open: (fields, place), fault: words)
  }

  private func keep(_ type: String, _ draft: Draft, _ reader: Reader) async throws -> WebResponse {
    guard !draft.items.items.isEmpty else {
      return try await editor(
        type, draft, reader, fault: t("A template has at least one item. Add one first."))
    }
    do {
      let (_, isNew) = try await office.templates.take(
        draft.items, title: draft.title ?? "", forType: type, in: reader.agency,
        by: reader.visitor.account.login, basedOn: draft.version)
      return .redirect("/templates?done=\(isNew ? "template" : "templateSame")")
    } catch let refusal as OfficeRefusal
      where [.ruleForbids, .inputInvalid].contains(refusal.kind)
    {
      return try await editor(type, draft, reader, fault: t(refusal.wording))
    }
  }

  // MARK: from a file

  private func receive(_ reader: Reader) async throws -> WebResponse {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("standpoint-template-\(UUID().uuidString)").path
    defer { unlink(path) }
    var bytes: [UInt8] = []
    let limit = XLSXReader.Limits().fileBytes
    guard
      let name = try await reader.request.upload(limit: limit + 65_536, { bytes += $0 })
    else { throw OfficeRefusal(.inputInvalid, "no file was chosen") }
    try DurableFile.replace(path, with: bytes)
    let type = String(name.prefix { $0 != "." }.prefix(60))
    if XLSXReader.isWorkbook(path: path) {
      let workbook: Workbook
      do throws(TableFault) {
        workbook = try XLSXReader.workbook(path: path)
      } catch { return try await list(reader, faults: [error], file: name) }
      let form = XLSForm.read(workbook, language: nil)
      guard let items = form.items else {
        return try await list(reader, faults: form.faults, file: name)
      }
      return looked(
        type, Draft(title: form.title, items: items, version: 0), form.leftOut, reader)
    }
    do {
      let items = try ItemsJSON.items(JSONValue(parsing: bytes))
      return looked(type, Draft(title: nil, items: items, version: 0), [], reader)
    } catch let fault as ItemsJSONFault {
      return try await list(reader, faults: [TableFault(fault.wording)], file: name)
    } catch is EvidenceError {
      return try await list(
        reader, faults: [TableFault("it is neither an XLSX workbook nor JSON")], file: name)
    }
  }

  /// Returns the page of a file's template, which is not kept yet.
  private func looked(
    _ type: String, _ draft: Draft, _ leftOut: [TableFault], _ reader: Reader
  ) -> WebResponse {
    var draft = draft
    draft.title = draft.title.map { String($0.prefix(Templates.titleCharactersAtMost)) }
    let lines = leftOut.prefix(Self.faultsAtMost).map { "<li>\(t($0.wording))</li>" as HTML }
    let left: HTML? =
      leftOut.isEmpty
      ? nil
      : "<details><summary>\(t("Left out: {1}", leftOut.count))</summary><ul>\(lines)</ul></details>"
    return page(
      t("Template"), reader, current: "/tasks", styles: [Self.style.href],
      """
      <div class="heading"><h1>\(t("Template from a file"))</h1></div>
      <p>\(t("The file has {1} items. Choose the type of tasks that they are for; you can change them before they are kept.", draft.items.items.count))</p>\(left)
      <form class="filter" method="post" action="/templates/edit">\(reader.request.formField)
      <input type="hidden" name="items" value="\(draft.text)"><input type="hidden" name="title" value="\(draft.title ?? "")">
      <label>\(t("Type of tasks"))<input name="type" required maxlength="100" value="\(type)"></label>
      <button class="button primary" name="do" value="show">\(t("Go on"))</button></form>
      """)
  }
}

extension TemplateDraft {
  /// The items as the forms carry them.
  fileprivate var text: String {
    String(decoding: ItemsJSON.json(items).canonicalBytes, as: UTF8.self)
  }
}
