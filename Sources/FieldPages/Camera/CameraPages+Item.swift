import FieldUnit
import Inspection
import ItemViewing
import Web

// The camera for one item of a task's order: its words, its station, and the item that follows.

extension CameraView {
  /// True if the item names a point where the inspector has to stand.
  var hasStation: Bool { item?.shot?.stationMiddle != nil }
}

extension CameraPages {
  /// Puts the item that an address names into the view. An item that the order no longer has is left
  /// out: the photo is then one of the task alone.
  func take(
    item name: String?, of task: InspectionTask, _ view: inout CameraView, _ reader: Reader
  ) throws {
    guard let name = name.flatMap(ItemName.init(_:)),
      let item = try reader.unit.taskItems(of: task.id)?.order.items[name], item.takesPhotos
    else { return }
    view.item = item
    if let region = item.shot?.region { view.region = region }
    view.example = item.shot?.example.flatMap {
      TaskFiles.examples(of: task.id, [$0], on: reader.unit).address($0)
    }
  }

  /// Returns the item's example picture over the live one: small, and large after a tap; nil without one.
  func exampleOnPicture(_ view: CameraView) -> HTML? {
    view.example.map { address in
      """
      <button type="button" class="camera-example" popovertarget="example-picture"><img src="\(address)" alt="\(t("Example picture"))"></button>
      <div popover id="example-picture" class="camera-ground"><img src="\(address)" alt="\(t("Example picture"))">
      <p class="actions"><button type="button" class="button" popovertarget="example-picture" popovertargetaction="hide">\(t("Close"))</button></p></div>
      """
    }
  }

  /// Returns the item's words and wishes; nil without an item.
  func itemPanel(_ view: CameraView) -> HTML? {
    view.item.map { item in
      "<section class=\"card\" aria-label=\"\(t("What is asked for"))\">\(ItemParts(t: t).words(of: item))</section>"
    }
  }

  /// Returns the way to the station in words that lie on the picture.
  func stationWords(_ way: CameraState.Direction) -> CameraState.Way {
    guard let words = way.parcelWay.text, let distance = way.parcelWay.distanceText else {
      return CameraState.Way(words: t("You are at the station."))
    }
    return CameraState.Way(
      words: t("{1} to the station", words), pointed: t("{1} that way", distance))
  }

  /// Returns the address that follows a photo that is kept: the camera for the same item while it
  /// asks for more, else for the next shot, or the list of items if none is left.
  func onward(from address: CameraAddress, _ unit: InspectorUnit) async throws -> String {
    guard let task = address.task, let item = address.item,
      let items = try unit.taskItems(of: task)
    else { return address.href }
    let shots = items.order.items.shotsToTake(items.standing, from: await freshPlace())
    guard let next = shots.first(where: { $0.name == item }) ?? shots.first else {
      return "/tasks/\(task)#items"
    }
    return CameraAddress(task: task, item: next.name).href
  }

  /// Returns the button that goes on behind a photo: on this page while the item asks for more, else
  /// to the next one.
  func next(_ view: CameraView, _ form: (HTML, String, String) -> HTML) -> HTML {
    guard let item = view.item, let task = view.task,
      let unit = readable("the inspector", { try server.unit() }) ?? nil,
      let items = readable("items", { try unit.taskItems(of: task.id) }) ?? nil
    else { return form(" data-camera-answer", t("Next"), "") }
    let isOpen = items.standing.states.contains { $0.name == item.name && $0.state == .open }
    if isOpen { return form(" data-camera-answer", t("Next"), "primary") }
    let isLast = items.order.items.shotsToTake(items.standing, from: nil).isEmpty
    return form(" data-camera-onward", isLast ? t("Back to the list") : t("Next shot"), "primary")
  }
}
