import Evidence
import Foundation
import Inspection
import NIOHTTP1
import Store
import Sync
import Synchronization
import TimeAndText

/// A link to an office whose orders carry files. An older office has none.
package protocol OrderFileLink: OfficeLink {
  /// Fetches a part of a file that a task brings.
  /// - Parameter offset: the number of bytes that are here already.
  /// - Returns: the next bytes, and the number of bytes of the whole file.
  func part(
    ofFile digest: String, ofTask id: Identifier, from offset: Int, token: String
  ) async throws -> (bytes: [UInt8], length: Int)
}

extension HTTPOfficeLink: OrderFileLink {
  package func part(
    ofFile digest: String, ofTask id: Identifier, from offset: Int, token: String
  ) async throws -> (bytes: [UInt8], length: Int) {
    let answer = try await exchange(
      .GET, "/api/v1/tasks/\(id)/files/\(digest)?from=\(offset)", token: token,
      accepted: "application/octet-stream")
    guard let length = answer.headers.first(name: OrderFilePart.lengthField).flatMap({ Int($0) })
    else { throw SyncError.malformedMessage("it does not say how long a file is") }
    return (answer.bytes, length)
  }
}

/// The files that the tasks of this device bring: attachments, and the example pictures of items. They
/// come after a delivery and stay while the task does. A file comes in parts, so that a network that
/// breaks off again and again brings it, too.
package final class OrderFileShelf: Sendable {
  /// The most bytes that the files of one inspector take together.
  package static let bytesAtMost = 1 << 30

  private let space: ShelfSpace

  /// Creates a shelf.
  /// - Parameter folder: the folder of everybody's files; it need not exist.
  package init(
    folder: String, bytesAtMost: Int = OrderFileShelf.bytesAtMost,
    hasRoom: @escaping @Sendable () -> Bool, log: @escaping @Sendable (String) -> Void
  ) {
    space = ShelfSpace(
      of: "files of orders", folder: folder, bytesAtMost: bytesAtMost, hasRoom: hasRoom, log: log)
  }

  /// Returns the path of a file that a task brings; nil if it is not here yet.
  package static func path(ofFile digest: String, on unit: InspectorUnit) -> String? {
    guard AttachedFile.isDigest(digest) else { return nil }
    let path = "\(ShelfSpace.folder(of: unit.person, in: unit.folder.orderFiles))/\(digest)"
    return FileStatus(ofPath: path) == nil ? nil : path
  }

  /// A file that a task brings.
  private struct Wanted {
    var task: Identifier
    var digest: String
  }

  /// Fetches the files that are missing, and removes those of tasks that are over. A failure is only
  /// logged; everything that is here stays.
  package func bring(from unit: InspectorUnit, over link: any OrderFileLink) async {
    do {
      let fetch = try SurroundingsFetch(of: unit)
      if space.isSoon(fetch) { return }
      let wanted = try Self.wanted(unit)
      let folder = space.folder(of: unit.person)
      guard !wanted.isEmpty || FileStatus(ofPath: folder) != nil else { return }
      try DurableFile.makeFolder(folder)
      // A command may fetch beside the running program, and both would write one part.
      guard let lock = try FileLock(space.root + "/lock") else { return }
      defer { lock.release() }
      let office = try OfficeConversation(of: unit, over: link)
      guard try await bring(wanted, into: folder, office, link) else { return }
      space.keep(fetch)
      space.log.allIsWell()
    } catch DeliveryError.olderOffice {
      // Its orders carry no files: nothing is wrong.
    } catch {
      space.log.say("\(error)")
    }
  }

  /// Returns the files of the tasks that are not decided, those first that the inspector works on.
  private static func wanted(_ unit: InspectorUnit) throws -> [Wanted] {
    let tasks = try unit.tasks().filter(\.bringsFiles)
    let ordered = tasks.filter(\.state.isEditable) + tasks.filter { !$0.state.isEditable }
    var known: Set<String> = []
    return try unit.store.read(as: unit.person) { session in
      try ordered.flatMap { task in
        try task.fileDigests(session.tasks.items(ofTask: task.id)?.items)
          .filter { known.insert($0).inserted }.map { Wanted(task: task.id, digest: $0) }
      }
    }
  }

  /// - Returns: true if everything is here.
  private func bring(
    _ wanted: [Wanted], into folder: String, _ office: OfficeConversation,
    _ link: any OrderFileLink
  ) async throws -> Bool {
    let digests = Set(wanted.map(\.digest))
    var taken = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let path = "\(folder)/\(name)"
      // A part that came is kept with its file's name before the point.
      if digests.contains(String(name.prefix { $0 != "." })) {
        taken += FileStatus(ofPath: path)?.bytes ?? 0
      } else {
        try DurableFile.remove(path)
      }
    }
    var isComplete = true
    for file in wanted where FileStatus(ofPath: "\(folder)/\(file.digest)") == nil {
      do {
        taken += try await bring(file, into: folder, room: space.bytesAtMost - taken, office, link)
      } catch DeliveryError.refused(_, let detail) {
        isComplete = false
        space.log.say("a file of task \(file.task) does not come: \(detail)")
      } catch let error as SyncError {
        isComplete = false
        space.log.say("a file of task \(file.task) is not taken: \(error)")
      }
    }
    return isComplete
  }

  /// Fetches what is missing of a file, and gives it its name when it is whole.
  /// - Returns: the number of bytes that came.
  private func bring(
    _ file: Wanted, into folder: String, room: Int, _ office: OfficeConversation,
    _ link: any OrderFileLink
  ) async throws -> Int {
    let part = "\(folder)/\(file.digest).part"
    var offset = FileStatus(ofPath: part)?.bytes ?? 0
    let start = offset
    while true {
      try space.requireRoom(in: folder)
      guard offset - start < room else {
        throw StoreError.unwritable(
          path: folder,
          reason: "the files of orders have \(space.bytesAtMost >> 20) MB, and no more are fetched")
      }
      let from = offset
      let next: (bytes: [UInt8], length: Int)
      do {
        next = try await office.asking {
          try await link.part(ofFile: file.digest, ofTask: file.task, from: from, token: $0)
        }
      } catch let error as DeliveryError {
        // The office's file ends before the bytes that are here: it is fetched from its beginning.
        if case .refused("input-invalid", _) = error {
          try DurableFile.remove(part)
        }
        throw error
      }
      guard next.length <= Attachments.bytesAtMost, offset + next.bytes.count <= next.length,
        !next.bytes.isEmpty || offset == next.length
      else {
        try DurableFile.remove(part)
        throw SyncError.malformedMessage("it is longer or shorter than the office says")
      }
      if !next.bytes.isEmpty { try DurableFile.append(next.bytes, to: part) }
      offset += next.bytes.count
      if offset == next.length { break }
    }
    guard Digest.hexadecimal(try DurableFile.read(part)) == file.digest else {
      try DurableFile.remove(part)
      throw SyncError.malformedMessage("its bytes are not those that the order names")
    }
    try DurableFile.rename(part, to: "\(folder)/\(file.digest)")
    try DurableFile.syncFolder(folder)
    return offset - start
  }
}
