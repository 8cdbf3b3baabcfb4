import Foundation
import Store
import TimeAndText
import Transparency

/// A log of another office that this one witnesses.
package struct WatchedLog: Codable, Hashable, Sendable {
  /// The log's key, as `NAME+ID+KEY`.
  package var key: String
  /// The number of entries of the checkpoint that was signed last; nil before the first.
  package var size: Int?
  /// The hash of that checkpoint's tree (Base64).
  package var root: String?
  /// The time at which it was signed, as RFC 3339.
  package var signed: String?
  /// The line that was answered then.
  package var line: String?
}

/// A witness that signs this office's checkpoints.
package struct UsedWitness: Codable, Hashable, Sendable {
  /// The beginning of its addresses.
  package var url: String
  /// Its key, as `NAME+ID+KEY`.
  package var key: String
  /// The number of entries of the checkpoint of this log that it signed last; nil before the first.
  package var size: Int?
  /// The log that it signed then: another key is another log.
  package var log: String?
  /// The time at which it signed, as RFC 3339.
  package var signed: String?
  /// The fault of now, in English; nil if the last question was answered.
  package var problem: String?
  /// The time since which it has been wrong, as RFC 3339.
  package var problemSince: String?
}

/// The files of an office's witnessing, below its data: the logs that it watches, and the witnesses that it asks.
struct WitnessShelf: Sendable {
  let folder: String

  init(officeFolder: String) { folder = officeFolder + "/witness" }

  private var logsFile: String { folder + "/logs.json" }
  private var witnessesFile: String { folder + "/witnesses.json" }

  private func read<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
    guard FileStatus(ofPath: path) != nil else { return nil }
    let bytes = try DurableFile.read(path)
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw StoreError.unavailable(path: path, reason: "it is damaged: take it from a backup")
    }
  }

  private func change<Value: Codable>(
    _ path: String, _ none: Value, _ body: (inout Value) throws -> Void
  ) throws {
    try DurableFile.makeFolder(folder)
    try DurableFile.withLock(folder + "/lock") {
      var value = try read(path, as: Value.self) ?? none
      try body(&value)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try DurableFile.replace(path, with: Array(try encoder.encode(value)) + [0x0A])
    }
  }

  /// The logs that this office watches.
  func logs() throws -> [WatchedLog] { try read(logsFile, as: [WatchedLog].self) ?? [] }

  /// Changes the logs; nobody else changes them meanwhile. The change is durable on return.
  func changeLogs(_ body: (inout [WatchedLog]) throws -> Void) throws {
    try change(logsFile, [], body)
  }

  /// The witnesses that this office asks.
  func witnesses() throws -> [UsedWitness] {
    try read(witnessesFile, as: [UsedWitness].self) ?? []
  }

  /// Changes the witnesses.
  func changeWitnesses(_ body: (inout [UsedWitness]) throws -> Void) throws {
    try change(witnessesFile, [], body)
  }
}
