import Evidence
import Foundation
import OfficeScenes
import Store
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

/// The contract that every photo store keeps.
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

  private var file: ReceivedFile { ReceivedFile(key: "a-key", digest: digest) }

  private func receive(_ store: any PhotoStore) throws {
    let incoming = try store.resume(file, length: bytes.count)
    defer { incoming.close() }
    try incoming.append(Array(bytes.prefix(4)))
    incoming.keepChunk()
    try incoming.append(Array(bytes.dropFirst(4)))
    incoming.keepChunk()
    try incoming.finish(isChecked: false)
  }

  @Test("a file is received under its digest, gets its name, and reads back")
  func receiving() throws {
    try withEach { store in
      #expect(try !store.holdsReceived(file))
      try receive(store)
      #expect(try store.holdsReceived(file))
      #expect(try store.received(file) == bytes)
      #expect(try store.bytes(of: "photos/aa/x.jpg") == nil)
      try store.place(
        [FilePlacement(.received(file), digest: file.digest, as: "photos/aa/x.jpg")],
        replacing: false, writing: [])
      try store.place(
        [FilePlacement(.received(file), digest: file.digest, as: "photos/bb/y.jpg")],
        replacing: false, writing: [])
      #expect(try store.bytes(of: "photos/aa/x.jpg") == bytes)
      try store.discardReceived(file)
      #expect(try !store.holdsReceived(file))
      #expect(try store.bytes(of: "photos/bb/y.jpg") == bytes)
      #expect(try store.names() == ["photos/aa/x.jpg", "photos/bb/y.jpg"])
    }
  }

  @Test("a file of this machine gets a name, once, and stays where it is")
  func adopting() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("picture").path
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try withEach { store in
        try store.adopt(file: path, as: "photos/cc/z.jpg")
        #expect(try store.bytes(of: "photos/cc/z.jpg") == bytes)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(throws: (any Error).self) { try store.adopt(file: path, as: "photos/cc/z.jpg") }
        #expect(throws: (any Error).self) { try store.adopt(file: path, as: "../z.jpg") }
        #expect(throws: (any Error).self) {
          try store.adopt(file: path + "x", as: "photos/cc/w.jpg")
        }
        #expect(try store.names() == ["photos/cc/z.jpg"])
      }
    }
  }

  @Test(
    "what no batch has claimed is told with its bytes, whole and in part, and no longer when it goes"
  )
  func unclaimed() throws {
    try withEach { store in
      #expect(try store.receivedFiles().isEmpty)
      try receive(store)
      let part = ReceivedFile(key: "-another-key", digest: Digest.hexadecimal([1, 2, 3]))
      let incoming = try store.resume(part, length: 3)
      try incoming.append([1, 2])
      incoming.keepChunk()
      incoming.close()
      let files = try store.receivedFiles().sorted { $0.bytes < $1.bytes }
      #expect(files.map(\.file) == [part, file])
      #expect(files.map(\.bytes) == [2, bytes.count])
      try store.discardReceived(file)
      try store.discardReceived(part)
      #expect(try store.receivedFiles().isEmpty)
    }
  }

  @Test("bytes with another digest, or too many, are refused, and nothing of them stays")
  func mismatch() throws {
    try withEach { store in
      let incoming = try store.resume(file, length: 3)
      try incoming.append([1, 2, 3])
      let tooMany = #expect(throws: OfficeRefusal.self) { try incoming.append([4]) }
      #expect(tooMany?.kind == .fileMismatch)
      incoming.keepChunk()
      let error = #expect(throws: OfficeRefusal.self) { try incoming.finish(isChecked: false) }
      #expect(error?.kind == .fileMismatch)
      incoming.close()
      #expect(try !store.holdsReceived(file))
      #expect(try store.received(upTo: file) == nil)
      #expect(try store.names().isEmpty)
    }
  }

  @Test(
    "what was kept of a file is gone on with, what was dropped is not, and one receives at a time")
  func resumed() throws {
    try withEach { store in
      let first = try store.resume(file, length: bytes.count)
      try first.append(Array(bytes.prefix(5)))
      first.keepChunk()
      try first.append([0, 0, 0])
      let busy = #expect(throws: OfficeRefusal.self) {
        try store.resume(file, length: bytes.count)
      }
      #expect(busy?.kind == .uploadBusy)
      #expect(throws: OfficeRefusal.self) { try store.discardReceived(file) }
      // Another device's file of the same bytes is a file of its own.
      let other = ReceivedFile(key: "another-key", digest: digest)
      try store.resume(other, length: bytes.count).close()
      first.dropChunk()
      first.close()
      #expect(try store.received(upTo: file) == UploadState(offset: 5, length: bytes.count))
      #expect(try store.received(upTo: other) == UploadState(offset: 0, length: bytes.count))
      #expect(try store.received(file) == nil && !store.holdsReceived(file))
      let otherLength = #expect(throws: OfficeRefusal.self) { try store.resume(file, length: 99) }
      #expect(otherLength?.kind == .inputInvalid)
      let second = try store.resume(file, length: bytes.count)
      #expect(second.offset == 5)
      try second.append(Array(bytes.dropFirst(5)))
      second.keepChunk()
      try second.finish(isChecked: false)
      second.close()
      #expect(try store.received(file) == bytes)
      #expect(try !store.holdsReceived(other))
      try store.discardReceived(other)
      #expect(try store.received(upTo: other) == nil)
    }
  }

  @Test("bytes that are all here and were never checked are none: a crash sends them again")
  func unchecked() throws {
    try withEach { store in
      let incoming = try store.resume(file, length: bytes.count)
      try incoming.append(bytes)
      incoming.keepChunk()
      incoming.close()
      #expect(try !store.holdsReceived(file) && store.received(file) == nil)
      #expect(try store.received(upTo: file) == UploadState(offset: 0, length: bytes.count))
      try receive(store)
      #expect(try store.received(file) == bytes)
      // A whole file is not begun again; a wrong length that came before any byte is forgotten.
      let whole = #expect(throws: OfficeRefusal.self) { try store.resume(file, length: 3) }
      #expect(whole?.kind == .uploadOffset)
      #expect(try store.holdsReceived(file))
      let other = ReceivedFile(key: "a-key", digest: String(repeating: "1", count: 64))
      try store.resume(other, length: 99).close()
      try store.resume(other, length: 4).close()
      #expect(try store.received(upTo: other) == UploadState(offset: 0, length: 4))
    }
  }

  @Test("placing again with the same bytes changes nothing, and a written file is replaced whole")
  func again() throws {
    try withEach { store in
      try receive(store)
      try store.place(
        [FilePlacement(.received(file), digest: file.digest, as: "photos/aa/x.jpg")],
        replacing: false, writing: [])
      try store.discardReceived(file)
      try store.place(
        [FilePlacement(.received(file), digest: file.digest, as: "photos/aa/x.jpg")],
        replacing: false, writing: [])
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

  @Test("names are told through links to other disks, and a circle of links ends")
  func links() throws {
    try withTemporaryDirectory { folder in
      let store = try FolderPhotoStore(folder: folder.path + "/office")
      try store.write([1], as: "photos/00/1.jpg")
      let disk = folder.path + "/disk"
      try FileManager.default.createDirectory(
        atPath: disk + "/00", withIntermediateDirectories: true)
      try Data([2]).write(to: URL(fileURLWithPath: disk + "/00/2.track"))
      try FileManager.default.createDirectory(
        atPath: folder.path + "/office/lost+found", withIntermediateDirectories: true)
      try Data([3]).write(to: URL(fileURLWithPath: folder.path + "/office/lost+found/3"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/office/tracks", withDestinationPath: disk)
      #expect(try store.names() == ["photos/00/1.jpg", "tracks/00/2.track"])
      try FileManager.default.createSymbolicLink(
        atPath: disk + "/00/again", withDestinationPath: disk)
      #expect(try Set(store.names()).isSuperset(of: ["photos/00/1.jpg", "tracks/00/2.track"]))
    }
  }

  @Test(
    "what nobody has gone on with is forgotten after its time, and what is being received is not")
  func expired() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("photos").path
      let store = try FolderPhotoStore(folder: path)
      let left = ReceivedFile(key: "a-key", digest: String(repeating: "0", count: 64))
      try store.resume(left, length: 10).close()
      let living = try store.resume(file, length: bytes.count)
      try living.append(bytes)
      living.keepChunk()
      try store.removeReceived(untouchedSince: Date().addingTimeInterval(-60))
      #expect(try store.received(upTo: left) != nil, "not yet")
      try FolderPhotoStore(folder: path).removeReceived(
        untouchedSince: Date().addingTimeInterval(60))
      #expect(try store.received(upTo: left) == nil)
      try living.finish(isChecked: false)
      living.close()
      #expect(try store.received(file) == bytes)
    }
  }
}
