import Evidence
import Inspection
import Store
import Sync
import TimeAndText

extension Operation {
  /// Lists the differences between database and photo store: named files that are missing or
  /// altered, files that no record names, and a log that does not hold together.
  public func differences() async throws -> [(subject: String, message: String)] {
    var comparison = StoreComparison(photos: photos)
    for agency in try await people.agencies() {
      let (devices, deleted) = try await database.read(in: agency.name) { session in
        (
          try session.devices.devices(of: nil),
          Set(try session.photos.list(.all).filter { $0.deletedReason != nil }.map(\.photo.id))
        )
      }
      for device in devices {
        try await compareRecords(of: device, deleted, in: agency.name, &comparison)
      }
    }
    for agency in try await people.agencies() {
      try await database.read(in: agency.name) { session in
        for service in services {
          try service.forEachFile(in: session) { name, digest in
            try comparison.compareFile(
              name, digest: digest, otherwise: "its bytes are not those that came")
          }
        }
        try session.points.forEachArchivePicture { name, digest in
          try comparison.compareFile(
            name, digest: digest, otherwise: "its bytes are not those that were uploaded")
        }
      }
    }
    try comparison.addUnknownFiles()
    if let place = try await database.readRegistry({ try $0.brokenLogPlace() }) {
      comparison.differences.append(("log", "it does not hold together from entry \(place) on"))
    }
    return comparison.differences
  }

  /// Compares the seals and files of a device's records.
  /// - Parameter deleted: the photos that were deleted before they were sent, and have no files.
  private func compareRecords(
    of device: EnrolledDevice, _ deleted: Set<Identifier>, in agency: String,
    _ comparison: inout StoreComparison
  ) async throws {
    let links = try await database.read(in: agency) {
      try $0.chains.links(ofKey: device.key)
    }
    for case (let link, let file?) in links.map({ ($0.seal.link, $0.file) }) {
      try comparison.compareSeal(EvidenceName.seal(link.kind, link.id), bytes: file.bytes)
      guard !deleted.contains(link.id) else { continue }
      if [.track, .around, .turn].contains(link.kind),
        try await database.read(
          in: agency,
          {
            try $0.tracks.isDeleted(track: link.id) || $0.sets.isDeleted(set: link.id)
          })
      {
        continue
      }
      for named in file.parts {
        try comparison.compareFile(
          EvidenceName.part(named.part, link.kind, link.id), digest: named.digest,
          otherwise: "its bytes are not those that were sealed")
      }
    }
  }
}

/// A comparison of the photo store with the files that the database names.
private struct StoreComparison {
  let photos: any PhotoStore
  var differences: [(subject: String, message: String)] = []
  /// The names that the database names.
  private var known: Set<String> = []

  init(photos: any PhotoStore) {
    self.photos = photos
  }

  mutating func compareSeal(_ name: String, bytes: [UInt8]) throws {
    known.insert(name)
    if try photos.bytes(of: name) != bytes {
      differences.append((name, "it is not the seal that the database holds"))
    }
  }

  /// - Parameter message: the difference if the file has another digest.
  mutating func compareFile(
    _ name: String, digest: String, otherwise message: String
  ) throws {
    known.insert(name)
    guard let bytes = try photos.bytes(of: name) else {
      differences.append((name, "it is missing"))
      return
    }
    if Digest.hexadecimal(bytes) != digest { differences.append((name, message)) }
  }

  /// Adds the stored files that were not compared, because the database does not name them.
  mutating func addUnknownFiles() throws {
    let kinds = RecordKind.allCases.map { $0.folder + "/" }
    for name in try photos.names()
    where kinds.contains(where: name.hasPrefix) && !known.contains(name) {
      differences.append((name, "the database does not know it"))
    }
  }
}
