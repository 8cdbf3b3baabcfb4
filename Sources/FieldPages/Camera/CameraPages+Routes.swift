import FieldUnit
import Foundation
import Inspection
import TimeAndText
import Web

// The routes have two kinds of callers: forms are answered with the next page, while the page's
// script stays on its page and asks for JSON.

extension CameraPages {
  func add(to routes: inout Routes) {
    for asset in [
      CameraStyle.asset, PoseScript.asset, AimScript.asset, CameraScript.clock,
      CameraScript.feedback, CameraScript.asset,
    ] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.get("/gate") { request in
      .redirect(
        "/camera" + (request.query["task"].flatMap(Identifier.init(_:)).map { "?task=\($0)" } ?? "")
      )
    }
    routes.get("/camera") { request in try await reading(request) { try await camera($0) } }
    routes.get("/live/camera") { request in
      try await reading(request) { reader in
        let view = try await cameraView(
          reader, task: try task(reader), page: Self.pageName(request.query["page"]))
        return .events(live(of: reader.unit) { await cameraFragment(view) })
      }
    }
    routes.get("/live/light") { request in
      try await reading(request) { reader in
        .events(live(of: reader.unit) { await lightFragment() })
      }
    }
    addCapture(to: &routes)
    addAnswers(to: &routes)
  }

  /// Adds the forms of a capture: the shutter, the frame, and Close.
  private func addCapture(to routes: inout Routes) {
    routes.post("/camera/capture") { request in
      try await answering(request) { reader, form in
        let address = CameraAddress(form)
        try await server.beginCapture(
          for: address.task, aim: try Self.aim(form), page: Self.pageName(form["page"]),
          item: address.item?.description,
          repeats: try address.point.map { try aim(at: reader.unit.points.point($0), reader.unit) })
        return address.href
      }
    }
    routes.post("/camera/close") { request in
      try await answering(request) { reader, form in
        server.cameraDesk.close(page: Self.pageName(form["page"]))
        let address = CameraAddress(form)
        let photo = form["photo"].flatMap(Identifier.init(_:))
        // The script closes a page that is left; only a person's own button ends the waiting.
        if address.isMaking, !request.prefersJSON,
          let before = try PointDraft.endWaiting(with: photo, reader), photo == nil
        {
          return "/photos/\(before)/point"
        }
        return address.afterwards(photo: photo)
      }
    }
    routes.get("/camera/clock") { request in
      try await reading(request) { _ in
        .json(Array("{\"milliseconds\":\(server.cameraDesk.machine.elapsed.milliseconds)}".utf8))
      }
    }
    routes.post("/camera/frame") { request in
      try await saying(request) { _ in
        try await takeFrame(request)
        return Self.said([:])
      }
    }
  }

  /// Adds what can follow a photo that was taken: Next, Retake and Send.
  private func addAnswers(to routes: inout Routes) {
    routes.post("/camera/keep") { request in
      try await answering(request) { reader, form in
        server.cameraDesk.dismiss(try InspectorUnit.identifier(form["photo"] ?? ""))
        return try await onward(from: CameraAddress(form), reader.unit)
      }
    }
    routes.post("/camera/again") { request in
      try await answering(request) { reader, form in
        let photo = try InspectorUnit.identifier(form["photo"] ?? "")
        // The reason is sealed with the record, so it is the same in every language.
        try reader.unit.deletePhoto(photo, reason: "taken again")
        server.cameraDesk.dismiss(photo)
        return CameraAddress(form).href
      }
    }
    routes.post("/camera/send") { request in
      try await answering(request) { reader, form in
        let photo = try reader.unit.photo(try InspectorUnit.identifier(form["photo"] ?? ""))
        let task = try photo.task.map { try reader.unit.provideTask($0) }
        if task == nil { try reader.unit.sendPhotos([photo.id]) }
        server.cameraDesk.dismiss(photo.id)
        // The next page shows how far the delivery is: nobody waits for it here.
        await server.deliverForPage(patienceSeconds: 0)
        return SentPages.address(of: photo, task)
      }
    }
  }

  /// Returns the page's own name, made when the page was served; nil if the text is no such name
  /// (16 to 64 bytes).
  private static func pageName(_ text: String?) -> String? {
    text.flatMap { (16...64).contains($0.utf8.count) ? $0 : nil }
  }

  private static func aim(_ form: WebForm) throws -> CaptureRequest.Aim {
    var aim = CaptureRequest.Aim()
    guard let text = form["heading"] else { return aim }
    guard let heading = Double(text), (0...360).contains(heading) else {
      throw FieldUnitError.camera("a heading is 0 to 360 degrees")
    }
    aim.headingDegreesTrue = heading
    return aim
  }

  // MARK: the frame

