import Evidence
import FieldUnit
import Inspection
import SetViewing
import Store
import TimeAndText
import Web

/// The inspector's sets on this device.
package struct InspectorSetSite: SetSite {
  private let unit: InspectorUnit
  private let t: Texts
  /// The hidden field that each form of the reader's browser holds.
  private let formField: HTML

  /// Creates the site of an inspector for one reader.
  package init(unit: InspectorUnit, t: Texts, formField: HTML) {
    (self.unit, self.t, self.formField) = (unit, t, formField)
  }

  package var newAddress: String? { "/sets/new" }

  package func all() async throws -> [(head: FrameSetHead, words: String)] {
    try unit.sets().reversed().map { head in
      (head, head.delivered != nil ? t("delivered") : head.sent != nil ? t("sent") : t("not sent"))
    }
  }

  package func frameSet(_ id: String) async throws -> (set: FrameSet, record: String) {
    let id = try InspectorUnit.identifier(id)
    return (try unit.frameSet(id), try unit.recordDigest(ofSet: id))
  }

  package func frame(_ number: Int, of set: FrameSet) async throws -> [UInt8] {
    let head = try unit.setHead(set.id)
    guard set.frames.indices.contains(number - 1) else {
      throw StoreError.unknown(what: "picture", id: "\(number)")
    }
    return try DurableFile.read(unit.path(ofFrame: number, of: head))
  }

  package func content(
    ofFrame number: Int, of set: FrameSet
  ) async throws -> Evidence.Bundle.Entry.Content {
    let path = unit.path(ofFrame: number, of: try unit.setHead(set.id))
    guard Digest.hexadecimal(file: path) == set.frames[number - 1].digest else {
      throw FieldUnitError.unreadable(
        path: path, reason: "its bytes are not those that were sealed")
    }
    return .file(path: path)
  }

  package func paper() async throws -> SetPaper {
    SetPaper(of: unit)
  }

  package func impossible(_ reason: Wording) -> any Error {
    FieldUnitError.exportImpossible(reason)
  }

  package func taskName(of set: FrameSet) async throws -> String? {
    try set.task.map { try unit.task($0).name }
  }

  package func actions(of set: FrameSet) async throws -> HTML? {
    guard set.sent == nil else {
      return "<p class=\"hint\">\(t("You sent it: you can no longer change or delete it."))</p>"
    }
    if let task = set.task, !(try unit.task(task).state.isEditable) { return nil }
    let address = SetParts.path + "/\(set.id)"
    let send: HTML? =
      set.task == nil
      ? """
      <form method="post" action="\(address)/send">\(formField)<button class="button primary">\(t("Send"))</button></form>
      """ : nil
    return """
      <section class="card">\(send)<form class="fields" method="post" action="\(address)/delete">\(formField)
      <label>\(t("Reason"))<input name="reason" maxlength="200"></label>
      <p class="actions"><button class="button danger" data-confirm="\(t("Delete all pictures of this set? Its record stays, and says that they were deleted and why."))">\(t("Delete"))</button></p></form></section>
      """
  }
}

extension SetPaper {
  /// Creates the words of a device, which knows its agency's name for programs only.
  init(of unit: InspectorUnit) {
    self.init(
      agencyTitle: unit.person.agency, isDemonstration: unit.configuration.isDemonstration,
      made: unit.clock.deviceTime, software: unit.configuration.software)
  }
}
