import BackupArchives
import Foundation
import ObjectStorage
import Office
import OfficeKeyring
import Store
import TimeAndText

/// A second copy of all files of an office's photo store, in an object store of somebody else.
///
/// Each object is named by its bytes, so a copy can be broken off and begun again, and nothing in it is ever
/// changed. A list at the end says which name had which bytes. What a list has once stays in all later ones:
/// a file that the office loses is not lost from the copy by the next night's run.
package struct PhotoCopy: Sendable {
  /// The most bytes of a list: about eight million files.
  static let listBytesAtMost = 1 << 30
  /// The most bytes of one file.
  static let fileBytesAtMost = 256 << 20

  let photos: any PhotoStore
  let store: ObjectStore
  /// The office, by the key of its first authority, which it keeps for good.
  let mark: String

  /// Creates a copy of an office's files that nobody has begun.
  package init(of office: OfficeServer, in store: ObjectStore) {
    let first = office.core.keys.ring.entries.first { $0.kind == .authority }
    self.init(photos: office.photos, store: store, mark: first?.key ?? office.core.fingerprint)
  }

  init(photos: any PhotoStore, store: ObjectStore, mark: String) {
    (self.photos, self.store, self.mark) = (photos, store, mark)
  }

  /// The progress of a copy: files done, of all, and bytes sent or fetched.
  package typealias Progress = @Sendable (_ files: Int, _ all: Int, _ bytes: Int) -> Void

  /// The outcome of a copy.
  package struct Outcome: Sendable {
    /// The number of files that the copy now has.
    package var files = 0
    /// The number of files that were sent.
    package var copied = 0
    /// The number of bytes that were sent.
    package var bytes = 0
    /// The files that are gone, unreadable, or other than in the copy, a line each. The copy keeps what it had.
    package var complaints: [String] = []
    /// The name of the new list.
    package var list = ""
  }

  /// Copies what the object store does not have.
  /// - Parameter clock: returns this machine's time; a copy may take days.
  /// - Throws: `OfficeRefusal` and `StoreError`. What was copied until then stays, and is not sent again.
  package func run(
    clock: () -> DeviceTime, progress: @escaping Progress
  ) async throws -> Outcome {
    try await said {
      let names = try photos.names().filter(CopyList.isCopied)
      let held = try await heldObjects()
      let newest = try await newestList(at: clock())
      var list = CopyList.Merging(newest.map(\.bytes) ?? [])
      var outcome = Outcome()
      var done = 0
      try await Window.each(names) {
        try await send($0, unless: held)
      } take: { sent in
        done += 1
        outcome.bytes += sent.bytes
        if sent.isNew { outcome.copied += 1 }
        try list.take(sent.name, sent.found)
        progress(done, names.count, outcome.bytes)
      }
      (outcome.files, outcome.complaints) = try list.end()
      guard outcome.files > 0 else {
        throw OfficeRefusal(.inputInvalid, "this office has no files yet: there is nothing to copy")
      }
      guard list.bytes.count <= Self.listBytesAtMost else {
        throw OfficeRefusal(.exportImpossible, "the list of the copy would be larger than 1 GiB")
      }
      let end = clock()
      outcome.list = CopyList.name(of: mark, at: end, list.bytes)
      // Another run may have ended meanwhile, with files that this one has never seen.
      let last = try await newestName(at: end)
      guard last == newest?.name, last.map({ $0 < outcome.list }) ?? true else {
        throw OfficeRefusal(
          .storeUnavailable,
          "another copy has ended meanwhile, or the clock was set back: run it again, all files are there"
        )
      }
      try await store.put(list.bytes, as: outcome.list)
      return outcome
    }
  }

  private struct Sent: Sendable {
    var name: String
    var found: CopyList.Found
    var bytes = 0
    var isNew = false
  }

  private func send(_ name: String, unless held: [CopyDigest: Int]) async throws -> Sent {
    guard let bytes = try photos.bytes(of: name) else {
      // The others are copied all the same: a disk that begins to fail is when a copy is needed.
      return Sent(name: name, found: try photos.holds(name) ? .unreadable : .gone)
    }
    guard bytes.count <= Self.fileBytesAtMost else { return Sent(name: name, found: .tooLarge) }
    let digest = CopyDigest(of: bytes)
    // An object of another size is damaged there.
    let count = bytes.count
    if held[digest] == count { return Sent(name: name, found: .bytes(digest)) }
    do {
      try await store.put(bytes, as: ObjectKey.digest(digest.text))
    } catch let failure as ObjectFailure where failure.kind == .refused {
      return Sent(name: name, found: .notSent(failure.description))
    }
    return Sent(name: name, found: .bytes(digest), bytes: count, isNew: true)
  }

  private func heldObjects() async throws -> [CopyDigest: Int] {
    var held: [CopyDigest: Int] = [:]
    try await store.forEachKey(beginning: "sha256/") { key, bytes in
      guard let digest = ObjectKey.digest(ofKey: key).flatMap(CopyDigest.init) else { return }
      held[digest] = bytes
    }
    return held
  }

  /// Returns the newest list of this office, and its name; nil if there is none.
  func newestList(at now: DeviceTime) async throws -> (name: String, bytes: [UInt8])? {
    guard let newest = try await newestName(at: now) else { return nil }
    guard let bytes = try await store.bytes(of: newest, atMost: Self.listBytesAtMost) else {
      throw OfficeRefusal(
        .storeUnavailable, "the object store names \(newest), and does not give it")
    }
    guard CopyList.isWhole(bytes, newest) else { throw CopyList.damaged }
    return (newest, bytes)
  }

  private func newestName(at now: DeviceTime) async throws -> String? {
    var newest: String?
    try await store.forEachKey(beginning: CopyList.folder(of: mark)) { key, _ in
      // A list of the future would hide all that come.
      if CopyList.isName(key, of: mark, at: now) { newest = max(newest ?? key, key) }
    }
    return newest
  }

  /// Does something, and tells a failure of the object store as the office's own.
  func said<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let failure as ObjectFailure {
      throw failure.refusal
    }
  }
}

extension ObjectFailure {
  /// The failure as a refusal of the office.
  package var refusal: OfficeRefusal {
    let isInput = [.malformedAddress, .noCredentials, .noBucket, .otherRegion].contains(kind)
    return OfficeRefusal(isInput ? .inputInvalid : .storeUnavailable, "\(word: description)")
  }
}
