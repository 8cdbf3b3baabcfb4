import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// The bundle `exports/day.zip`, with the evidence of a day of the other samples' inspector.
/// Signatures differ each time, so that it is written anew only if something else has changed.
@Suite("The sample of a bundle", .serialized)
struct SampleBundleTests {
  private static let path = Repository.root.appendingPathComponent("exports/day.zip").path
  private static let enrolled = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  /// Returns the device's key, whose number is 32 times the same byte: anybody can sign with it, so
  /// that nobody takes the sample for real evidence.
  static func key() throws -> SoftwareDeviceKey {
    // SEC 1: version 1, the number, and the curve that it belongs to.
    let curve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    let der =
      [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20] + [UInt8](repeating: 0x11, count: 32)
      + [0xA0, 0x0A, 0x06, 0x08] + curve
    let name = "EC PRIVATE KEY"
    let text = Data(der).base64EncodedString(
      options: [.lineLength64Characters, .endLineWithLineFeed])
    return try SoftwareDeviceKey(
      pem: "-----BEGIN \(name)-----\n\(text)\n-----END \(name)-----\n")
  }

  /// Returns a picture of the other samples, as a camera hands it over.
  private static func picture(_ number: Int) throws -> [UInt8] {
    let name = "Tests/Fixtures/day/019e8284-0000-7000-8000-00000000000\(number).jpg"
    return Array(try Data(contentsOf: Repository.root.appendingPathComponent(name)))
  }

  private static func places() throws -> [Coordinate] {
    try [(49.0836, 16.6382), (49.0837, 16.6391), (49.0842, 16.6390), (49.0841, 16.6381)].map {
      try FieldDay.place($0.0, $0.1)
    }
  }

  /// Returns a day with a photo from 20 samples and one from a single fix, a note, a walk with a
  /// gap, and two transitions.
  private static func day(
    _ prepare: (inout FieldDay) throws -> Void
  ) throws -> FieldDay {
    var day = try FieldDay(seed: 20_260_601, start: "2026-06-01T08:30:00Z")
    day.key = try key()
    day.person = Person(agency: "north", login: "ines", role: .inspector)
    day.software = "standpoint"
    try prepare(&day)
    let id = try #require(Identifier("019e8284-0000-7000-8000-000000000001"))
    var task = InspectionTask(
      id: id, agency: "north", inspector: "ines", name: "Beet <& \"clover\"> ]]>", created: day.now,
      parcel: Parcel(identifier: "CZ-4711/2", rings: [try places()]))
    try day.transition(.open, of: &task)
    let here = try FieldDay.place(49.083_82, 16.638_5)
    var orientation = Orientation(
      azimuthDegreesTrue: 20.4, elevationDegrees: -5.2, rollDegrees: 1.5, source: .stated)
    orientation.headingDegreesMagnetic = 16.1
    orientation.declinationDegrees = 4.3
    let first = try day.capture(
      at: here, sampler: try FieldDay.rules(20, .innermostLayer), task: task,
      picture: try picture(2), orientation: orientation)
    day.note("Žluté pole, мокро", task: task.id, photo: first)
    try day.capture(at: here, sampler: nil, task: task, picture: try picture(4))
    let start = day.now
    day.track(
      try places().enumerated().map { index, place in
        TrackPoint(
          kind: .recorded, time: start.advanced(bySeconds: Double(index) * 50).gnssTime,
          coordinate: place, ellipsoidalHeightMetres: 276, meanSeaLevelHeightMetres: 231.5,
          horizontalUncertaintyMetres95: 1.7, gapBefore: index == 2 ? .paused : nil,
          satellitesUsed: [14, nil, 12, 13][index], horizontalDilution: [0.7, nil, 1.1, 0.9][index])
      }, task: task.id)
    try day.transition(.provide, of: &task)
    return day
  }

  private static func made(_ day: FieldDay) -> DeviceTime { day.now.advanced(bySeconds: 3600) }

  /// Writes the sample: the office enrols the device, and signs for the whole day. The keys of the
  /// office are not kept.
  private static func make() throws {
    let authority = try Authority.make(name: "North Agency", at: enrolled)
    let officeKey = SoftwareDeviceKey()
    let office = try authority.certifyOffice(officeKey.publicKey, at: enrolled)
    var device: EvidenceCertificate?
    let day = try day { day in
      device = try authority.certify(
        day.key.publicKey, subject: CertifiedDay.subject(of: day), at: enrolled)
      day.ownCertificate = device
    }
    let receipt = try CertifiedDay.receipt(for: day, key: officeKey, certificate: office)
    var files = try day.folder()
    files[CertifiedDay.certificatePath] = Array(
      (try #require(device).pem + authority.certificate.pem).utf8)
    files[CertifiedDay.receiptPath] = Array(receipt.jws.utf8)
    try EvidenceBundle.write(
      files.contents.map { .init(path: $0.key, content: .bytes($0.value)) }, made: made(day),
      toFile: path,
      statement: CertifiedDay.signing(
        made: made(day), key: officeKey, certificate: office, agency: "north"))
  }

  /// Returns the names of the files that would be different if they were sealed now.
  private static func differences() throws -> [String] {
    let sample = try EvidenceArchive(path: path)
    let pem = String(decoding: try sample.bytes(of: CertifiedDay.certificatePath), as: UTF8.self)
    let certificates = try EvidenceCertificate.all(pem: pem)
    let day = try day { $0.ownCertificate = certificates.first }
    var files = try day.folder()
    files[EvidenceBundle.readmePath] = Array(
      BundleReadme.text(made: made(day), isListed: true).utf8)
    let signed: Set = [
      CertifiedDay.certificatePath, CertifiedDay.receiptPath, BundleList.path,
      BundleList.statementPath,
    ]
    let names = Set(files.paths).union(signed).symmetricDifference(sample.paths)
    let changed = try Set(files.paths).subtracting(names).filter { path in
      try content(path, try sample.bytes(of: path)) != content(path, try files.bytes(of: path))
    }
    return names.union(changed).sorted()
  }

  /// Returns the part of a file that does not depend on signatures.
  private static func content(_ path: String, _ bytes: [UInt8]) throws -> [UInt8] {
    if path.hasSuffix(".seal") { return try SealFile(bytes).recordBytes }
    if path.hasSuffix(".jpg") { return Array(try CaptureDigests.image(of: bytes).utf8) }
    // Another version of zlib may compress it differently.
    if path.hasSuffix(".raw") { return try Gzip.decompress(bytes, limit: 1 << 24) }
    return bytes
  }

  @Test("sealed anew with the same key, the day has the same names, records, windows and pictures")
  func fixture() throws {
    if Golden.isUpdated, (try? Self.differences().isEmpty) != true { try Self.make() }
    #expect(try Self.differences() == [])
  }

  @Test("it is intact, the office that it names has certified and received it, and it is small")
  func intact() throws {
    let archive = try EvidenceArchive(path: Self.path)
    let pem = String(decoding: try archive.bytes(of: CertifiedDay.certificatePath), as: UTF8.self)
    let authority = try #require(try EvidenceCertificate.all(pem: pem).last)
    let report = Verifier.verify(archive, scope: .whole, trust: .certificate(authority))
    expectIntact(report, seals: 6)
    #expect(report.issuer == .trusted)
    #expect(try Data(contentsOf: URL(fileURLWithPath: Self.path)).count < 200_000)
  }
}
