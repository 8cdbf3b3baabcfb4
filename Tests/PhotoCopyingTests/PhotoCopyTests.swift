import Foundation
import ObjectStorage
import Office
import Store
import TestSupport
import Testing
import TimeAndText

@testable import PhotoCopying

@Suite(
  "A second copy of photos", .enabled(if: ObjectServer.areHere, PythonTools.absence),
  .timeLimit(.minutes(5)))
struct PhotoCopyTests {
  private static let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
  private static let later = DeviceTime(
    millisecondsSince1970: now.millisecondsSince1970 + 86_400_000)
  private static let environment = [
    "AWS_ACCESS_KEY_ID": ObjectServer.identifier, "AWS_SECRET_ACCESS_KEY": ObjectServer.secret,
  ]

  /// An office's folder, and an object store.
  private struct Scene {
    let office: URL
    let bucket: URL
    let server: ObjectServer
    let photos: FolderPhotoStore
    var mark = "first-office"

    init(in folder: URL) async throws {
      office = folder.appendingPathComponent("office")
      let stores = folder.appendingPathComponent("stores")
      try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
      server = try await ObjectServer(.rclone, in: stores)
      bucket = stores.appendingPathComponent(ObjectServer.bucket).appendingPathComponent("office")
      photos = try FolderPhotoStore(folder: office.path)
    }

    func store() throws -> ObjectStore {
      try CopyAddress.store(server.address, environment: environment) {
        DeviceTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
      }
    }

    func copy() throws -> PhotoCopy { PhotoCopy(photos: photos, store: try store(), mark: mark) }

    /// Copies, a number of minutes behind the first time.
    /// - Parameter end: the minutes at its end; the same if nil.
    func copied(_ minutes: Int64 = 0, to end: Int64? = nil) async throws -> PhotoCopy.Outcome {
      var times = [minutes, end ?? minutes]
      return try await copy().run(
        clock: {
          DeviceTime(
            millisecondsSince1970: now.millisecondsSince1970 + times.removeFirst() * 60_000)
        }, progress: { _, _, _ in })
    }

    func write(_ text: String, as name: String) throws {
      try photos.write(Array(text.utf8), as: name)
    }

    func path(inBucket digest: String) -> String {
      bucket.appendingPathComponent("sha256/\(digest.prefix(2))/\(digest)").path
    }
  }

