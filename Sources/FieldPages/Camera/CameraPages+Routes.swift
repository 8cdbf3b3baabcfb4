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
      CameraScript.feedback, CameraScript.sender, CameraScript.asset,
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
    addFrames(to: &routes)
    addAnswers(to: &routes)
  }

  /// Adds the forms of a capture: the shutter, and Close.
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

  /// Adds the ways of a picture: whole, or first its word and then its bytes, which a lost connection
  /// does not lose.
  private func addFrames(to routes: inout Routes) {
    routes.get("/camera/clock") { request in
      try await reading(request) { _ in
        .json(Array("{\"milliseconds\":\(server.cameraDesk.machine.elapsed.milliseconds)}".utf8))
      }
    }
    routes.post("/camera/frame") { request in
      try await saying(request) { _ in
        try await exposing(request) { number, _ in
          var frame = try frame(request)
          frame.bytes = try await picture(request)
          // Its head proves nothing: only with the last byte it cannot be another picture.
          try server.cameraDesk.hand(.success(frame), forExposure: number)
        }
        return Self.said([:])
      }
    }
    routes.post("/camera/frame/made") { request in
      try await saying(request) { _ in
        try await exposing(request) { number, arrived in
          let words = try FrameWords(header: request.header("x-camera-words"))
          try server.cameraDesk.announce(
            try frame(request), try words.pieces(limit: server.cameraDesk.limits.bytesAtMost),
            forExposure: number, arrived: arrived)
        }
        return Self.have(0)
      }
    }
    routes.post("/camera/frame/bytes") { request in
      try await saying(request) { _ in
        // A hostile number must not overflow below; beyond the frame it is a gap all the same.
        let limit = server.cameraDesk.limits.bytesAtMost
        var have = min(max(Int(request.query["at"] ?? "") ?? 0, 0), limit)
        try await exposing(request) { number, _ in
          // Bytes that are here stay, even if the connection breaks behind them.
          try await request.stream(limit: limit) { piece in
            let at = have
            have = try server.cameraDesk.take(piece, at: at, forExposure: number)
            // Behind a gap nothing of this request counts.
            if have < at + piece.count { throw FieldUnitError.exposureOver }
          }
        }
        return Self.have(have)
      }
    }
    routes.get("/camera/frame/bytes") { request in
      try await saying(request) { _ in
        guard let have = server.cameraDesk.received(forExposure: request.query["number"] ?? "")
        else { throw FieldUnitError.exposureOver }
        return Self.have(have)
      }
    }
  }

  private static func have(_ bytes: Int) -> WebResponse { .json(Array("{\"have\":\(bytes)}".utf8)) }

  /// Works on the picture of the one exposure that waits for it. Any fault of the picture ends the
  /// capture: the moment has passed, so there is no second try. A connection that breaks is no fault.
  private func exposing(
    _ request: WebRequest, _ body: (_ number: String, _ arrived: ElapsedTime) async throws -> Void
  ) async throws {
    let number = request.query["number"] ?? ""
    // A picture that no exposure waits for is refused before its bytes are read.
    guard server.cameraDesk.isExposing(number) else { throw FieldUnitError.exposureOver }
    do {
      try await body(number, server.cameraDesk.machine.elapsed)
    } catch FieldUnitError.exposureOver {
      throw FieldUnitError.exposureOver
    } catch let error as FieldUnitError {
      try? server.cameraDesk.hand(.failure(error), forExposure: number)
      throw error
    }
  }

  private func picture(_ request: WebRequest) async throws -> [UInt8] {
    guard request.header("content-type") == "image/jpeg" else {
      throw FieldUnitError.picture("it is not a JPEG")
    }
    let limit = server.cameraDesk.limits.bytesAtMost
    let bytes: [UInt8]
    do {
      bytes = try await request.bytes(limit: limit)
    } catch WebProblem.tooLarge {
      throw FieldUnitError.picture("it is larger than \(limit >> 20) MiB")
    } catch {
      throw FieldUnitError.camera("the connection to the page broke off")
    }
    guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else {
      throw FieldUnitError.picture("it is not a JPEG")
    }
    return bytes
  }

  /// Returns the frame of a request without its bytes.
  /// - Throws: `FieldUnitError.camera` for words that cannot be; `unreadable` if the list of phones cannot
  ///   be read.
  private func frame(_ request: WebRequest) throws -> HandedFrame {
    let book = PhoneBook(dataDirectory: server.configuration.dataDirectory)
    let phone = try request.letInAs.map { id in
      guard let phone = try book.register().phones.first(where: { $0.id == id }) else {
        throw FieldUnitError.camera("this phone was ended meanwhile")
      }
      return phone
    }
    return try FrameWords(header: request.header("x-camera-words")).frame(
      browser: request.header("user-agent"), of: phone)
  }
}
