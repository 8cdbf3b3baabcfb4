import Evidence
import Foundation
import Geodesy
import Positioning
import Receivers
import Telling
import TimeAndText

/// The satellites that should be in the sky, by orbits that were stored before.
struct SkyForecast {
  let satellites: [Satellite]
  let time: DeviceTime
  let position: Coordinate
  /// The times of the orbits used, the oldest and the newest.
  let broadcasts: (oldest: DeviceTime, newest: DeviceTime)

  /// Reads the orbits and computes the satellites.
  /// - Parameters:
  ///   - files: RINEX navigation files, two-line elements, YUMA almanacs.
  ///   - isNamed: true if a person named the files, so that each must hold orbits; of files that
  ///     were found, one has to.
  /// - Throws: `ExitStatus`, after the reason was written.
  init(
    files: [String], isNamed: Bool, at time: DeviceTime, from position: Coordinate
  ) throws {
    var orbits: [SatelliteOrbit] = []
    for file in files {
      var bytes: [UInt8] = []
      try LogReader.read(file) { if bytes.count < 64 << 20 { bytes += $0 } }
      do {
        let read = try OrbitFile(bytes, near: time)
        orbits += read.orbits
        if read.passedOver > 0 {
          Terminal.complain(
            "standpoint: \(file): \(read.passedOver) skipped: not navigation satellites, or their"
              + " names do not contain the number")
        }
      } catch {
        let words = "\(file): \(error)"
        guard !isNamed, file != files.last || !orbits.isEmpty else {
          throw ExitStatus.explained(.badInput, words)
        }
        Terminal.complain("standpoint: \(words); skipped")
      }
    }
    let nearest = SatelliteOrbit.nearest(orbits, to: time)
    let current = SatelliteOrbit.current(nearest, at: time)
    let references = current.map(\.reference).sorted()
    guard let oldest = references.first, let newest = references.last else {
      let days = nearest.map { $0.age(at: time) / 86_400 }.min() ?? 0
      throw ExitStatus.explained(
        .refused,
        "the nearest stored orbits are \(DecimalText.fixed(days, places: 0)) days away from"
          + " \(time.rfc3339), and after"
          + " \(DecimalText.fixed(SatelliteOrbit.longestAgeDays, places: 0)) they cannot be used:"
          + " get a newer file")
    }
    satellites = SatelliteOrbit.expected(current, at: time, from: position)
    self.time = time
    self.position = position
    broadcasts = (oldest, newest)
  }

  /// Returns the stored files: those named, otherwise all of the data directory's `orbits/`.
  static func files(named: [String], in dataDirectory: URL) throws -> [String] {
    guard named.isEmpty else { return named }
    let folder = dataDirectory.appendingPathComponent("orbits")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let files = names.sorted().map { folder.appendingPathComponent($0).path }.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    guard !files.isEmpty else {
      throw ExitStatus.explained(
        .unavailable,
        "no stored orbits: put a RINEX navigation file (BRDC….rnx) or two-line elements into"
          + " \(folder.path), or name a file with --orbits")
    }
    return files
  }

  func json(_ satellites: [Satellite]) -> JSONValue {
    .members([
      ("at", .string(time.rfc3339)),
      (
        "position",
        .members([
          ("latitude", .rounded(position.latitudeDegrees, 7)),
          ("longitude", .rounded(position.longitudeDegrees, 7)),
        ])
      ), ("oldestOrbit", .string(broadcasts.oldest.rfc3339)),
      ("newestOrbit", .string(broadcasts.newest.rfc3339)),
      (
        "satellites",
        .array(
          satellites.map { satellite in
            .members(satellite.place)
          })
      ),
    ])
  }

  /// The basis of the forecast, for people: its time, and the age of the oldest orbit.
  var basis: String {
    let days = (time.millisecondsSince1970 - broadcasts.oldest.millisecondsSince1970).magnitude
    let age = DecimalText.fixed(Double(days) / 86_400_000, places: 1)
    return "expected at \(time.rfc3339), by orbits up to \(age) days away"
  }
}

extension Satellite {
  /// The satellite's identity and its place in the sky, written alike for heard and expected satellites.
  var place: [(String, JSONValue?)] {
    [
      ("constellation", .string(constellation.name)), ("id", .integer(id)),
      ("azimuth", azimuthDegrees.map { .rounded($0, 1) }),
      ("elevation", elevationDegrees.map { .rounded($0, 1) }),
    ]
  }
}