  @Test(
    "what is there once goes once, a list says which name has which bytes, and a second run sends nothing"
  )
  func copies() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      for number in 0..<20 {
        try scene.write("photo \(number % 15)", as: "photos/0\(number % 10)/\(number).jpg")
      }
      let first = try await scene.copied()
      #expect(first.files == 20 && first.complaints == [])
      #expect(first.copied >= 15)
      let text = try String(
        contentsOf: scene.bucket.appendingPathComponent(first.list), encoding: .utf8)
      let lines = text.split(separator: "\n")
      #expect(lines.count == 20)
      #expect(lines.contains("\(Self.digest("photo 3"))  photos/03/3.jpg"))
      #expect(
        try String(contentsOfFile: scene.path(inBucket: Self.digest("photo 3")), encoding: .utf8)
          == "photo 3")
      let second = try await scene.copied(1)
      #expect((second.files, second.copied, second.bytes) == (20, 0, 0))
      try scene.write("photo of today", as: "photos/01/21.jpg")
      let third = try await scene.copied(2)
      #expect((third.files, third.copied, third.bytes) == (21, 1, 14))
    }
  }

  @Test("keys, database, invitations and what a witness signed stay at home")
  func atHome() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      for name in [
        "keys/authority.key", "standpoint.sqlite", "standpoint.sqlite-wal", "lock",
        "invitations/a", "witness/a/state.json", "previews/aa/1.small", "maps/a/b",
        "log/checkpoint",
      ] { try scene.write("hunter2 \(name)", as: name) }
      try scene.write("a seal", as: "records/aa/1.seal")
      let outcome = try await scene.copied()
      #expect((outcome.files, outcome.copied) == (1, 1))
      let all = try #require(FileManager.default.enumerator(atPath: scene.bucket.path))
      for case let name as String in all {
        let path = scene.bucket.appendingPathComponent(name).path
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hunter2"), "\(name)")
      }
    }
  }

  @Test("what is lost comes back, what is there is left alone, and what the store lost is named")
  func wayBack() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      for number in 0..<5 { try scene.write("photo \(number)", as: "photos/00/\(number).jpg") }
      try scene.write("a certificate", as: "certificates/a.pem")
      _ = try await scene.copied()
      for number in [0, 1, 2] { try scene.photos.remove("photos/00/\(number).jpg") }
      try scene.write("damaged", as: "photos/00/3.jpg")
      try scene.write("a renewed certificate", as: "certificates/a.pem")
      // The store has lost one, and gives other bytes for another.
      let store = try scene.store()
      try await store.remove(ObjectKey.digest(Self.digest("photo 2")))
      try await store.put(Array("other".utf8), as: ObjectKey.digest(Self.digest("photo 0")))
      let back = try await scene.copy().fetch(at: Self.later) { _, _, _ in }
      #expect((back.files, back.fetched, back.bytes) == (6, 1, 7))
      #expect(back.complaints.count == 3)
      for (name, words) in [("0", "other bytes"), ("2", "has lost it"), ("3", "left alone")] {
        #expect(
          back.complaints.contains {
            $0.hasPrefix("photos/00/\(name).jpg: ") && $0.contains(words)
          }, "\(back.complaints)")
      }
      #expect(try scene.photos.bytes(of: "photos/00/1.jpg") == Array("photo 1".utf8))
      #expect(try scene.photos.bytes(of: "photos/00/3.jpg") == Array("damaged".utf8))
      #expect(
        try scene.photos.bytes(of: "certificates/a.pem") == Array("a renewed certificate".utf8))
      #expect(try !scene.photos.holds("photos/00/0.jpg"))
      #expect(try scene.photos.names().allSatisfy { !$0.hasPrefix("incoming/") })
      let check = try await scene.copy().check(at: Self.later) { _, _, _ in }
      #expect((check.files, check.fetched, check.complaints.count) == (6, 4, 2))
    }
  }

  @Test(
    "what the office loses or damages stays in the copy, night after night, and is named each time")
  func losses() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      for number in 0..<5 { try scene.write("photo \(number)", as: "photos/00/\(number).jpg") }
      try scene.write("links of today", as: "links/a.links")
      _ = try await scene.copied()
      try scene.photos.remove("photos/00/1.jpg")
      try scene.photos.remove("photos/00/4.jpg")
      try scene.write("damaged", as: "photos/00/2.jpg")
      try scene.write("links of tomorrow", as: "links/a.links")
      // A folder in place of a file cannot be read by anybody.
      try scene.photos.remove("photos/00/3.jpg")
      for night in 1...3 {
        let outcome = try await scene.copied(Int64(night))
        #expect(outcome.files == 6)
        #expect(
          outcome.complaints.map { String($0.prefix(15)) }.sorted()
            == [1, 2, 3, 4].map {
              "photos/00/\($0).jpg"
            }, "night \(night)")
      }
      for number in [2] { try scene.photos.remove("photos/00/\(number).jpg") }
      let back = try await scene.copy().fetch(at: Self.later) { _, _, _ in }
      #expect((back.fetched, back.complaints.count) == (4, 0))
      for number in 0..<5 {
        #expect(
          try scene.photos.bytes(of: "photos/00/\(number).jpg") == Array("photo \(number)".utf8))
      }
      #expect(try await scene.copied(9).complaints == [])
    }
  }

  @Test("a file that cannot be read is named, and the others are copied")
  func unreadable() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      for number in 0..<3 { try scene.write("photo \(number)", as: "photos/00/\(number).jpg") }
      let failing = FailingStore(store: scene.photos, name: "photos/00/1.jpg")
      let copy = PhotoCopy(photos: failing, store: try scene.store(), mark: scene.mark)
      let outcome = try await copy.run(clock: { Self.now }) { _, _, _ in }
      #expect((outcome.files, outcome.copied) == (2, 2))
      #expect(
        outcome.complaints.map { $0.hasPrefix("photos/00/1.jpg: it cannot be read") } == [true])
      let back = try await PhotoCopy(photos: failing, store: try scene.store(), mark: scene.mark)
        .fetch(at: Self.later) { _, _, _ in }
      #expect(back.fetched == 0)
    }
  }

  @Test("an object of another size is sent again, and folders on another disk are copied")
  func healed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      let disk = folder.appendingPathComponent("disk/00")
      try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
      try Data("photo 1".utf8).write(to: disk.appendingPathComponent("1.jpg"))
      try FileManager.default.createSymbolicLink(
        atPath: scene.office.path + "/photos", withDestinationPath: folder.path + "/disk")
      #expect(try await scene.copied().copied == 1)
      #expect(try await scene.copied(1).copied == 0)
      let key = ObjectKey.digest(Self.digest("photo 1"))
      let store = try scene.store()
      try await store.put([], as: key)
      #expect(try await scene.copied(2).copied == 1)
      #expect(try await store.bytes(of: key, atMost: 100) == Array("photo 1".utf8))
    }
  }

  @Test("two offices share a bucket, a list of the future hides none, and no files are no list")
  func marks() async throws {
    try await withTemporaryDirectory { folder in
      var scene = try await Scene(in: folder)
      await #expect(throws: OfficeRefusal.self) { try await scene.copied() }
      try scene.write("photo 1", as: "photos/00/1.jpg")
      let list = try await scene.copied().list
      let store = try scene.store()
      for other in [
        "2099-01-01T000000.000Z.sha256", "my-notes.sha256", "2026-13-99T000000.000Z.sha256",
      ] {
        try await store.put([1], as: "lists/\(scene.mark)/\(other)")
      }
      #expect(try await scene.copied(1).complaints == [])
      #expect(list.hasPrefix("lists/first-office/2026-"))
      scene.mark = "second-office"
      let other = scene
      let refusal = try await #require(throws: OfficeRefusal.self) {
        try await other.copy().fetch(at: Self.later) { _, _, _ in }
      }
      #expect("\(refusal)".contains("no copy of this office's photos"))
    }
  }

  @Test("a list that is damaged, or names what is no photo, brings nothing into the office")
  func hostileList() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      try scene.write("a photo", as: "photos/00/1.jpg")
      let list = try await scene.copied().list
      let store = try scene.store()
      let digest = Self.digest("a photo")
      let hostile = Array(
        "\(digest)  ../x\n\(digest)  keys/authority.key\n\(digest)  photos/../keys/x\n".utf8)
      let name = CopyList.name(of: scene.mark, at: Self.later, hostile)
      try await store.put(hostile, as: name)
      let back = try await scene.copy().fetch(at: Self.later) { _, _, _ in }
      #expect((back.files, back.fetched) == (0, 0))
      try await store.remove(name)
      // A list that was cut off, emptied or changed is none, whatever its lines say.
      for text in ["", "x", "\(digest)  photos/00/2.jpg\n", "\(digest)  photos/00/1.jpg"] {
        try await store.put(Array(text.utf8), as: list)
        for refused in [
          { () async throws in _ = try await scene.copy().fetch(at: Self.later) { _, _, _ in } },
          { () async throws in _ = try await scene.copied(5) },
        ] {
          let refusal = try await #require(throws: OfficeRefusal.self) { try await refused() }
          #expect("\(refusal)".contains("damaged"))
        }
      }
      #expect(try scene.photos.names() == ["photos/00/1.jpg"])
    }
  }

  @Test(
    "a run during which another one ended writes no list, and neither does one whose clock was set back"
  )
  func overtaken() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      try scene.write("photo 1", as: "photos/00/1.jpg")
      let first = try await scene.copied(60).list
      try scene.write("photo 2", as: "photos/00/2.jpg")
      // It began before that list was there, and ends behind it; and one that ends before it.
      for (begin, end) in [(0, 70), (50, 50)] as [(Int64, Int64)] {
        let refusal = try await #require(throws: OfficeRefusal.self) {
          try await scene.copied(begin, to: end)
        }
        #expect("\(refusal)".contains("run it again"), "\(begin)")
      }
      let lists = scene.bucket.appendingPathComponent("lists/\(scene.mark)").path
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: lists).map {
          "lists/\(scene.mark)/\($0)"
        } == [first])
      let outcome = try await scene.copied(80, to: 3000)
      #expect((outcome.files, outcome.copied) == (2, 0))
    }
  }

  @Test("a copy that was broken off goes on, and has its list only at the end")
  func brokenOff() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await Scene(in: folder)
      for number in 0..<64 { try scene.write("photo \(number)", as: "photos/00/\(number).jpg") }
      let copy = try scene.copy()
      let task = Task {
        try await copy.run(clock: { Self.now }) { files, _, _ in
          if files >= 24 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(
        !FileManager.default.fileExists(
          atPath: scene.bucket.appendingPathComponent("lists").path))
      let outcome = try await scene.copied(1)
      #expect(outcome.files == 64)
      #expect(outcome.copied <= 40 && outcome.copied > 0)
    }
  }

  @Test("digests are small, and come back as they were written")
  func digests() throws {
    let text = Self.digest("a")
    #expect(CopyDigest(text)?.text == text)
    #expect(CopyDigest(of: Array("a".utf8)) == CopyDigest(text))
    for bad in ["", String(text.dropLast()), text.uppercased(), String(text.dropLast(2)) + "+1"] {
      #expect(CopyDigest(bad) == nil, "\(bad)")
    }
    #expect(MemoryLayout<CopyDigest>.size == 32)
  }
}

