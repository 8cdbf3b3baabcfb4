import Evidence
import Foundation
import Imagery
import Inspection
import Office
import Store
import Sync
import TimeAndText

/// Keeps the files that orders carry: attachments, and the example pictures of items. Each lies under the
/// digest of its bytes, so that an order names exactly one file for ever; nothing is removed, because an
/// earlier order may name it (decision 48).
package struct OrderFileService: OfficeService {
  /// The core of the office.
  package let core: OfficeCore

  /// Creates the service of an office.
  package init(of office: OfficeServer) { core = office.core }

  /// The most bytes of a picture that becomes an example: a camera's.
  package static let exampleBytesAtMost = 20_000_000
  /// The most bytes of an example as it is kept: what the largest copy has, and room.
  package static let copyBytesAtMost = 4_000_000

  /// Keeps a file that an officer attaches. It has to be what its first bytes say.
  /// - Parameter name: the name of the file, as the browser says it.
  /// - Throws: `AttachmentFault`; `OfficeRefusal` (disk-low); `StoreError`.
  package func attachment(
    named name: String, _ bytes: [UInt8], in agency: String
  ) throws -> AttachedFile {
    let title = AttachedFile.title(ofFile: name)
    guard !bytes.isEmpty else { throw AttachmentFault.empty(title) }
    guard let kind = AttachedFile.Kind(of: bytes) else { throw AttachmentFault.kind(title) }
    let file = AttachedFile(
      name: kind.name(title), kind: kind, digest: Digest.hexadecimal(bytes), bytes: bytes.count)
    // The rules for one file alone hold for it in any order.
    _ = try Attachments([file])
    guard Self.isWhole(bytes, kind) else { throw AttachmentFault.damaged(title) }
    try keep(bytes, file.digest, in: agency)
    return file
  }

  private static func isWhole(_ bytes: [UInt8], _ kind: AttachedFile.Kind) -> Bool {
    switch kind {
    case .jpeg:
      do {
        try JPEGPicture.verifyDecodes(bytes)
        return true
      } catch {
        return false
      }
    case .pdf:
      // A PDF ends with this mark; readers allow for a kilobyte behind it (ISO 32000-1, annex H.3).
      return bytes.suffix(1024 + 5).firstRange(of: Array("%%EOF".utf8)) != nil
    }
  }

  /// Keeps a picture or a sketch that shows what an item wants: a copy that is as large as a screen, upright,
  /// and without the metadata of the camera.
  /// - Parameter bytes: the picture; nil for one that is too large.
  /// - Returns: the digest of the copy.
  /// - Throws: `OfficeRefusal` (input-invalid, file-too-large, disk-low); `StoreError`.
  package func example(_ bytes: [UInt8]?, in agency: String) throws -> String {
    guard let bytes else {
      throw OfficeRefusal(
        .fileTooLarge, "the picture has more than \(Self.exampleBytesAtMost / 1_000_000) MB")
    }
    let copy: [UInt8]
    do {
      try JPEGPicture.verifyDecodes(bytes)
      copy = try Thumbnail.jpeg(of: bytes, .reference)
    } catch let error as ImageryError {
      throw OfficeRefusal(
        .inputInvalid, "the example picture cannot be used: choose a JPEG picture (\("\(error)"))")
    }
    let digest = Digest.hexadecimal(copy)
    try keep(copy, digest, in: agency)
    return digest
  }

  /// Returns true if a picture is one that an office has made for an item: as large as a screen, and without
  /// what a camera writes into its pictures.
  package static func isExample(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= copyBytesAtMost, isWhole(bytes, .jpeg),
      bytes.firstRange(of: Array("Exif\0\0".utf8)) == nil
    else { return false }
    do {
      let picture = try JPEGPicture.inspect(bytes)
      return max(picture.widthPixels, picture.heightPixels)
        <= Thumbnail.Size.reference.mostSidePixels
    } catch {
      return false
    }
  }

  /// Keeps an example that a template names, as it is.
  package func keepExample(_ bytes: [UInt8], in agency: String) throws {
    try keep(bytes, Digest.hexadecimal(bytes), in: agency)
  }

  /// Keeps bytes under their digest. Bytes that a disk has damaged give way.
  private func keep(_ bytes: [UInt8], _ digest: String, in agency: String) throws {
    let name = EvidenceName.orderFile(digest, agency: agency)
    if try photos.bytes(of: name).map(Digest.hexadecimal) == digest { return }
    try requireDisk()
    try photos.write(bytes, as: name)
  }

  /// Returns the path of a file on this machine; nil if it is elsewhere.
  /// - Throws: `OfficeRefusal` (unknown).
  package func path(of digest: String, in agency: String) throws -> String? {
    let name = EvidenceName.orderFile(digest, agency: agency)
    guard AttachedFile.isDigest(digest), try photos.holds(name) else { throw Self.unknown }
    return photos.path(of: name)
  }

  /// Returns a part of a file, and the number of bytes of the whole.
  /// - Throws: `OfficeRefusal` (unknown; input-invalid for a place behind its end).
  package func part(
    of digest: String, from: Int, in agency: String
  ) throws -> (bytes: [UInt8], length: Int) {
    func require(_ length: Int) throws {
      guard (0...length).contains(from) else {
        throw OfficeRefusal(.inputInvalid, "from is a number of bytes, 0 to \(length)")
      }
    }
    // Of a file on this machine, only the part is read.
    if let path = try path(of: digest, in: agency), let length = FileStatus(ofPath: path)?.bytes,
      let handle = FileHandle(forReadingAtPath: path)
    {
      defer { try? handle.close() }
      try require(length)
      try handle.seek(toOffset: UInt64(from))
      return (
        Array(try handle.read(upToCount: OrderFilePart.bytesAtMost) ?? Data()), length
      )
    }
    let bytes = try bytes(of: digest, in: agency)
    try require(bytes.count)
    return (Array(bytes[from...].prefix(OrderFilePart.bytesAtMost)), bytes.count)
  }

  /// Returns the bytes of a file.
  /// - Throws: `OfficeRefusal` (unknown).
  package func bytes(of digest: String, in agency: String) throws -> [UInt8] {
    guard AttachedFile.isDigest(digest),
      let bytes = try photos.bytes(of: EvidenceName.orderFile(digest, agency: agency))
    else { throw Self.unknown }
    return bytes
  }

  /// Returns the bytes of a file that a task brings.
  /// - Parameter inspector: the inspector whose task it has to be; nil for any.
  /// - Returns: the attachment; nil for an example picture.
  /// - Throws: `OfficeRefusal` (unknown), also for a task that does not name the file.
  package func attachment(
    _ digest: String, ofTask id: Identifier, of inspector: String?, in agency: String
  ) async throws -> AttachedFile? {
    let (task, items) = try await database.read(in: agency, ofInspector: inspector) {
      (try $0.tasks.task(id), try $0.tasks.items(ofTasks: [id])[id]?.items)
    }
    if task.fileDigests(items).contains(digest) {
      return task.attachments.file(digest: digest)
    }
    // A file of an earlier order stays to be read at the office.
    guard inspector == nil,
      let earlier = try await earlier(ofTask: task, in: agency).first(where: { $0.digest == digest }
      )
    else { throw Self.unknown }
    return earlier
  }

  /// Returns the files that earlier orders of a task had, and the present one has not.
  package func earlier(
    ofTask task: InspectionTask, in agency: String
  ) async throws -> [AttachedFile] {
    let orders = try await database.read(in: agency) { try $0.tasks.earlierOrders(of: task.id) }
    var known = Set(task.attachments.list.map(\.digest))
    return orders.flatMap(\.attachments.list).filter { known.insert($0.digest).inserted }
  }

  private static var unknown: OfficeRefusal {
    OfficeRefusal(.unknown, "there is no such file here")
  }
}
