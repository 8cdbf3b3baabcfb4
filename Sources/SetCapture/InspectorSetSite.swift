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

  /// Creates the site of an inspector for one reader.
  package init(unit: InspectorUnit, t: Texts) { (self.unit, self.t) = (unit, t) }

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

  package func taskName(of set: FrameSet) async throws -> String? {
    try set.task.map { try unit.task($0).name }
  }
}