  /// The page's words about the frame that it sends: angles in degrees, and the kind of its camera.
  private struct Words: Decodable {
    var alpha: Double?
    var beta: Double?
    var gamma: Double?
    var screen: Int?
    var accuracy: Double?
    var taken: String?
    var facing: String?
    var camera: String?
    var model: String?
    var time: Span?
    var trip: Trip?

    /// The times of the page between which the frame was made, ms.
    struct Span: Decodable {
      var from: Double
      var to: Double
    }

    /// The best round trip of the page to the field unit's clock, ms.
    struct Trip: Decodable {
      var asked: Double
      var told: Double
      var heard: Double
    }

    /// Returns the time of the frame; nil if the page compared no clocks.
    /// - Throws: `FieldUnitError.camera` for times that are none.
    func toldTime() throws -> ToldFrameTime? {
      guard let time, let trip else { return nil }
      guard
        let roundTrip = ClockRoundTrip(
          askedMilliseconds: trip.asked, toldMilliseconds: trip.told,
          heardMilliseconds: trip.heard),
        let told = ToldFrameTime(
          fromMilliseconds: time.from, toMilliseconds: time.to, roundTrip: roundTrip)
      else { throw FieldUnitError.camera("the page's data about the picture cannot be read") }
      return told
    }
  }

  /// Receives the page's picture for the one exposure that waits for it. Any fault of the picture
  /// ends the capture: the moment has passed, so there is no second try.
  private func takeFrame(_ request: WebRequest) async throws {
    let number = request.query["number"] ?? ""
    // A picture that no exposure waits for is refused before its bytes are read.
    guard server.cameraDesk.isExposing(number) else { throw FieldUnitError.exposureOver }
    let arrived = server.cameraDesk.machine.elapsed
    do {
      let frame = try await frame(request)
      try server.cameraDesk.hand(.success(frame), forExposure: number, arrived: arrived)
    } catch let error as FieldUnitError {
      try? server.cameraDesk.hand(.failure(error), forExposure: number)
      throw error
    } catch {
      try? server.cameraDesk.hand(
        .failure(.camera("the connection to the page broke off")), forExposure: number)
      throw error
    }
  }

  private func frame(_ request: WebRequest) async throws -> HandedFrame {
    guard request.header("content-type") == "image/jpeg" else {
      throw FieldUnitError.picture("it is not a JPEG")
    }
    let words = try Self.words(request.header("x-camera-words"))
    let limit = server.cameraDesk.limits.bytesAtMost
    let bytes: [UInt8]
    do {
      bytes = try await request.bytes(limit: limit)
    } catch WebProblem.tooLarge {
      throw FieldUnitError.picture("it is larger than \(limit >> 20) MiB")
    }
    guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
      throw FieldUnitError.picture("it is not a JPEG")
    }
    var frame = HandedFrame(
      bytes: bytes, making: words?.taken.flatMap(FrameMaking.init(rawValue:)),
      attitude: try Self.attitude(words), looksTowardsPerson: Self.looksTowardsPerson(words?.facing)
    )
    frame.told = try words?.toldTime()
    let paired = try pairedPhone(request)
    frame.lens = paired?.lens ?? .none
    frame.phone = PhotoPhone(
      session: paired?.id, browser: request.header("user-agent"), model: words?.model,
      camera: words?.camera)
    return frame
  }

  /// Returns the paired phone that a request comes from; nil for a browser of the device itself.
  /// - Throws: `FieldUnitError.unreadable` if the list of phones cannot be read.
  private func pairedPhone(_ request: WebRequest) throws -> PairedPhone? {
    guard let id = request.letInAs else { return nil }
    let book = PhoneBook(dataDirectory: server.configuration.dataDirectory)
    return try book.register().phones.first { $0.id == id }
  }

  /// Returns true if the camera looks towards the person, by the browser's `facingMode`; nil if the
  /// browser does not say, as many do of a tablet's camera.
  private static func looksTowardsPerson(_ facing: String?) -> Bool? {
    switch facing {
    case "user": true
    case "environment": false
    default: nil
    }
  }

  private static func words(_ header: String?) throws -> Words? {
    guard let header else { return nil }
    guard let words = try? JSONDecoder().decode(Words.self, from: Data(header.utf8)) else {
      throw FieldUnitError.camera("the page's data about the picture cannot be read")
    }
    return words
  }

  private static func attitude(_ words: Words?) throws -> DeviceAttitude? {
    guard let words, let beta = words.beta, let gamma = words.gamma else { return nil }
    guard
      let attitude = DeviceAttitude(
        alphaDegrees: words.alpha, betaDegrees: beta, gammaDegrees: gamma,
        screenDegrees: words.screen ?? 0, compassAccuracyDegrees: words.accuracy)
    else { throw FieldUnitError.camera("the motion sensors' values are not angles") }
    return attitude
  }
}