/// A photo store with a file that a failing disk does not give.
private struct FailingStore: PhotoStore {
  let store: FolderPhotoStore
  let name: String

  func bytes(of name: String) throws -> [UInt8]? {
    name == self.name ? nil : try store.bytes(of: name)
  }
  func names() throws -> [String] { try store.names() }
  func holds(_ name: String) throws -> Bool { try store.holds(name) }
  func path(of name: String) -> String? { store.path(of: name) }
  func write(_ bytes: [UInt8], as name: String) throws { try store.write(bytes, as: name) }
  func remove(_ name: String) throws { try store.remove(name) }
  func adopt(file path: String, as name: String) throws { try store.adopt(file: path, as: name) }
  func probe() throws { try store.probe() }
  func holdsReceived(_ file: ReceivedFile) throws -> Bool { try store.holdsReceived(file) }
  func isWhole(_ file: ReceivedFile) throws -> Bool { try store.isWhole(file) }
  func received(upTo file: ReceivedFile) throws -> UploadState? { try store.received(upTo: file) }
  func receivedCount(ofKey key: String) throws -> Int { try store.receivedCount(ofKey: key) }
  func receivedFiles() throws -> [(file: ReceivedFile, bytes: Int)] { try store.receivedFiles() }
  func resume(_ file: ReceivedFile, length: Int) throws -> any IncomingFile {
    try store.resume(file, length: length)
  }
  func received(_ file: ReceivedFile) throws -> [UInt8]? { try store.received(file) }
  func place(
    _ placements: [FilePlacement], replacing: Bool, writing files: [(bytes: [UInt8], name: String)]
  ) throws { try store.place(placements, replacing: replacing, writing: files) }
  func discardReceived(_ file: ReceivedFile) throws { try store.discardReceived(file) }
}
