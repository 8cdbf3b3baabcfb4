import Evidence
import Exports
import FieldUnit
import Foundation
import Geodesy
import Imagery
import Imports
import Inspection
import Office
import Positioning
import Receivers
import Store
import Sync
import TimeAndText

/// The story itself, from the office's order to its decision and to the strangers who check it.
package struct DemoStory {
  let office: DemoOffice
  let unit: InspectorUnit
  let link: any OrderFileLink
  let follower: ReceiverFollower
  let stage: DemoStage
  let plan: DemoPlan
  let output: URL
  let seed: UInt64
  /// The summary so far.
  package internal(set) var summary: DemoSummary

  /// Creates the story before its first step.
  /// - Parameters:
  ///   - unit: the unit of the inspector, who is signed in.
  ///   - output: the folder in which the tasks are, and into which the exports go.
  package init(
    office: DemoOffice, unit: InspectorUnit, link: any OrderFileLink, follower: ReceiverFollower,
    stage: DemoStage, plan: DemoPlan, output: URL, seed: UInt64, summary: DemoSummary
  ) {
    (self.office, self.unit, self.link, self.follower) = (office, unit, link, follower)
    (self.stage, self.plan, self.output, self.seed) = (stage, plan, output, seed)
    self.summary = summary
  }

  /// Tells the story, step by step.
  /// - Throws: `DemoError.stepFailed` at the first step that does not go as it must.
  package mutating func tell() async throws {
    let tasks = try await takeTasks()
    try showItems(of: tasks[0])
    try await bringFiles(of: tasks[0])
    // The scenes are told in the order in which the log has them.
    enum Scene: String { case refusal, taskPhoto, standalonePhoto, track }
    let scenes: [(Scene, DemoPlan.Stretch?)] = [
      (.refusal, plan.refusal), (.taskPhoto, plan.taskPhoto),
      (.standalonePhoto, plan.standalonePhoto), (.track, plan.track),
    ]
    let order = scenes.enumerated().sorted {
      ($0.element.1?.lowerBound ?? .infinity, $0.offset)
        < ($1.element.1?.lowerBound ?? .infinity, $1.offset)
    }.map(\.element)
    for (scene, stretch) in order {
      switch (scene, stretch) {
      case (.refusal, let stretch?): try await refuse(tasks[0], stretch)
      case (.taskPhoto, let stretch?):
        try await capture(for: tasks[0], stretch)
        try answer(tasks[0])
      case (.standalonePhoto, let stretch?): try await capture(for: nil, stretch)
      case (.track, let stretch?): try await record(tasks[1], stretch)
      case (.refusal, nil): summary.skip("capture while walking")
      case (.taskPhoto, nil): summary.skip("photo for a task")
      case (.standalonePhoto, nil): summary.skip("standalone photo")
      case (.track, nil): summary.skip("track")
      }
    }
    guard try !unit.photos(.task(tasks[0].id)).isEmpty else {
      for step in ["answers", "send", "delivery", "return", "decision", "PDF and bundle"] {
        summary.skip(step)
      }
      try exportKML()
      try verifyData()
      return
    }
    try await sendWithoutOffice(tasks[0])
    try await deliver()
    try await returnAndRepeat(tasks[0])
    try await decide(tasks[0])
    try exportKML()
    try await exportAndVerify(tasks[0])
    try verifyData()
  }

  // MARK: steps

  /// Orders tasks as the office, and fetches them as the inspector.
  private mutating func takeTasks() async throws -> [InspectionTask] {
    let file = output.appendingPathComponent("tasks.geojson")
    let inspector = try office.account(.inspector)
    let orders = try TaskFile.orders(fromGeoJSON: try Data(contentsOf: file)).map { order in
      var order = order
      order.inspector = inspector.login
      return order
    }
    try await makeTemplate()
    let ordered = try await office.server.orders.addTasks(orders, in: DemoOffice.agency, by: "otto")
    if let first = ordered.first { try await attachPicture(to: first) }
    summary.add(
      "office",
      "Office: inspector \(inspector.login), officer otto, \(ordered.count) tasks with parcels ordered",
      [("inspector", .string(inspector.login)), ("tasks", .integer(ordered.count))])
    let outcome = try await unit.delivery.fetchTasks(over: link)
    // The task with items comes first; an order that was changed comes later from the office.
    let fetched = try unit.tasks()
    let tasks =
      fetched.filter { $0.type == DemoItems.type } + fetched.filter { $0.type != DemoItems.type }
    summary.add(
      "signed-in",
      "\(inspector.login) signed in once, the device's key was certified; \(outcome.newTasks) tasks"
        + " fetched: \(Set(tasks.map(\.state.fileTitle)).sorted().joined(separator: ", "))",
      [("newTasks", .integer(outcome.newTasks))])
    for task in tasks {
      let opened = try unit.openTask(task.id)
      let area = DecimalText.fixed(task.parcel?.areaSquareMetres ?? 0, places: 0)
      summary.add(
        "task",
        "Task \"\(task.name)\": \(task.state.fileTitle) → \(opened.state.fileTitle), parcel \(area) m²",
        [
          ("name", .string(task.name)), ("from", .string(task.state.rawValue)),
          ("to", .string(opened.state.rawValue)),
          ("parcelSquareMetres", .rounded(task.parcel?.areaSquareMetres ?? 0, 1)),
        ])
    }
    return tasks
  }

  private mutating func refuse(_ task: InspectionTask, _ stretch: DemoPlan.Stretch) async throws {
    try await stage.play(until: stretch.lowerBound)
    do {
      _ = try await take(
        task.id, waitSeconds: 5, until: stretch.lowerBound + 8, label: "never taken")
      throw DemoError.stepFailed("a photo was taken while walking")
    } catch FieldUnitError.captureRefused(let reasons) {
      let words = reasons.map(\.text).joined(separator: "; ")
      summary.add(
        "refused", "Capture while walking refused: \(words)",
        [("reasons", .array(reasons.map { .string($0.text) }))])
    }
  }

  mutating func capture(
    for task: InspectionTask?, _ stretch: DemoPlan.Stretch, again: Bool = false
  ) async throws {
    try await stage.play(until: stretch.lowerBound - 3)
    let name =
      again ? "another photo for the task" : task == nil ? "standalone photo" : "photo for a task"
    do {
      let photo = try await take(
        task?.id, waitSeconds: stretch.upperBound - stretch.lowerBound + 10,
        until: stretch.upperBound, label: task?.name ?? "standalone", again: again)
      var words = "Standing still: \(photo.standpoint?.samples ?? 0) samples (about "
      words += DecimalText.fixed(photo.standpoint?.effectiveSamples ?? 0, places: 0)
      words += " independent), countdown, \(name) captured at \(photo.gnssTime.timeOfDay)"
      let place = photo.position.coordinate
      words += ", \(DecimalText.fixed(place.latitudeDegrees, places: 7))°"
      words += " \(DecimalText.fixed(place.longitudeDegrees, places: 7))°"
      if let radius = photo.position.uncertaintyMetres95 {
        words += " ± \(DecimalText.fixed(radius, places: 1)) m (95 %)"
      }
      let distance = task?.parcel?.distanceMetres(to: place)
      if let distance {
        words +=
          distance == 0
          ? ", inside the parcel" : ", \(DecimalText.fixed(distance, places: 1)) m from the parcel"
      }
      summary.add(
        "captured", words,
        [
          ("what", .string(name)), ("photo", .string(photo.id.description)),
          ("timeOfDay", .string(photo.gnssTime.timeOfDay)),
          ("lat", .rounded(place.latitudeDegrees, 9)),
          ("lon", .rounded(place.longitudeDegrees, 9)),
          ("uncertaintyMetres95", photo.position.uncertaintyMetres95.map { .rounded($0, 3) }),
          ("samples", (photo.standpoint?.samples).map { .integer($0) }),
          ("effectiveSamples", (photo.standpoint?.effectiveSamples).map { .rounded($0, 2) }),
          ("distanceToParcelMetres", distance.map { .rounded($0, 2) }),
        ])
    } catch FieldUnitError.captureRefused(let reasons) {
      throw DemoError.stepFailed(
        "no \(name) although the log stands still: \(reasons.map(\.text).joined(separator: "; "))")
    }
  }

  /// Captures a photo with a drawn picture.
  /// - Parameter limit: the second of the log at which everything that the photo needs has been
  ///   heard. A busy machine may take long to seal the photo, and the next scene must not be over
  ///   by then.
  private func take(
    _ task: Identifier?, waitSeconds: Double, until limit: Double, label: String,
    again: Bool = false
  ) async throws -> Photo {
    let seed = seed &+ (again ? 2 : task == nil ? 1 : 0)
    var request = CaptureRequest(
      task: task,
      camera: .drawn {
        try DemonstrationPicture.jpeg(
          widthPixels: 1280, heightPixels: 960, seed: seed, captionLines: [label])
      },
      waitSeconds: waitSeconds,
      aim: CaptureRequest.Aim(headingDegreesTrue: task == nil ? 75 : 20, pitchDegrees: -5))
    if task != nil { request.item = DemoItems.photo }
    let unit = unit
    let follower = follower
    return try await stage.play(limit: limit) { [request] in
      try await unit.capture(request, with: follower)
    }
  }

  private mutating func record(_ task: InspectionTask, _ stretch: DemoPlan.Stretch) async throws {
    try await stage.play(until: stretch.lowerBound - 1)
    let unit = unit
    let follower = follower
    let seconds = stretch.upperBound - stretch.lowerBound
    let track = try await stage.play(limit: stretch.upperBound + 3) {
      try await unit.recordTrack(
        name: "Round the parcel", task: task.id, with: follower, seconds: seconds)
    }
    guard let track else {
      summary.skip("track")
      return
    }
    let measures = track.measures
    var words = "Track \"\(track.name)\": \(measures.points) points,"
    words += " \(DecimalText.fixed(measures.lengthMetres, places: 0)) m"
    if let area = measures.areaSquareMetres {
      words += ", closed \(DecimalText.fixed(area, places: 0)) m²"
      if let error = measures.areaUncertaintySquareMetres95 {
        words += " ± \(DecimalText.fixed(error, places: 0)) m²"
      }
    }
    summary.add(
      "track", words,
      [
        ("track", .string(track.id.description)), ("points", .integer(measures.points)),
        ("lengthMetres", .rounded(measures.lengthMetres, 2)),
        ("areaSquareMetres", measures.areaSquareMetres.map { .rounded($0, 2) }),
        (
          "areaUncertaintySquareMetres95",
          measures.areaUncertaintySquareMetres95.map { .rounded($0, 2) }
        ),
      ])
  }
}
