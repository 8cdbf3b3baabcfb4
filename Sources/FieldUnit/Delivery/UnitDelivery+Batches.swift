import Evidence
import Foundation
import Inspection
import KeyTokens
import Store
import Sync
import TimeAndText

/// A file that a batch announces.
package struct BatchFile: Sendable {
  /// The identifier of the photo or of the track; for a raw window that of its photo.
  package var thing: Identifier
  package var digest: String
  package var path: String
  package var bytes: Int
  /// True for a raw window, which is counted together with its photo.
  var isRaw: Bool
}

/// A batch's message as values, and the stored bytes that are sent.
struct KeptBatch: Sendable {
  var message: BatchMessage
  var stored: StoredBatch
}

extension UnitDelivery {
  /// Returns a batch that was made earlier.
  func keptBatch(_ id: Identifier) throws -> KeptBatch {
    let stored = try store.read(as: person) { try $0.batches.batch(id) }
    return KeptBatch(message: try BatchMessage(stored.message), stored: stored)
  }

  /// Makes a batch of wholes, or of the next part of one whole.
  /// - Returns: the batch, nil if nothing is left to be sent; and the wholes that have a file that
  ///   cannot be read, each with its error.
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
        let all = try session.chain.undeliveredSeals(ofWhole: whole)
        guard let key = seals.first?.seal.link.key ?? all.first?.seal.link.key, !all.isEmpty else {
          // Another batch has brought everything of this whole to the office.
          try session.outbox.removeDelivered(whole: whole)
          continue
        }
        let (part, isWhole) = BatchPlan.part(of: all, key: key)
        do {
          files.formUnion(try announced(part, session))
        } catch let error as DeliveryError {
          unreadable.append((whole, error))
          continue
        }
        // Records that another key has sealed go in a batch of their own.
        if part.isEmpty { continue }
        seals += part
        taken.append(whole)
        isLast = isLast && isWhole
      }
      guard let key = seals.first?.seal.link.key else { return (nil, unreadable) }
      seals.sort { $0.seal.link.sequence < $1.seal.link.sequence }
      let ids = Set(seals.map(\.seal.link.id))
      let entries = try taken.flatMap(session.outbox.entries(ofWhole:))
      let batch = try keep(
        seals, files.sorted { $0.digest < $1.digest }, ofKey: key, session,
        entries: isLast ? entries : entries.filter(ids.contains), ofWholes: taken)
      return (batch, unreadable)
    }
  }

  /// Makes a batch of seals in the order of the chain, with the bare links between them, and stores
  /// it.
  private func keep(
    _ seals: [SealFile], _ files: [BatchMessage.File], ofKey key: String, _ session: FieldSession,
    entries: [Identifier] = [], ofWholes wholes: [Identifier] = []
  ) throws -> KeptBatch {
    let now = clock.deviceTime
    let delivered = try session.batches.deliveredHead(ofKey: key)
    let last = seals.last?.seal.link.sequence ?? 0
    let links = try session.chain.links(
      ofKey: key, after: delivered, upTo: last, except: Set(seals.map(\.seal.digest)))
    let batch = BatchMessage(
      id: Identifier(at: now), key: key, made: now, links: links, seals: seals, files: files,
      challenges: ChallengeShelf(root: folder.root).texts(
        of: Set(seals.compactMap { CaptureChallenge.digest(in: $0.record) })))
    let stored = StoredBatch(
      id: batch.id, key: key, head: max(last, delivered), message: batch.bytes)
    try session.batches.insert(stored, at: now, entries: entries, ofWholes: wholes)
    return KeptBatch(message: batch, stored: stored)
  }

  /// Makes a batch of the steps of tasks that are still in the inspector's hands: opened, taken
  /// back, noted on, and the answers to their items unless the agency's rules keep them until Send. The
  /// office hears of these steps at the next chance; photos and tracks stay here until Send.
  /// - Returns: nil if there are no new steps.
  func makeStepBatch() throws -> KeptBatch? {
    try store.write(as: person) { session in
      let policy = try InspectorUnit.policy(session)?.policy
      let withheld = try session.tasks.listings().filter { task in
        let rules = policy?.rules(forType: task.type) ?? CaptureRules()
        return task.state.isEditable && !rules.flag(.answersAhead)
      }
      let all = try session.chain.undeliveredSteps(
        limit: BatchPlan.largestBatch, withheld: withheld.map(\.id))
      guard let key = all.first?.seal.link.key else { return nil }
      return try keep(all.filter { $0.seal.link.key == key }, [], ofKey: key, session)
    }
  }

  /// Returns the files of wholes that are in no batch yet, by whole and by digest. A whole that has
  /// an unreadable file is left out.
  func readableFiles(
    ofWholes wholes: [Identifier]
  ) throws -> [Identifier: [String: BatchFile]] {
    var files: [Identifier: [String: BatchFile]] = [:]
    var left = BatchPlan.largestBatch
    for whole in wholes where left > 0 {
      let things = try store.read(as: person) {
        try $0.outbox.waitingThings(ofWhole: whole, limit: left)
      }
      left -= things.count
      var own: [String: BatchFile] = [:]
      var isReadable = true
      for thing in things {
        let link = thing.seal.link
        for (digest, path, isRaw) in sealedFiles(of: thing) {
          guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
          else {
            isReadable = false
            continue
          }
          own[digest] = BatchFile(
            thing: link.id, digest: digest, path: path, bytes: size, isRaw: isRaw)
        }
      }
      if isReadable { files[whole] = own }
    }
    return files
  }

  /// Returns the files that seals name, without those whose bytes were deleted or removed here.
  /// - Throws: `DeliveryError.fileGone` if a file is missing without such a reason.
  private func announced(
    _ seals: [SealFile], _ session: FieldSession
  ) throws -> [BatchMessage.File] {
    var files: [BatchMessage.File] = []
    for file in seals {
      let link = file.seal.link
      if try session.chain.isDeleted(link.id) || session.photos.isRemoved(link.id)
        || session.sets.isRemoved(link.id)
      {
        continue
      }
      for (digest, path, _) in sealedFiles(of: file) {
        guard
          let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        else { throw DeliveryError.fileGone(path: path) }
        files.append(BatchMessage.File(digest: digest, bytes: size))
      }
    }
    return files
  }

  /// Returns a batch's files by digest, with their paths and present lengths: a file that was
  /// damaged when the batch was made may have been mended since.
  package func files(of batch: BatchMessage) -> [String: BatchFile] {
    var files: [String: BatchFile] = [:]
    let sizes = Dictionary(batch.files.map { ($0.digest, $0.bytes) }) { first, _ in first }
    for seal in batch.seals {
      for (digest, path, isRaw) in sealedFiles(of: seal) {
        // Two photos may share one raw window, and one of them may be deleted: any path that still
        // has a file will do.
        let length = FileStatus(ofPath: path)?.bytes
        if let announced = sizes[digest], length != nil || files[digest] == nil {
          files[digest] = BatchFile(
            thing: seal.seal.link.id, digest: digest, path: path, bytes: length ?? announced,
            isRaw: isRaw)
        }
      }
    }
    return files
  }

  /// Returns the digests and the paths of the files that a seal names; true for raw windows.
  func sealedFiles(of file: SealFile) -> [(digest: String, path: String, isRaw: Bool)] {
    let link = file.seal.link
    return file.parts.map {
      ($0.digest, folder.part($0.part, of: link.id, link.kind), $0.part.isRaw)
    }
  }
}
