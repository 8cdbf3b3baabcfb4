import Inspection
import Judgement
import Store
import Sync
import TimeAndText

/// The disk space that an agency's deliveries have taken, and may take.
public struct AgencyStorage: Hashable, Sendable {
  /// The bytes of photos, raw windows and tracks that deliveries have brought.
  public var storedBytes: Int
  /// The greatest number of bytes allowed; nil if there is no limit.
  public var quotaBytes: Int?
}

/// The room that deliveries take on the disk and of their agency's quota.
package struct Room: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let people: People
  let unclaimed = UnclaimedBytes()
}

extension Room {
  /// Returns the bytes that an agency's deliveries have taken, and may take.
  /// - Throws: `OfficeRefusal` (unknown) if there is no such agency.
  public func storage(of agency: String) async throws -> AgencyStorage {
    try await requireAgency(agency)
    let (stored, quota) = try await database.read(in: agency) { try $0.deliveries.storage() }
    return AgencyStorage(storedBytes: stored, quotaBytes: quota)
  }

  /// Sets the bytes that an agency's deliveries may take.
  /// - Parameter bytes: the quota, 0 or more; nil for no limit.
  /// - Throws: `OfficeRefusal`: unknown, input-invalid.
  public func setQuota(bytes: Int?, of agency: String, by login: String) async throws {
    if let bytes, bytes < 0 {
      throw OfficeRefusal(.inputInvalid, "a quota is a number of bytes, or none")
    }
    try await requireAgency(agency)
    try await database.write(in: agency) { session in
      try session.deliveries.setQuota(bytes: bytes)
      try session.log.add(
        log(
          "agency-quota", on: agency, by: login, agency: agency,
          detail: bytes.map { "\($0) bytes" } ?? "none"))
    }
  }

  private func requireAgency(_ name: String) async throws {
    let known = try await database.readRegistry { try $0.agencies() }
    guard known.contains(where: { $0.name == name }) else {
      throw OfficeRefusal.noAgency(name, among: known)
    }
  }

  /// Requires that an agency has room for so many more bytes. Stored files are not touched in any
  /// case, and refused bytes stay queued on their device.
  /// - Parameter bytes: the size of the arriving file, or of all files of a batch; 0 never exceeds
  ///   a quota.
  /// - Throws: `OfficeRefusal`: disk-low, quota-full.
  package func requireRoom(for bytes: Int, in agency: String) async throws {
    try requireDisk()
    guard bytes > 0 else { return }
    try Self.requireQuota(
      for: bytes, try await database.read(in: agency) { try $0.deliveries.storage() })
  }

  /// Requires that an agency has room for a file that is sent ahead of its batch. The bytes that
  /// the agency's devices have sent and no batch has claimed yet count, too: otherwise a device
  /// that never sends a batch could fill the disk.
  /// - Parameter length: the bytes of the whole file. They count until `noteReceived` corrects
  ///   them.
  /// - Throws: `OfficeRefusal`: disk-low, quota-full.
  package func requireRoom(for file: ReceivedFile, length: Int, in agency: String) async throws {
    try requireDisk()
    let storage = try await database.read(in: agency) { try $0.deliveries.storage() }
    // Without a quota, there is no need to look through the store.
    guard storage.quotaBytes != nil else {
      return unclaimed.note(file, bytes: length, of: agency)
    }
    while try !unclaimed.admit(
      file, bytes: length, of: agency,
      decide: { others in
        try Self.requireQuota(for: length, storage, unclaimedBytes: others)
      })
    {
      let (agencies, files) = try await lookForUnclaimed()
      unclaimed.begin(agencies, files)
    }
  }

  private func lookForUnclaimed() async throws -> (
    agencies: [String: String], files: [(file: ReceivedFile, bytes: Int)]
  ) {
    var agencies: [String: String] = [:]
    for agency in try await people.agencies() {
      for device in try await database.read(in: agency.name, { try $0.devices.devices(of: nil) }) {
        agencies[device.key] = agency.name
      }
    }
    return (agencies, try photos.receivedFiles())
  }

  /// Counts a file with the bytes that are here of it.
  package func noteReceived(_ file: ReceivedFile) {
    // A file whose state cannot be read keeps its count.
    if case .success(let state) = Result(catching: { try photos.received(upTo: file) }) {
      unclaimed.note(file, bytes: state?.offset ?? 0)
    }
  }

  /// Removes the received bytes of a file.
  package func discardReceived(_ file: ReceivedFile) throws {
    defer { noteReceived(file) }
    try photos.discardReceived(file)
  }

  /// Requires that an agency's quota has room for so many more bytes. The transaction that takes a
  /// batch checks this again, since other batches may have been taken while this one came.
  package static func requireQuota(
    for bytes: Int, _ storage: (storedBytes: Int, quotaBytes: Int?), unclaimedBytes: Int = 0
  ) throws {
    let room = RoomFacts(
      storedBytes: storage.storedBytes, quotaBytes: storage.quotaBytes,
      unclaimedBytes: unclaimedBytes, arrivingBytes: bytes)
    if room.isFull { throw OfficeRefusal.quotaFull(room) }
  }

  /// Returns the number of bytes that a batch brings and that are not stored under a name yet.
  func arrivingBytes(
    of batch: BatchMessage, from sender: String, _ names: [String: [String]]
  ) throws -> Int {
    try names.keys.reduce(0) { sum, digest in
      let file = ReceivedFile(key: sender, digest: digest)
      guard try photos.holdsReceived(file) else { return sum }
      return sum + (try photos.received(upTo: file)?.length ?? 0)
    }
  }
}
