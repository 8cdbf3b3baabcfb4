import Inspection
import Judgement
import Positioning
import Store
import Sync

/// How much of the disk an agency's deliveries have taken, and how much they may.
public struct AgencyStorage: Hashable, Sendable {
  /// Bytes of photos, raw windows and tracks that deliveries have brought.
  public var storedBytes: Int
  /// How many they may be; nil is any number.
  public var quotaBytes: Int?
}

extension OfficeServer {
  /// A field unit comes back after so long when the disk is nearly full: somebody is called meanwhile.
  static let diskRetrySeconds = 300
  /// And after so long when its agency's share is used up: somebody has to decide.
  static let quotaRetrySeconds = 900

  /// What an agency's deliveries have taken, and may take.
  /// - Throws: `OfficeRefusal` (unknown) where there is no such agency.
  public func storage(of agency: String) async throws -> AgencyStorage {
    try await requireAgency(agency)
    let (stored, quota) = try await database.read(in: agency) { try $0.deliveries.storage() }
    return AgencyStorage(storedBytes: stored, quotaBytes: quota)
  }

  /// Lays down what an agency's deliveries may take.
  /// - Parameter bytes: nil is any number.
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
    guard try await database.readRegistry({ try $0.agency(name) }) != nil else {
      throw OfficeRefusal(.unknown, "there is no agency \(name)")
    }
  }

  /// Whether so many bytes more may come for an agency. Nothing that is here is touched either way, and
  /// what is refused stays queued on its device.
  /// - Parameter bytes: of the file that comes, or of all that a batch brings; what brings none is never
  ///   too much for a quota.
  /// - Throws: `OfficeRefusal`: disk-low, quota-full.
  package func requireRoom(for bytes: Int, in agency: String) async throws {
    try requireDisk()
    guard bytes > 0 else { return }
    try Self.requireQuota(
      for: bytes, try await database.read(in: agency) { try $0.deliveries.storage() })
  }

  /// The same of a file that is sent ahead of its batch. Whatever the agency's devices have sent and no batch
  /// has claimed yet counts, too: a device that never sends a batch would fill the disk else.
  /// - Parameter length: bytes of the whole file. They are counted until `noteReceived` says otherwise.
  /// - Throws: `OfficeRefusal`: disk-low, quota-full.
  package func requireRoom(for file: ReceivedFile, length: Int, in agency: String) async throws {
    try requireDisk()
    let storage = try await database.read(in: agency) { try $0.deliveries.storage() }
    // Nobody looks through a store that has no quota to keep.
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
    for agency in try await self.agencies() {
      for device in try await database.read(in: agency.name, { try $0.devices.devices(of: nil) }) {
        agencies[device.key] = agency.name
      }
    }
    return (agencies, try photos.receivedFiles())
  }

  /// A file counts with what is here of it.
  package func noteReceived(_ file: ReceivedFile) {
    // One that cannot be asked keeps what it counted with.
    if case .success(let state) = Result(catching: { try photos.received(upTo: file) }) {
      unclaimed.note(file, bytes: state?.offset ?? 0)
    }
  }

  /// Forgets what was received of a file.
  package func discardReceived(_ file: ReceivedFile) throws {
    defer { noteReceived(file) }
    try photos.discardReceived(file)
  }

  package func requireDisk() throws {
    guard !disk.isLow(at: clock.elapsed) else {
      throw Self.diskIsLow
    }
  }

  /// The same of an agency's quota alone; also within the transaction that takes a batch, since others
  /// may have been taken while it came.
  package static func requireQuota(
    for bytes: Int, _ storage: (storedBytes: Int, quotaBytes: Int?), unclaimedBytes: Int = 0
  ) throws {
    let room = RoomFacts(
      storedBytes: storage.storedBytes, quotaBytes: storage.quotaBytes,
      unclaimedBytes: unclaimedBytes, arrivingBytes: bytes)
    if room.isFull { throw quotaFull(room) }
  }

  static func quotaFull(_ room: RoomFacts) -> OfficeRefusal {
    OfficeRefusal(
      .quotaFull,
      "what the agency has delivered takes \(room.storedBytes >> 20) of the \((room.quotaBytes ?? 0) >> 20) MiB that it may\(Self.words(ofUnclaimed: room.unclaimedBytes)):"
        + " its administrator has to allow more; everything stays queued",
      retrySeconds: Self.quotaRetrySeconds)
  }

  static var diskIsLow: OfficeRefusal {
    OfficeRefusal(
      .diskLow,
      "its disk is nearly full, so that it takes nothing new: its administrator has to make room;"
        + " everything stays queued", retrySeconds: Self.diskRetrySeconds)
  }

  private static func words(ofUnclaimed bytes: Int) -> Wording {
    bytes == 0 ? "" : ", and files that wait for their batch another \(bytes >> 20) MiB"
  }

  /// How many bytes a batch brings that are not kept under a name yet.
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
