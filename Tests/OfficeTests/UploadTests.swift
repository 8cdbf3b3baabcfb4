import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import NIOCore
import OfficeScenes
import Store
import TestSupport
import Testing

@testable import FieldUnit
@testable import Office
@testable import OfficePages

/// Uploads by tus 1.0, as the field unit and other clients send them.
@Suite("Uploads by tus", .timeLimit(.minutes(5)))
struct UploadTests {
  private static let chunkType = ("Content-Type", "application/offset+octet-stream")
  private static let version = ("Tus-Resumable", "1.0.0")

  /// Runs `body` with an office on a port, where a device is signed in, and with a file to upload.
  private func withUploads(
    _ body:
      @escaping @Sendable (OfficeScene, OfficeSite, _ token: String, ReceivedFile, [UInt8])
      async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let token = try #require(try unit.store.signedIn()?.token)
      let bytes = (0..<250_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) }
      let key = try #require(try await scene.office.sessions.visitor(withToken: token).key)
      let file = ReceivedFile(key: key, digest: Digest.hexadecimal(bytes))
      var configuration = scene.office.configuration
      configuration.maximumFileBytes = 4_000_000
      configuration.maximumOpenUploads = 3
      let office = try await OfficeServer.make(configuration: configuration, clock: scene.clock)
      try await withSite(office) { try await body(scene, $0, token, file, bytes) }
    }
  }

  private func creation(_ file: ReceivedFile, _ length: Int) -> [(String, String)] {
    let name = Data(file.digest.utf8).base64EncodedString()
    return [
      Self.version, ("Upload-Length", "\(length)"),
      ("Upload-Metadata", "filename eA==,digest \(name)"),
    ]
  }

  @Test("a file is begun, sent in chunks, asked for, and whole; each answer says how much is here")
  func chunks() async throws {
    try await withUploads { scene, site, token, file, bytes in
      let bearer = ("Authorization", "Bearer \(token)")
      let path = "/api/v1/uploads/\(file.digest)"
      let options = try await site.send("OPTIONS", "/api/v1/uploads")
      #expect(options.status == 204 && options.header("Tus-Version") == "1.0.0")
      #expect(options.header("Tus-Extension")?.contains("checksum") == true)
      #expect(options.header("Tus-Max-Size") == "4000000")
      #expect(try await site.send("HEAD", path, [bearer, Self.version]).status == 404)
      let begun = try await site.send(
        "POST", "/api/v1/uploads", [bearer] + creation(file, bytes.count))
      #expect(begun.status == 201 && begun.header("Location") == path)
      #expect(begun.header("Upload-Offset") == "0")
      #expect(begun.header("Upload-Expires")?.hasSuffix("2026 09:30:00 GMT") == true)
      func patch(
        _ offset: Int, _ part: ArraySlice<UInt8>, _ more: [(String, String)] = []
      ) async throws -> Answer {
        try await site.send(
          "PATCH", path,
          [bearer, Self.version, Self.chunkType, ("Upload-Offset", "\(offset)")] + more,
          body: .bytes(ByteBuffer(bytes: part)))
      }
      func sum(_ part: ArraySlice<UInt8>) -> [(String, String)] {
        [("Upload-Checksum", "sha256 \(Digest.base64(part))")]
      }
      let first = try await patch(0, bytes[..<100_000], sum(bytes[..<100_000]))
      #expect(first.status == 204 && first.header("Upload-Offset") == "100000")
      // The chunk was changed on its way: the office keeps nothing of it.
      let changed = try await patch(100_000, bytes[100_000..<200_000], sum(bytes[..<100_000]))
      #expect(changed.status == 460 && changed.code == "upload-checksum")
      let elsewhere = try await patch(150_000, bytes[150_000..<200_000])
      #expect(elsewhere.status == 409 && elsewhere.code == "upload-offset")
      let odd = try await patch(100_000, bytes[100_000...], [("Upload-Checksum", "crc32 AAAA")])
      #expect(odd.status == 400 && odd.code == "input-invalid")
      let asked = try await site.send("HEAD", path, [bearer, Self.version])
      #expect(asked.status == 200 && asked.header("Upload-Offset") == "100000")
      #expect(asked.header("Upload-Length") == "250000")
      #expect(asked.header("Cache-Control") == "no-store")
      #expect(asked.header("Tus-Resumable") == "1.0.0")
      // Another request receives the file meanwhile.
      let held = try scene.office.photos.resume(file, length: bytes.count)
      let busy = try await patch(100_000, bytes[100_000...])
      #expect(busy.status == 423 && busy.code == "upload-busy")
      held.close()
      let last = try await patch(100_000, bytes[100_000...], sum(bytes[100_000...]))
      #expect(last.status == 204 && last.header("Upload-Offset") == "250000")
      #expect(try scene.office.photos.received(file) == bytes)
      // The upload begins again, and the file is all here.
      let again = try await site.send(
        "POST", "/api/v1/uploads", [bearer, Self.chunkType] + creation(file, bytes.count),
        body: .bytes(ByteBuffer(bytes: bytes)))
      #expect(again.status == 201 && again.header("Upload-Offset") == "250000")
      #expect(try await site.send("DELETE", path, [bearer, Self.version]).status == 204)
      #expect(try await site.send("HEAD", path, [bearer, Self.version]).status == 404)
      #expect(try !scene.office.photos.holdsReceived(file))
    }
  }

  @Test("a file that is not the one announced, is too large or is named by nothing leaves nothing")
  func refused() async throws {
    try await withUploads { scene, site, token, file, bytes in
      let bearer = ("Authorization", "Bearer \(token)")
      func create(_ headers: [(String, String)], _ body: [UInt8]) async throws -> Answer {
        try await site.send(
          "POST", "/api/v1/uploads", [bearer, Self.chunkType] + headers,
          body: .bytes(ByteBuffer(bytes: body)))
      }
      var other = bytes
      other[7] ^= 1
      let wrong = try await create(creation(file, bytes.count), other)
      #expect(wrong.status == 422 && wrong.code == "file-mismatch")
      #expect(try scene.office.photos.received(upTo: file) == nil)
      let large = try await create(creation(file, 4_000_001), [1])
      #expect(large.status == 413 && large.code == "file-too-large")
      let none = try await create(creation(file, 0), [])
      #expect(none.status == 422 && none.code == "file-mismatch", "no byte has another digest")
      let empty = ReceivedFile(key: file.key, digest: Digest.hexadecimal([UInt8]()))
      #expect(try await create(creation(empty, 0), []).status == 201)
      #expect(try scene.office.photos.holdsReceived(empty))
      let negative = try await create(creation(file, -1), [])
      #expect(negative.status == 400 && negative.code == "input-invalid")
      for digest in ["x", file.digest.uppercased(), "../../office"] {
        let named = ReceivedFile(key: file.key, digest: digest)
        let answer = try await create(creation(named, 10), [1])
        #expect(answer.status == 400 && answer.code == "input-invalid", "\(digest)")
      }
      // The body is longer than announced: the connection's length says so before a byte is read.
      let longer = try await create(creation(file, 1000), bytes)
      #expect(longer.status == 413)
      let older = try await site.send(
        "POST", "/api/v1/uploads", [bearer] + creation(file, 10).dropFirst())
      #expect(older.status == 412 && older.header("Tus-Version") == "1.0.0")
      #expect(try !scene.office.photos.holdsReceived(file))
    }
  }

  @Test(
    "so many files may wait for a batch that names them, and no more; one that is known may go on")
  func openUploads() async throws {
    try await withUploads { scene, site, token, file, bytes in
      let bearer = ("Authorization", "Bearer \(token)")
      func begin(_ number: Int) async throws -> Answer {
        let other = ReceivedFile(key: file.key, digest: Digest.hexadecimal([UInt8(number)]))
        return try await site.send("POST", "/api/v1/uploads", [bearer] + creation(other, 100))
      }
      for number in 0..<3 { #expect(try await begin(number).status == 201) }
      let refused = try await begin(3)
      #expect(refused.status == 429 && refused.body.contains("too-many-uploads"))
      #expect(try await begin(1).status == 201)
    }
  }

  @Test("what one device has sent is not there for another, and does not count for its deliveries")
  func devices() async throws {
    try await withUploads { scene, site, token, file, bytes in
      try scene.office.photos.receive(bytes, as: file)
      let igor = try await scene.unit("igor", on: "another tablet")
      let theirs = try #require(try igor.store.signedIn()?.token)
      for (whose, status) in [(token, 200), (theirs, 404)] {
        let asked = try await site.send(
          "HEAD", "/api/v1/uploads/\(file.digest)",
          [("Authorization", "Bearer \(whose)"), Self.version])
        #expect(asked.status == status)
      }
      let key = try #require(try await scene.office.sessions.visitor(withToken: theirs).key)
      let own = ReceivedFile(key: key, digest: file.digest)
      #expect(own != file)
      #expect(try !scene.office.photos.holdsReceived(own))
    }
  }

  @Test("the field unit goes on where it was cut off, and sends what is here no second time")
  func link() async throws {
    try await withUploads { scene, site, token, _, _ in
      let bytes = (0..<2_500_000).map { UInt8($0 % 251) }
      let digest = Digest.hexadecimal(bytes)
      let key = try #require(try await scene.office.sessions.visitor(withToken: token).key)
      let file = ReceivedFile(key: key, digest: digest)
      let path = scene.folder.appendingPathComponent("whole.jpg").path
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let link = try HTTPOfficeLink(address: site.origin)
      let part = try scene.office.photos.resume(file, length: bytes.count)
      try part.append(Array(bytes[..<1_048_576]))
      part.keepChunk()
      part.close()
      let size = bytes.count
      let first = try await link.send(
        file: path, digest: digest, bytes: size, from: 1_048_576, token: token, progress: { _ in })
      #expect(first == size - 1_048_576)
      #expect(try scene.office.photos.received(file) == bytes)
      await link.close()
    }
  }

  @Test(
    "a file whose bytes are no longer those that were sealed is refused, and nothing of it is kept")
  func damagedHere() async throws {
    try await withUploads { scene, site, token, file, bytes in
      let path = scene.folder.appendingPathComponent("damaged.jpg").path
      var damaged = bytes
      damaged[1000] ^= 1
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      let link = try HTTPOfficeLink(address: site.origin)
      let error = await #expect(throws: DeliveryError.self) {
        try await link.send(
          file: path, digest: file.digest, bytes: bytes.count, from: 0, token: token,
          progress: { _ in })
      }
      guard case .refused(let code, let detail)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(code == "file-mismatch" && "\(detail)".contains("damaged.jpg is damaged"))
      #expect(error?.concernsOneThing == true)
      #expect(try scene.office.photos.received(file) == nil)
      // The whole file goes afterwards, from the beginning.
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      _ = try await link.send(
        file: path, digest: file.digest, bytes: bytes.count, from: 0, token: token,
        progress: { _ in })
      #expect(try scene.office.photos.received(file) == bytes)
      await link.close()
    }
  }

  @Test(
    "tuspy uploads, goes on after a break with checksums, and finds that all is here",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func tuspy() async throws {
    try await withUploads { scene, site, token, file, bytes in
      let path = scene.folder.appendingPathComponent("file.jpg").path
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let outcome = try await PythonTools.run(
        "Uploads/upload.py", [site.origin + "/api/v1/uploads", token, path])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output == "100000\n100000\n250000\n250000\n", "\(outcome.output)")
      #expect(try scene.office.photos.received(file) == bytes)
    }
  }
}
