import Positioning

/// A file in the folder of stored orbits, as people see it.
package struct StoredOrbitFile: Sendable {
  /// Its name in the folder.
  package var name: String
  /// What it is; nil where it cannot be read.
  package var kind: OrbitFile.Kind?
  /// How many satellites it tells of.
  package var satellites = 0
  /// When its newest orbit was current.
  package var newest: DeviceTime?
  /// What is wrong with it; nil where nothing is.
  package var problem: Wording?
}

/// Why bytes are not kept as stored orbits. What is stored stays as it is.
package enum OrbitRefusal: Error, Worded {
  /// They cannot be read.
  case unreadable(OrbitFileError)
  /// All of it is farther than 30 days from now.
  case old(newest: DeviceTime)
  /// There are more bytes than are taken.
  case tooLarge(megabytes: Int)
  /// No file was chosen.
  case nothing

  /// A stable word for programs.
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
      "the newest orbit in this file is of \(newest.date.iso8601), more than 30 days away: it promises"
        + " nothing. Fetch a newer file, and look whether the device's clock is right"
    case .tooLarge(let megabytes): "a file of orbits has at most \(megabytes) MB here"
    case .nothing: "no file was chosen"
    }
  }
}

/// Everything that is stored, at a moment.
package struct StoredOrbits: Sendable {
  /// The files, by name.
  package var files: [StoredOrbitFile] = []
  /// For each satellite the orbit nearest to when they were read, however old.
  package var orbits: [SatelliteOrbit] = []
  /// Whether files are being read just now.
  package var isReading = false
  /// What came of the configured address; nil where there is none, or before the first try.
  package var fetch: FetchStatus?

  /// What came of fetching from the configured address.
  package struct FetchStatus: Sendable {
    package var address: String
    /// When it went well last.
    package var fetched: DeviceTime?
    /// Why the last try came to nothing; nil where it did not.
    package var problem: Wording?
  }
}
