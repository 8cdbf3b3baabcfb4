import Positioning
import TimeAndText

/// A file in the folder of stored orbits, as it is shown to people.
package struct StoredOrbitFile: Sendable {
  /// The file's name in the folder.
  package var name: String
  /// The file's format; nil if it cannot be read.
  package var kind: OrbitFile.Kind?
  /// The number of satellites that it has orbits for.
  package var satellites = 0
  /// The time of its newest orbit; nil if it has none or cannot be read.
  package var newest: DeviceTime?
  /// The problem of the file; nil if there is none.
  package var problem: Wording?
}

/// The reasons why bytes are not stored as orbits. The stored files stay as they are.
package enum OrbitRefusal: Error, Worded {
  /// The bytes cannot be read.
  case unreadable(OrbitFileError)
  /// All orbits are more than 30 days away from now.
  case old(newest: DeviceTime)
  /// The file is larger than accepted.
  case tooLarge(megabytes: Int)
  /// No file was chosen.
  case nothing

  /// The stable code of the error, for programs.
  package var code: String {
    switch self {
    case .unreadable(let error): error.code
    case .old: "orbits-old"
    case .tooLarge: "orbits-too-large"
    case .nothing: "orbits-missing"
    }
  }

  package var wording: Wording {
    switch self {
    case .unreadable(let error): "this file of orbits cannot be used: \(error)"
    case .old(let newest):
      "the newest orbit in this file is from \(newest.date.iso8601), more than 30 days away, and"
        + " cannot be used. Get a newer file, and check the device's clock"
    case .tooLarge(let megabytes): "a file of orbits can have at most \(megabytes) MB"
    case .nothing: "no file was chosen"
    }
  }
}

/// All stored orbits at one moment.
package struct StoredOrbits: Sendable {
  /// The files, by name.
  package var files: [StoredOrbitFile] = []
  /// For each satellite the orbit nearest to the time of reading, however old.
  package var orbits: [SatelliteOrbit] = []
  /// True while files are being read.
  package var isReading = false
  /// The result of the configured address; nil if there is none, or before the first try.
  package var fetch: FetchStatus?

  /// The result of fetching from the configured address.
  package struct FetchStatus: Sendable {
    package var address: String
    /// The time of the last success; nil before the first.
    package var fetched: DeviceTime?
    /// The reason why the last try failed; nil if it succeeded.
    package var problem: Wording?
  }
}
