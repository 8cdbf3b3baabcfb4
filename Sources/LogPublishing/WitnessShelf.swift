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

  /// The log's name; nil for a key that somebody has damaged.
  var name: String? { try? NoteKey(key).name }
}

/// A witness that signs this office's checkpoints.
package struct UsedWitness: Codable, Hashable, Sendable {
  /// The beginning of its addresses.
  package var url: String
  /// Its key, as `NAME+ID+KEY`.
  package var key: String
  /// The name of the log that it signed last: a new key of this office is a new log.
  package var log: String?
  /// How it went.
  package var state = OutsideState()
}

/// The files of an office's witnessing, below its data: the logs that it watches, and the witnesses that it asks.
struct WitnessShelf: Sendable {
  let folder: String

  init(officeFolder: String) { folder = officeFolder + "/witness" }

  /// The logs that this office watches.
  var logs: SettingsFile<[WatchedLog]> { file("logs") }

  /// The witnesses that this office asks.
  var witnesses: SettingsFile<[UsedWitness]> { file("witnesses") }

  private func file<Value>(_ name: String) -> SettingsFile<[Value]> {
    SettingsFile(path: "\(folder)/\(name).json", standard: [], remedy: "take it from a backup")
  }
}
