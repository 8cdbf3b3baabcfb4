import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync

/// A file that a batch announces.
package struct BatchFile: Sendable {
  /// The photo, the raw window's photo, or the track.
  package var thing: Identifier
  package var digest: String
  package var path: String
  package var bytes: Int
  /// Whether it goes with a photo: then it is counted with it.
  var isRaw: Bool
}

/// A batch as it is sent, and the bytes that are.
struct KeptBatch: Sendable {
  var message: BatchMessage
  var stored: StoredBatch
}

extension InspectorUnit {
  /// A batch that was begun earlier.
  func keptBatch(_ id: Identifier) throws -> KeptBatch {
    let stored = try store.read(as: person) { try $0.batch(id) }
    return KeptBatch(message: try BatchMessage(stored.message), stored: stored)
  }

  /// A new batch of wholes, or of the next part of one.
  /// - Returns: the batch, nil when nothing is left to be sent; and of which wholes a file cannot be read.
  func makeBatch(
    of wholes: [Identifier]
  ) throws -> (batch: KeptBatch?, unreadable: [(Identifier, DeliveryError)]) {
    try store.write(as: person) { session in
      var unreadable: [(Identifier, DeliveryError)] = []
      var seals: [SealFile] = []
      var files: Set<BatchMessage.File> = []
      var taken: [Identifier] = []
      var isLast = true
      for whole in wholes {
        let all = try session.undeliveredSeals(ofWhole: whole)
        guard let key = seals.first?.seal.link.key ?? all.first?.seal.link.key, !all.isEmpty else {
          // All of it came to the office in another batch.
          try session.removeDelivered(whole: whole)
          continue
        }
        let (part, isWhole) = BatchPlan.part(of: all, key: key)
        do {
          files.formUnion(try announced(part, session))
        } catch let error as DeliveryError {
          unreadable.append((whole, error))
          continue
        }
        // What another key has sealed goes in a batch of its own.
        if part.isEmpty { continue }
        seals += part
        taken.append(whole)
        isLast = isLast && isWhole
      }
      guard let key = seals.first?.seal.link.key else { return (nil, unreadable) }
      seals.sort { $0.seal.link.sequence < $1.seal.link.sequence }
      let ids = Set(seals.map(\.seal.link.id))
      let entries = try taken.flatMap(session.outboxEntries(ofWhole:))
      let batch = try keep(
        seals, files.sorted { $0.digest < $1.digest }, ofKey: key, session,
        entries: isLast ? entries : entries.filter(ids.contains), ofWholes: taken)
      return (batch, unreadable)
    }
  }

  /// Makes a batch of seals in the order of their places, with the bare links between them, and keeps it.
  private func keep(
    _ seals: [SealFile], _ files: [BatchMessage.File], ofKey key: String, _ session: FieldSession,
    entries: [Identifier] = [], ofWholes wholes: [Identifier] = []
  ) throws -> KeptBatch {
    let now = clock.deviceTime
    let delivered = try session.deliveredHead(ofKey: key)
    let last = seals.last?.seal.link.sequence ?? 0
    let links = try session.links(
      ofKey: key, after: delivered, upTo: last, except: Set(seals.map(\.seal.digest)))
    let batch = BatchMessage(
      id: Identifier(at: now), key: key, made: now, links: links, seals: seals, files: files)
    let stored = StoredBatch(
      id: batch.id, key: key, head: max(last, delivered), message: batch.bytes)
    try session.insert(stored, at: now, entries: entries, ofWholes: wholes)
    return KeptBatch(message: batch, stored: stored)
  }

  /// What was done with tasks that are still in the inspector's hands: opened, taken back, written on. The office hears of
  /// it at the next chance; photos and tracks stay here until Send. Nil when there is nothing new.
  func makeStepBatch() throws -> KeptBatch? {
    try store.write(as: person) { session in
      let all = try session.undeliveredSteps(limit: BatchPlan.largestBatch)
      guard let key = all.first?.seal.link.key else { return nil }
      return try keep(all.filter { $0.seal.link.key == key }, [], ofKey: key, session)
    }
  }

  /// The files of wholes that are in no batch yet, by whole and digest; of one that lacks a file nothing.
  func readableFiles(
    ofWholes wholes: [Identifier]
  ) throws -> [Identifier: [String: BatchFile]] {
    var files: [Identifier: [String: BatchFile]] = [:]
    var left = BatchPlan.largestBatch
    for whole in wholes where left > 0 {
      let links = try store.read(as: person) { try $0.waitingLinks(ofWhole: whole, limit: left) }
      left -= links.count
      var own: [String: BatchFile] = [:]
      var isReadable = true
      for link in links {
        for (digest, path) in sealedFiles(of: link) {
          guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
          else {
            isReadable = false
            continue
          }
          own[digest] = BatchFile(
            thing: link.id, digest: digest, path: path, bytes: size, isRaw: digest == link.raw)
        }
      }
      if isReadable { files[whole] = own }
    }
    return files
  }

  /// The files that seals name, but those whose bytes are gone from here with a reason.
  private func announced(
    _ seals: [SealFile], _ session: FieldSession
  ) throws -> [BatchMessage.File] {
    var files: [BatchMessage.File] = []
    for file in seals {
      let link = file.seal.link
      if try session.isDeleted(link.id) || session.isRemoved(link.id) { continue }
      for (digest, path) in sealedFiles(of: link) {
        guard
          let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        else { throw DeliveryError.fileGone(path: path) }
        files.append(BatchMessage.File(digest: digest, bytes: size))
      }
    }
    return files
  }

  /// Where a batch's files lie, and how long they are now: one that was damaged when the batch was made may be whole
  /// again.
  package func files(of batch: BatchMessage) -> [String: BatchFile] {
    var files: [String: BatchFile] = [:]
    let sizes = Dictionary(batch.files.map { ($0.digest, $0.bytes) }) { first, _ in first }
    for seal in batch.seals {
      for (digest, path) in sealedFiles(of: seal.seal.link) {
        // Of two photos with one raw window one may be deleted: any place that is still there will do.
        let length = FileStatus(ofPath: path)?.bytes
        if let announced = sizes[digest], length != nil || files[digest] == nil {
          files[digest] = BatchFile(
            thing: seal.seal.link.id, digest: digest, path: path, bytes: length ?? announced,
            isRaw: digest == seal.seal.link.raw)
        }
      }
    }
    return files
  }

  /// The files that a link names, and where they lie.
  func sealedFiles(of link: Link) -> [(digest: String, path: String)] {
    var files: [(String, String)] = []
    switch link.kind {
    case .capture:
      if let digest = link.file { files.append((digest, folder.file(.photos, link.id))) }
      if let digest = link.raw { files.append((digest, folder.raw(link.id))) }
    case .track:
      if let digest = link.file { files.append((digest, folder.file(.tracks, link.id))) }
    case .note, .transition, .deletion: break
    }
    return files
  }
}
