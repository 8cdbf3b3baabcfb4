import Foundation
import Guide
import Inspection
import ItemViewing
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

/// The page on which an officer attaches files to an order, and the addresses of the files.
package struct AttachmentPages: OfficePage {
  package let office: OfficeServer
  package let help = GuidePart.attachments

  private var service: OrderFileService { OrderFileService(of: office) }

  /// Creates the pages of an office.
  package init(office: OfficeServer) { self.office = office }

  /// The address of the example pictures on the page of a template.
  package static let pictures = "/templates/pictures"

  package func add(to routes: inout Routes) {
    routes.get("/tasks/{id}/attachments") { request in
      try await reading(request) { reader in
        try requireRole(.officer, reader)
        return try await show(reader, try identifier(request))
      }
    }
    routes.post("/tasks/{id}/attachments") { request in
      try await reading(request) { reader in
        try requireRole(.officer, reader)
        return try await change(reader, try identifier(request))
      }
    }
    routes.get("/tasks/{id}/files/{digest}") { request in
      try await reading(request, own: true) { reader in
        let digest = request.parameters["digest"] ?? ""
        let file = try await service.attachment(
          digest, ofTask: try identifier(request), of: reader.own, in: reader.agency)
        return try answer(digest, file, reader)
      }
    }
    routes.get("/templates/pictures/{digest}") { request in
      try await reading(request) { reader in
        return try answer(request.parameters["digest"] ?? "", nil, reader)
      }
    }
  }

  /// Answers with a file; nil for an example picture, which has no name.
  private func answer(
    _ digest: String, _ file: AttachedFile?, _ reader: Reader
  ) throws -> WebResponse {
    let kind = file?.kind ?? .jpeg
    if let path = try service.path(of: digest, in: reader.agency) {
      return .file(
        path: path, mediaType: kind.mediaType, fileName: file?.name, isAttachment: false,
        eTag: digest)
    }
    return .bytes(
      try service.bytes(of: digest, in: reader.agency), mediaType: kind.mediaType,
      fileName: file?.name, isAttachment: false)
  }

  private func show(
    _ reader: Reader, _ id: Identifier, refusal: OfficeRefusal? = nil
  ) async throws -> WebResponse {
    let task = try await office.review.view(of: id, in: reader.agency).task
    let earlier = try await service.earlier(ofTask: task, in: reader.agency)
    let form: HTML =
      task.state.isEditable
      ? add(to: task, reader)
      : "<p class=\"notice notice-note\">\(t("The order can no longer be changed."))</p>"
    return page(
      t("Attachments"), reader, current: "/tasks",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [],
      status: refusal?.kind.status ?? 200,
      """
      <nav class="way" aria-label="\(t("Tasks"))"><a class="button quiet" href="/tasks/\(id.description)" data-key="u">\(t("Back to the task"))</a></nav>
      <section class="card"><h1>\(t("Attachments"))</h1>
      <p>\(t("Files for the inspector of {1}. They come to the device with the task, and need no network there.", task.name))</p>
      \(list(task, reader))\(removed(earlier, task))</section>\(form)
      """)
  }

  private func list(_ task: InspectionTask, _ reader: Reader) -> HTML {
    let files = task.attachments
    guard !files.list.isEmpty else { return "<p class=\"muted\">\(t("None yet."))</p>" }
    let parts = FileParts(t: t)
    let rows = files.list.map { file -> HTML in
      let remove: HTML? =
        task.state.isEditable
        ? """
        <form method="post" action="/tasks/\(task.id.description)/attachments">\(reader.request.formField)\(seen(task))
        <input type="hidden" name="digest" value="\(file.digest)">
        <button class="button quiet" name="do" value="remove" aria-label="\(t("Remove {1}", file.name))">\(t("Remove"))</button></form>
        """ : nil
      return
        "<li class=\"place-row\">\(parts.link(file, ofTask: task.id, .here)) \(remove)</li>"
    }
    return """
      <ul>\(rows)</ul><p class="hint">\(t("{1} of {2} MB used.", t.decimal(Double(files.bytes) / 1_000_000, places: 1), Attachments.megabytesAtMost))</p>
      """
  }

  /// Returns the files of earlier orders; nil if there are none.
  private func removed(_ files: [AttachedFile], _ task: InspectionTask) -> HTML? {
    guard !files.isEmpty else { return nil }
    let rows = files.map {
      "<li>\(FileParts(t: t).link($0, ofTask: task.id, .here))</li>" as HTML
    }
    return
      "<details><summary>\(t("Attached to an earlier order"))</summary><ul>\(rows)</ul></details>"
  }

  private func seen(_ task: InspectionTask) -> HTML {
    "<input type=\"hidden\" name=\"revision\" value=\"\(String(task.revision))\">"
  }

  private func add(to task: InspectionTask, _ reader: Reader) -> HTML {
    """
    <section class="card"><h2>\(t("Attach a file"))</h2>
    <form class="fields" method="post" action="/tasks/\(task.id.description)/attachments" enctype="multipart/form-data">\(reader.request.formField)\(seen(task))
    <label>\(t("PDF or JPEG picture"))<input type="file" name="file" required accept="application/pdf,image/jpeg,.pdf,.jpg,.jpeg"></label>
    <p class="hint">\(t("{1} files and {2} MB together at most.", Attachments.filesAtMost, Attachments.megabytesAtMost))</p>
    <p class="actions"><button class="button primary">\(t("Attach"))</button></p></form></section>
    """
  }

  // MARK: changes

  private func change(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    do {
      // A file of 20 MB is not kept for an order that cannot have it.
      let task = try await office.review.view(of: id, in: reader.agency).task
      guard task.state.isEditable else {
        throw OfficeRefusal(
          .ruleForbids,
          "the task is \(word: task.state.title): its order can no longer be changed")
      }
      let (revision, change) = try await change(reader)
      try await office.orders.changeOrder(
        of: id, in: reader.agency, by: reader.visitor.account.login,
        isSeen: { task, _ in revision == String(task.revision) }
      ) { task in
        do throws(AttachmentFault) {
          task.attachments = try change(task.attachments)
        } catch {
          throw Self.refusal(error)
        }
      }
      return .redirect("/tasks/\(id)/attachments")
    } catch let fault as AttachmentFault {
      return try await show(reader, id, refusal: Self.refusal(fault))
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind != .unknown else { throw error }
      return try await show(reader, id, refusal: refusal)
    }
  }

  /// Reads the change that a form asks for, and keeps the file that it brings.
  private func change(
    _ reader: Reader
  ) async throws -> (
    revision: String?, change: (Attachments) throws(AttachmentFault) -> Attachments
  ) {
    guard reader.request.isUpload else {
      let form = try await reader.request.form()
      guard form["do"] == "remove", let digest = form["digest"] else {
        throw OfficeRefusal(.inputInvalid, "the form is not complete: open the page again")
      }
      return (
        form["revision"], { (files) throws(AttachmentFault) in files.without(digest: digest) }
      )
    }
    let (form, file) = try await reader.request.formWithFile(
      fieldBytes: 4096, fileBytes: Attachments.bytesAtMost)
    guard let file else { throw OfficeRefusal(.inputInvalid, "no file was chosen") }
    guard let bytes = file.bytes else { throw AttachmentFault.tooLarge(file.name) }
    let kept = try service.attachment(named: file.name, bytes, in: reader.agency)
    return (form["revision"], { (files) throws(AttachmentFault) in try files.adding(kept) })
  }

  private static func refusal(_ fault: AttachmentFault) -> OfficeRefusal {
    let isTooLarge = if case .tooLarge = fault { true } else { false }
    return OfficeRefusal(isTooLarge ? .fileTooLarge : .inputInvalid, fault.wording)
  }
}
