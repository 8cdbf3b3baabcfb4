import Evidence
import Foundation
import Store
import TestSupport
import Testing

@testable import Office

/// One contract for every photo store.
@Suite("The contract of photo stores")
struct PhotoStoreTests {
  private func withEach(_ body: (any PhotoStore) throws -> Void) throws {
    try body(MemoryPhotoStore())
    try withTemporaryDirectory { folder in
      try body(try FolderPhotoStore(folder: folder.appendingPathComponent("photos").path))
    }
  }

  private let bytes = Array("a photo's bytes".utf8)
  private var digest: String { Digest.hexadecimal(bytes) }

  private func receive(_ store: any PhotoStore) throws {
    let file = try store.beginReceiving(digest)
    try file.append(Array(bytes.prefix(4)))
    try file.append(Array(bytes.dropFirst(4)))
    try file.finish()
  }

  @Test("a file is received under its digest, gets its name, and reads back")
  func receiving() throws {
    try withEach { store in
      #expect(try !store.holdsReceived(digest))
      try receive(store)
      #expect(try store.holdsReceived(digest))
      #expect(try store.received(digest) == bytes)
      #expect(try store.bytes(of: "photos/aa/x.jpg") == nil)
      try store.place(digest, as: "photos/aa/x.jpg")
      try store.place(digest, as: "photos/bb/y.jpg")
      #expect(try store.bytes(of: "photos/aa/x.jpg") == bytes)
      try store.discardReceived(digest)
      #expect(try !store.holdsReceived(digest))
      #expect(try store.bytes(of: "photos/bb/y.jpg") == bytes)
      #expect(try store.names() == ["photos/aa/x.jpg", "photos/bb/y.jpg"])
    }
  }

  @Test("bytes with another digest are refused, and nothing of them stays")
  func mismatch() throws {
    try withEach { store in
      let file = try store.beginReceiving(digest)
      try file.append([1, 2, 3])
      let error = #expect(throws: OfficeRefusal.self) { try file.finish() }
      #expect(error?.kind == .fileMismatch)
      #expect(try !store.holdsReceived(digest))
      #expect(try store.names().isEmpty)
    }
  }

  @Test("what was abandoned half-way leaves nothing, and two may receive the same file")
  func abandoned() throws {
    try withEach { store in
      let first = try store.beginReceiving(digest)
      try first.append(bytes)
      let second = try store.beginReceiving(digest)
      try second.append(bytes)
      first.abandon()
      #expect(try !store.holdsReceived(digest))
      try second.finish()
      try receive(store)
      #expect(try store.received(digest) == bytes)
    }
  }

  @Test("placing again with the same bytes changes nothing, and a written file is replaced whole")
  func again() throws {
    try withEach { store in
      try receive(store)
      try store.place(digest, as: "photos/aa/x.jpg")
      try store.discardReceived(digest)
      try store.place(digest, as: "photos/aa/x.jpg")
      try store.write([1], as: "receipts/a.receipt")
      try store.write([2, 3], as: "receipts/a.receipt")
      #expect(try store.bytes(of: "receipts/a.receipt") == [2, 3])
    }
  }

  @Test(
    "names that would leave the store are refused",
    arguments: ["../x", "/etc/passwd", "photos/../../x", ".hidden", "", "a//b", "a/", "a\u{0}b"])
  func hostileNames(name: String) throws {
    try withEach { store in
      #expect(throws: (any Error).self) { try store.write([1], as: name) }
    }
  }

  @Test("what a crash left half received is cleared away at the next start")
  func leftovers() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("photos").path
      let store = try FolderPhotoStore(folder: path)
      // One that is being received now, and one whose program was killed.
      let living = try store.beginReceiving(digest)
      try living.append(bytes)
      try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/incoming/\(digest).part-1"))
      _ = try FolderPhotoStore(folder: path)
      let left = try FileManager.default.contentsOfDirectory(atPath: path + "/incoming")
      #expect(left.count == 1, "\(left)")
      try living.finish()
      #expect(try store.received(digest) == bytes)
    }
  }
}
