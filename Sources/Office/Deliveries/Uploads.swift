import Crypto
import Evidence
import Foundation
import Store
import TimeAndText
import Web

/// The digest that a chunk was sent with (tus: Upload-Checksum).
package struct ChunkChecksum {
  private var hash: any HashFunction
  private let expected: [UInt8]
  /// True if the digest is a SHA-256, by which files are named.
  let isSHA256: Bool

  /// Reads the header field; nil if it is no digest, or if its hash function is unknown here.
  package init?(field: String) {
    let parts = field.split(separator: " ")
    guard parts.count == 2, let digest = Data(base64Encoded: String(parts[1])) else { return nil }
    expected = Array(digest)
    switch parts[0].lowercased() {
    case "sha256": (hash, isSHA256) = (SHA256(), true)
    // The tus protocol requires SHA-1, which is weak: it never stands for a file's digest.
    case "sha1": (hash, isSHA256) = (Insecure.SHA1(), false)
    default: return nil
    }
  }

  /// Adds bytes of the chunk.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    hash.update(bufferPointer: bytes)
  }

  /// True if the bytes added so far have the digest.
  package var holds: Bool { Array(hash.finalize()) == expected }

  /// Returns true if the chunk was sent with this digest of a file.
  package func isDigest(_ hexadecimal: String) -> Bool {
    isSHA256 && Digest.hexadecimal(of: expected) == hexadecimal
  }
}

/// Receives the files that batches will name.
package struct Uploads: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let room: Room
}

extension Uploads {
  /// The seconds for which an unfinished upload is kept: 30 days.
  package static let uploadLifetimeSeconds = 30 * 86_400.0

  /// Receives a chunk of a file.
  ///
  /// A chunk with a checksum counts as a whole or not at all. Of a chunk without one, the bytes
  /// that came before the connection was cut are kept.
  /// - Parameter pieces: calls its argument with the chunk, piece by piece.
  /// - Throws: `OfficeRefusal`: upload-busy, upload-offset, upload-checksum, file-mismatch.
  package func receive(
    _ file: ReceivedFile, length: Int, at offset: Int, checksum: ChunkChecksum?,
    _ pieces: (_ body: (UnsafeRawBufferPointer) throws -> Void) async throws -> Void
  ) async throws -> UploadState {
    arrivals.note(at: clock.elapsed)
    let incoming = try photos.resume(file, length: length)
    defer {
      incoming.close()
      room.noteReceived(file)
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
      // All bytes came, and only the end of the request is missing.
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
      // One chunk with the file's own digest: its bytes were checked already.
      try incoming.finish(isChecked: offset == 0 && checksum?.isDigest(file.digest) == true)
    }
    return UploadState(offset: incoming.offset, length: length)
  }

  /// Removes uploads that were left unfinished for 30 days, as the devices were told.
  func removeExpiredUploads() throws {
    try (photos as? FolderPhotoStore)?.removeReceived(
      untouchedSince: Date(
        timeIntervalSince1970: Double(clock.deviceTime.millisecondsSince1970) / 1000
          - Self.uploadLifetimeSeconds))
    room.unclaimed.forget()
  }
}
