import Foundation
import Office
import Store
import TimeAndText
import Transparency

/// The stamped checkpoints of an office, and the proofs that they have entries of its log, for one bundle.
package struct StampedProofs: OfficeService {
  /// A stamped checkpoint.
  package struct Checkpoint: Sendable {
    /// The number of entries.
    package var size: Int
    /// The checkpoint as it was stamped.
    package var note: SignedNote
    /// Its files, by their names: the checkpoint, its stamps, and what belongs to them.
    package var files: [(name: String, bytes: [UInt8])]
  }

  package let core: OfficeCore
  private let log: PublicLog
  private let shelf: StampShelf
  /// The checkpoints of which nothing is known yet or that serve, those of fewest entries first.
  private var places: [StampShelf.Stamped]
  private var read: [String: Checkpoint] = [:]

  /// Lists the stamped checkpoints of an office.
  /// - Throws: `StoreError`.
  package init(core: OfficeCore) throws {
    self.core = core
    log = PublicLog(core: core)
    shelf = StampShelf(officeFolder: core.configuration.folder.path)
    places = try shelf.stamped()
  }

  /// The checkpoints of the proofs that were given.
  package var used: [Checkpoint] { read.values.sorted { $0.size < $1.size } }

  /// Returns the proof that the first stamped checkpoint behind an entry has it, and that checkpoint's size; nil if
  /// there is none. One that cannot be read, or is not of this log any more, is told in the office's own log and left
  /// out: evidence is handed on whatever became of it.
  package mutating func proof(
    ofEntry entry: Int, line: [UInt8]
  ) async throws -> (size: Int, text: String)? {
    while let place = places.first(where: { $0.size >= entry }) {
      do {
        if let checkpoint = try read[place.path] ?? checkpoint(at: place) {
          let text = try await log.proof(
            ofEntry: entry, line: line, in: checkpoint.note, mends: true)
          read[place.path] = checkpoint
          return (checkpoint.size, text)
        }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        configuration.log("timestamps: \(place.path): \(error)")
      }
      places.removeAll { $0.path == place.path }
    }
    return nil
  }

  /// Reads a checkpoint; nil if no authority has answered yet.
  private func checkpoint(at place: StampShelf.Stamped) throws -> Checkpoint? {
    let names = try shelf.files(of: place)
    guard names.contains(where: { $0.hasSuffix(".tsr") }) else { return nil }
    let files = try names.map { (name: $0, bytes: try DurableFile.read("\(place.path)/\($0)")) }
    guard let bytes = files.first(where: { $0.name == "checkpoint" })?.bytes else {
      throw StoreError.unavailable(path: "\(place.path)/checkpoint", reason: "it is missing")
    }
    return Checkpoint(size: place.size, note: try SignedNote(bytes: bytes), files: files)
  }
}
