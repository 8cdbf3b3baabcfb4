import Evidence
import Foundation
import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText

extension OfficeSeed {
  private static let pointsInTrack = 1800
  private static let tracksInTransaction = 20

  /// A made-up device that seals an inspector's made-up tracks; its key is thrown away afterwards.
  private struct MadeDevice {
    let name: String
    let key = SoftwareDeviceKey()
    let person: Person
    var sequence = 0
    var previous: String?

    init(_ person: Person) {
      self.person = person
      name = "seed-\(person.login)"
    }

    mutating func seal(_ record: JSONValue, _ id: Identifier, file: [UInt8]) throws
      -> SealFile
    {
      sequence += 1
      let link = Link(
        key: key.publicKey.thumbprint, sequence: sequence, previous: previous, kind: .track,
        id: id, record: Digest.hexadecimal(record.canonicalBytes), file: Digest.hexadecimal(file),
        raw: nil)
      let seal = try Seal(link, with: key)
      previous = seal.digest
      return SealFile(record: record, seal: seal)
    }
  }

  /// Makes tracks without a task, half an hour each with a point each second, as their inspectors'
  /// devices would have delivered them.
  /// - Parameter progress: called with the number of points added.
  mutating func fillTracks(at now: DeviceTime, _ progress: (Int) -> Void) async throws {
    guard size.trackPoints > 0, !villages.isEmpty else { return }
    let count = (size.trackPoints + Self.pointsInTrack - 1) / Self.pointsInTrack
    var devices: [MadeDevice] = []
    for number in 1...min(count, Self.inspectors) {
      devices.append(try await enrol("inspector\(number)", at: now))
    }
    var made: [(SealFile, Track)] = []
    var points = 0
    for number in 0..<count {
      let own = min(Self.pointsInTrack, size.trackPoints - number * Self.pointsInTrack)
      let at = number % devices.count
      let track = makeTrack(number, of: devices[at].person, points: own, at: now)
      let file = Record.trackFile(track)
      let context = RecordContext(
        person: devices[at].person, device: devices[at].name,
        key: devices[at].key.publicKey.thumbprint, software: office.configuration.software,
        isSimulated: true)
      let seal = try devices[at].seal(Record.track(track, in: context), track.id, file: file)
      try office.photos.write(file, as: EvidenceName.file(.track, track.id))
      try office.photos.write(seal.bytes, as: EvidenceName.seal(.track, track.id))
      made.append((seal, track))
      points += own
      guard made.count == Self.tracksInTransaction || number == count - 1 else { continue }
      try await office.database.write(in: Self.agency) { session in
        for (seal, track) in made {
          try session.chains.keep(ReceivedLink(seal), inspector: track.inspector, at: now)
          try session.tracks.insert(
            track: track.id, inspector: track.inspector, task: nil, lateTask: nil, name: track.name,
            started: track.started, at: now, deletedReason: nil,
            measures: track.measures)
        }
      }
      progress(points)
      points = 0
      made.removeAll(keepingCapacity: true)
    }
    for device in devices {
      try await office.derived.write(of: device.key.publicKey.thumbprint, in: Self.agency)
    }
  }

  private func enrol(_ login: String, at now: DeviceTime) async throws -> MadeDevice {
    let device = MadeDevice(Person(agency: Self.agency, login: login, role: .inspector))
    let certificate = try office.core.authority.certify(
      device.key.publicKey,
      subject: DeviceSubject(agency: Self.agency, inspector: login, device: device.name), at: now)
    try await office.database.write(in: Self.agency) { session in
      try session.devices.insert(
        EnrolledDevice(
          key: device.key.publicKey.thumbprint, inspector: login, device: device.name,
          certificate: certificate.pem, software: office.configuration.software, enrolled: now))
    }
    return device
  }

  /// Makes a walk that turns a little with each step.
  private mutating func makeTrack(
    _ number: Int, of person: Person, points: Int, at now: DeviceTime
  ) -> Track {
    let started = now.advanced(
      bySeconds: -Double.random(in: 1...180, using: &extras) * 86_400)
    let village = villages[Int.random(in: 0..<villages.count, using: &extras)]
    var (latitude, longitude) = (village.latitude, village.longitude)
    latitude += Double.random(in: -0.02...0.02, using: &extras)
    longitude += Double.random(in: -0.03...0.03, using: &extras)
    var heading = Double.random(in: 0..<(2 * Double.pi), using: &extras)
    var track = Track(
      id: Identifier(at: started, using: &extras), agency: person.agency, inspector: person.login,
      task: nil, name: "Made-up walk \(number + 1)", started: started,
      ended: started.advanced(bySeconds: Double(points)), isSimulated: true, sent: now,
      delivered: now)
    track.points.reserveCapacity(points)
    for second in 0..<points {
      heading += Double.random(in: -0.1...0.1, using: &extras)
      latitude += 1.2 * cos(heading) / 111_000
      longitude += 1.2 * sin(heading) / 71_500
      guard
        let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else { break }
      track.points.append(
        TrackPoint(
          kind: .recorded, time: started.advanced(bySeconds: Double(second)).gnssTime,
          coordinate: place, ellipsoidalHeightMetres: 300,
          horizontalUncertaintyMetres95: Double.random(in: 0.8...3, using: &extras)))
    }
    return track
  }
}
