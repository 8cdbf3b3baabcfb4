import Inspection
import Web

/// The subject of a camera page, as its address and its forms carry it.
struct CameraAddress: Hashable, Sendable {
  /// The task that photos are taken for; nil for photos without a task.
  var task: Identifier?
  /// The item of the task's order that photos are taken for; nil for none.
  var item: ItemName?
  /// The photo point that is to be photographed again; nil for none.
  var point: Identifier?
  /// The photo whose photo point gets the next photo as that of the ground; nil for none.
  var footing: Identifier?
  /// True if the next photo becomes a photo point.
  var isMaking = false

  /// Creates the address of a page.
  /// - Parameter isMaking: true if its photo becomes a photo point.
  init(
    task: Identifier?, item: ItemName? = nil, point: Identifier? = nil, footing: Identifier? = nil,
    isMaking: Bool = false
  ) {
    self.item = item
    (self.task, self.point, self.footing, self.isMaking) = (task, point, footing, isMaking)
  }

  /// Creates the address at which a photo point's picture is taken.
  /// - Parameter task: the task that the photo is taken for; nil for none.
  init(makingFor task: Identifier?) {
    self.task = task
    isMaking = true
  }

  /// Creates the address at which the ground is photographed.
  /// - Parameters:
  ///   - footing: the photo whose photo point gets the photo of the ground.
  ///   - task: the task that the photo is taken for; nil for none.
  init(footing: Identifier, task: Identifier?) {
    (self.footing, self.task) = (footing, task)
  }

  /// Creates the address from the fields of a form; a field that is no identifier counts as absent.
  init(_ form: WebForm) {
    task = form["task"].flatMap(Identifier.init(_:))
    item = form["item"].flatMap(ItemName.init(_:))
    point = form["point"].flatMap(Identifier.init(_:))
    footing = form["footing"].flatMap(Identifier.init(_:))
    isMaking = form["making"] == Self.yes
  }

  private static let yes = "yes"

  /// Returns true if the query asks for a photo that becomes a photo point.
  static func isMaking(_ query: [String: String]) -> Bool { query["making"] == yes }

  /// The fields with their values.
  var fields: [(String, String)] {
    let things = [("task", task), ("point", point), ("footing", footing)].compactMap { name, id in
      id.map { (name, $0.description) }
    }
    return things + (item.map { [("item", $0.description)] } ?? [])
      + (isMaking ? [("making", Self.yes)] : [])
  }

  /// The query; nil if it has no field.
  var query: String? {
    fields.isEmpty ? nil : fields.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// The address of the camera page.
  var href: String { "/camera" + (query.map { "?\($0)" } ?? "") }

  /// Returns the address of the page that follows when the camera is closed.
  /// - Parameter photo: the photo that was just taken; nil if none was.
  func afterwards(photo: Identifier?) -> String {
    if let footing { return "/photos/\(footing)/point" + (photo.map { "?footing=\($0)" } ?? "") }
    if isMaking {
      return photo.map { CameraAddress(footing: $0, task: task).href }
        ?? task.map { "/tasks/\($0)" } ?? "/nearby"
    }
    if let task { return "/tasks/\(task)" + (item == nil ? "" : "#items") }
    return point.map { "/points/\($0)" } ?? "/photos"
  }
}
