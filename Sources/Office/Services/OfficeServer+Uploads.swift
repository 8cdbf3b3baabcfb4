import Crypto
import Evidence
import Foundation
import Positioning
import Store
import Web

/// What an upload is refused for.
package enum UploadRefusal {
  package static let busy = OfficeRefusal(
    .uploadBusy, "this file is being received from the same device just now: try again later")

  package static func tooManyOpen(_ limit: Int) -> OfficeRefusal {
    OfficeRefusal(
      .tooManyUploads,
      "\(limit) files of this device are here that no batch has claimed: deliver their batches, or"
        + " end the uploads")
  }

  package static func otherLength(_ known: Int) -> OfficeRefusal {
    OfficeRefusal(.inputInvalid, "this file was announced with \(known) bytes before")
  }

  static func tooMany(_ length: Int) -> OfficeRefusal {
    OfficeRefusal(.fileMismatch, "more bytes came than the \(length) that were announced")
  }

  package static func otherBytes(_ digest: String) -> OfficeRefusal {
    OfficeRefusal(
      .fileMismatch, "the bytes that came do not have the SHA-256 \(digest): send them again")
  }

  package static func otherOffset(_ offset: Int) -> OfficeRefusal {
    OfficeRefusal(.uploadOffset, "\(offset) bytes of it are here: go on from there")
  }
}

/// The digest that a chunk was sent with (tus: Upload-Checksum).
package struct ChunkChecksum {
  private var hash: any HashFunction
  private let expected: [UInt8]
  /// Whether it is the one that files are named after.
  let isSHA256: Bool

  /// From the header field; nil for one that is none, or of a function that nobody here knows.
  package init?(field: String) {
    let parts = field.split(separator: " ")
    guard parts.count == 2, let digest = Data(base64Encoded: String(parts[1])) else { return nil }
    expected = Array(digest)
    switch parts[0].lowercased() {
    case "sha256": (hash, isSHA256) = (SHA256(), true)
    // Every tus server has to take it; what it is worth is another matter.
    case "sha1": (hash, isSHA256) = (Insecure.SHA1(), false)
    default: return nil
    }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    hash.update(bufferPointer: bytes)
  }

  package var holds: Bool { Array(hash.finalize()) == expected }

  /// Whether the chunk was sent as having a file's own digest.
  package func isDigest(_ hexadecimal: String) -> Bool {
    isSHA256 && Digest.hexadecimal(of: expected) == hexadecimal
  }
}

extension OfficeServer {
  /// What was begun and not gone on with is kept so long.
  package static let uploadLifetimeSeconds = 30 * 86_400.0

  /// Receives a chunk of a file.
  ///
  /// A chunk with a checksum counts as a whole or not at all. Of one without, what came before a
  /// connection was cut stays.
  /// - Parameter pieces: hands the chunk out piece by piece.
  /// - Throws: `OfficeRefusal`: upload-busy, upload-offset, upload-checksum, file-mismatch.
  package func receive(
    _ file: ReceivedFile, length: Int, at offset: Int, checksum: ChunkChecksum?,
    _ pieces: (_ body: (UnsafeRawBufferPointer) throws -> Void) async throws -> Void
  ) async throws -> UploadState {
    arrivals.note(at: clock.elapsed)
    let incoming = try photos.resume(file, length: length)
    defer {
      incoming.close()
      noteReceived(file)
      arrivals.note(at: clock.elapsed)
    }
    guard incoming.offset == offset else { throw UploadRefusal.otherOffset(incoming.offset) }
    var checksum = checksum
    do {
      try await pieces { piece in
        checksum?.update(piece)
        try incoming.append(piece)
      }
    } catch {
      if checksum == nil { incoming.keepChunk() } else { incoming.dropChunk() }
      counters.noteUploaded(bytes: incoming.offset - offset)
      // All of it came, and only the end of the request did not.
      if incoming.offset == length { try? incoming.finish(isChecked: false) }
      throw error
    }
    if let checksum, !checksum.holds {
      incoming.dropChunk()
      throw OfficeRefusal(
        .uploadChecksum,
        "the chunk is not the one that was sent: nothing of it was kept, send it again")
    }
    incoming.keepChunk()
    counters.noteUploaded(bytes: incoming.offset - offset)
    if incoming.offset == length {
      // One chunk with the file's own digest: it was looked at already.
      try incoming.finish(isChecked: offset == 0 && checksum?.isDigest(file.digest) == true)
    }
    return UploadState(offset: incoming.offset, length: length)
  }

  /// Looks after what ends by itself, once an hour, until the surrounding task is cancelled.
  public func keepHouse() async throws {
    try await background.runInTurn { await database.warmUp() }
    do {
      try await keepHouseHourly()
    } catch {
      await tellRefusals(isLast: true)
      throw error
    }
  }

  private func keepHouseHourly() async throws {
    var minutes = 0
    while true {
      try await clock.sleep(
        until: clock.elapsed.advanced(bySeconds: RefusalTally.entrySeconds))
      await tellRefusals(isLast: false)
      minutes += 1
      guard minutes % 60 == 0 else { continue }
      do {
        try removeExpiredUploads()
        try ImportShelf(self).removeExpired()
        // What could not be looked at then may be there now.
        arrivals.announce()
        try await database.writeRegistry { try $0.removeExpiredSessions(at: clock.deviceTime) }
      } catch {
        configuration.log("house: \(error)")
      }
    }
  }

  private func tellRefusals(isLast: Bool) async {
    do {
      try await logRefusals(isLast: isLast)
    } catch {
      configuration.log("house: refused sign-ins are not in the log: \(error)")
    }
  }

  /// Forgets uploads that nobody has gone on with, as they were promised to be.
  func removeExpiredUploads() throws {
    try (photos as? FolderPhotoStore)?.removeReceived(
      untouchedSince: Date(
        timeIntervalSince1970: Double(clock.deviceTime.millisecondsSince1970) / 1000
          - Self.uploadLifetimeSeconds))
    unclaimed.forget()
  }
}
