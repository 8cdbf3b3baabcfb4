import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence

@Suite("Reading the points of a track's file")
struct TrackFileReaderTests {
  private let id = Identifier("019e8284-0000-7000-8000-000000000001")

  private func track(_ random: inout SeededGenerator) throws -> Track {
    let start = DeviceTime(millisecondsSince1970: 1_780_302_600_000)
    var track = Track(
      id: try #require(id), agency: "north", inspector: "ines", task: nil, name: "Walk",
      started: start, isSimulated: false)
    func maybe(_ range: ClosedRange<Double>) -> Double? {
      Bool.random(using: &random) ? Double.random(in: range, using: &random) : nil
    }
    for second in 0..<Int.random(in: 0...60, using: &random) {
      let time = start.advanced(bySeconds: Double(second) * 4321.007).gnssTime
      track.points.append(
        TrackPoint(
          kind: [.recorded, .vertex, .centroidVertex][Int.random(in: 0..<3, using: &random)],
          time: Bool.random(using: &random) ? time : time.on(nil),
          coordinate: try #require(
            Coordinate(
              latitudeDegrees: .random(in: -90...90, using: &random),
              longitudeDegrees: .random(in: -180...180, using: &random))),
          ellipsoidalHeightMetres: maybe(-500...9000), meanSeaLevelHeightMetres: maybe(-500...9000),
          horizontalUncertaintyMetres95: maybe(0...200),
          gapBefore: second % 7 == 3 ? .silence : nil,
          satellitesUsed: maybe(0...40).map { Int($0) }, horizontalDilution: maybe(0.5...20)))
    }
    return track
  }

  /// Returns the points that the general reader reads from a file; nil if it refuses the file.
  private func general(_ file: [UInt8]) throws -> [TrackPoint]? {
    // A leading blank keeps the JSON's meaning, and the quick reader leaves such a file alone.
    try? seal().trackPoints(file: [0x20] + file)
  }

  private func seal() throws -> SealFile {
    let record = JSONValue.object([:])
    let link = Link(
      key: "k", sequence: 1, previous: nil, kind: .track, id: try #require(id),
      record: Digest.hexadecimal(record.canonicalBytes), file: nil, raw: nil)
    return SealFile(record: record, seal: try Seal(link, with: SoftwareDeviceKey()))
  }

  @Test("the quick reader reads each canonical file, to the last bit as the general one")
  func alike() throws {
    try forEachSeed(0..<40) { seed, random in
      let own = try #require(id)
      let file = Record.trackFile(try track(&random))
      let quick = try #require(TrackFileReader.points(of: file, track: own), "seed \(seed)")
      let slow = try general(file)
      #expect(slow == quick, "seed \(seed)")
    }
  }

  @Test("a file with a byte changed, cut or added is read as the general reader reads it, or not")
  func hostile() throws {
    let file = try {
      var random = SeededGenerator(seed: 7)
      return Record.trackFile(try track(&random))
    }()
    var random = SeededGenerator(seed: 8)
    let own = try #require(id)
    for _ in 0..<3000 {
      var bytes = file
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeLast(bytes.count - place)
      default: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
      }
      if let quick = TrackFileReader.points(of: bytes, track: own) {
        let slow = try general(bytes)
        #expect(slow == quick, "\(place)")
      }
    }
  }
}
