import Evidence
import Geodesy
import Inspection
import Positioning
import Store
import Sync

/// Where the office keeps what is not a file. SQLite implements it; another engine takes its place by
/// implementing this and the two transactions, and passing their contract suite.
public protocol OfficeDatabase: Sendable {
  /// Reads one agency's things. What `body` sees does not change under it.
  func read<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) throws -> Value
  /// Reads what pages show of one agency's things, or of one inspector's alone of them (nil: of all).
  func read<Value>(
    in agency: String, ofInspector inspector: String?,
    _ body: (any ReadingTransaction) throws -> Value
  ) throws -> Value
  /// Reads and writes one agency's things: all of it or nothing, one after the other.
  func write<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) throws -> Value
  /// Reads who there is.
  func readRegistry<Value>(_ body: (any RegistryTransaction) throws -> Value) throws -> Value
  /// Reads and writes who there is: all of it or nothing.
  func writeRegistry<Value>(_ body: (any RegistryTransaction) throws -> Value) throws -> Value
  /// The same for what can be done another time: nil, without waiting, while somebody else writes.
  func writeRegistryIfFree<Value>(
    _ body: (any RegistryTransaction) throws -> Value
  ) throws -> Value?
  /// Takes any number of parcels, all of them or none. `staging` hands them over while others write, and
  /// says whether they are to be taken; `moving` is one transaction, in which `keepStagedParcels(at:)`
  /// takes them. Nil where they were not to be.
  func takeParcels<Value>(
    in agency: String,
    staging: (_ stage: @escaping (DeclaredParcel) throws -> Void) throws -> Bool,
    moving: (any AgencyTransaction) throws -> Value
  ) throws -> Value?
  /// Reads from the disk, once, what lists and maps walk, where the engine keeps it there.
  /// - Returns: how many bytes that are.
  @discardableResult
  func readAhead() -> Int
}

/// What is read of one agency's things, or of one inspector's alone of them: where the transaction is an
/// inspector's, nothing of another inspector's can be reached through it.
public protocol ReadingTransaction {
  var agency: String { get }

  func tasks(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime, limit: Int, offset: Int
  ) throws -> [InspectionTask]
  func taskCount(_ filter: TaskFilter, at now: DeviceTime) throws -> Int
  func taskIdentifiers(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime
  ) throws -> [Identifier]
  func neighbours(
    of id: Identifier, _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime
  ) throws -> (previous: Identifier?, next: Identifier?)
  func taskTypes() throws -> [String]
  func task(_ id: Identifier) throws -> InspectionTask
  func earlierOrders(of task: Identifier) throws -> [EarlierOrder]
  func conflicts(of task: Identifier) throws -> [TransitionConflict]
  func late(ofTask id: Identifier) throws -> LateRecords
  func seal(of id: Identifier, _ kind: RecordKind) throws -> SealFile?
  func photos(_ selection: Selection) throws -> [ReceivedPhoto]
  func forEachPhoto(_ selection: Selection, _ body: (ReceivedPhoto) throws -> Void) throws
  func photoCounts(of tasks: [Identifier]) throws -> [Identifier: PhotoCount]
  func photo(_ id: Identifier) throws -> ReceivedPhoto
  func standalonePhotos(
    isHidden: Bool, inspector: String?, limit: Int, offset: Int
  ) throws -> [ReceivedPhoto]
  func standalonePhotoCount(isHidden: Bool, inspector: String?) throws -> Int
  func trackRows(
    isHidden: Bool, inspector: String?, limit: Int, offset: Int
  ) throws -> [ReceivedTrack]
  func trackCount(isHidden: Bool, inspector: String?) throws -> Int
  func tracks(_ selection: Selection) throws -> [Identifier]
  func track(_ id: Identifier) throws -> ReceivedTrack
  func phonePhoto(_ id: Identifier) throws -> PhonePhoto?
  func phoneTrack(_ id: Identifier) throws -> PhoneTrack?
  func carriedOver(_ kind: CarriedOver.Kind, subject: String) throws -> CarriedOver?
}

/// One transaction on one agency's things; nothing of another agency's can be reached through it.
public protocol AgencyTransaction: ReadingTransaction {
  func tasks(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime, after place: ListPlace?,
    limit: Int
  ) throws -> (tasks: [InspectionTask], next: ListPlace?)
  func changedTasks(
    ofInspector login: String, since cursor: String?, limit: Int
  ) throws -> (tasks: [InspectionTask], cursor: String?, hasMore: Bool)
  func insert(_ task: InspectionTask) throws
  func replaceOrder(
    of before: InspectionTask, with after: InspectionTask, at time: DeviceTime) throws
  func save(_ transition: TaskTransition, of task: InspectionTask, revision: Int?) throws
  func save(_ conflict: TransitionConflict, of task: InspectionTask, revision: Int?) throws
  func knowsTransition(_ id: Identifier) throws -> Bool
  func setNote(_ text: String, of task: Identifier) throws

  func devices(of inspector: String?) throws -> [EnrolledDevice]
  func device(withKey key: String) throws -> EnrolledDevice?
  func insert(_ device: EnrolledDevice) throws
  func setSignedOut(_ time: DeviceTime?, deviceWithKey key: String) throws
  func revokeDevice(withKey key: String, at time: DeviceTime, reason: String) throws

  func receipt(
    ofBatch id: Identifier
  ) throws -> (receipt: String, messageDigest: String, inspector: String)?
  func insert(_ receipt: Receipt, messageDigest: String) throws
  func receipts(ofKey key: String) throws -> [Receipt]
  func holding(
    of id: Identifier, inspector: String
  ) throws -> (kind: RecordKind, record: String, file: String?, raw: String?)?
  func records(
    ofKey key: String, naming digest: String
  ) throws -> [(kind: RecordKind, id: Identifier, isRaw: Bool)]
  func isTaken(_ id: Identifier, byOtherThan record: String) throws -> Bool
  @discardableResult
  func keep(_ link: ReceivedLink, inspector: String, at time: DeviceTime) throws -> Bool
  func links(ofKey key: String) throws -> [ReceivedLink]
  func head(ofKey key: String) throws -> Seal?
  func chainHead(ofKey key: String) throws -> ChainHead?
  func linkDigests(ofKey key: String, at places: ClosedRange<Int>) throws -> [Int: Set<String>]
  func linkTexts(ofKey key: String) throws -> [String]
  func chainClock(ofKey key: String) throws -> ChainClock?
  func keep(_ clock: ChainClock, ofKey key: String) throws
  func forEachDeviceTime(
    ofKey key: String,
    _ body: (_ id: Identifier, _ sequence: Int, _ time: DeviceTime) throws -> Void
  ) throws
  func windows(
    overlapping use: WindowUse, except id: Identifier
  ) throws -> [(photo: Identifier, use: WindowUse)]
  func photos(withRawWindow digest: String, except id: Identifier) throws -> [Identifier]
  func keep(_ use: WindowUse, ofPhoto id: Identifier) throws
  func seals(ofTask id: Identifier) throws -> [SealFile]

  func standalonePhotos(
    isHidden: Bool, inspector: String?, after place: ListPlace?, limit: Int
  ) throws -> (photos: [ReceivedPhoto], next: ListPlace?)
  func photos(
    withImage digest: String, except id: Identifier, onlyEarlier: Bool
  ) throws -> [Identifier]
  func insert(_ received: ReceivedPhoto) throws
  func keepChecks(of received: ReceivedPhoto) throws
  func unexaminedPhotos(
    after place: Int64, limit: Int
  ) throws -> [(place: Int64, id: Identifier)]
  func setNote(_ text: String, ofPhoto id: Identifier) throws
  func insert(_ note: LateNote) throws
  func keep(_ checks: [PhotoCheck], ofPhoto id: Identifier) throws
  func removeChecks(_ names: [PhotoCheck.Name], ofPhoto id: Identifier) throws
  func forEachLikenessBlock(
    _ body: (_ photos: UnsafeRawBufferPointer, _ likenesses: UnsafeRawBufferPointer) throws -> Void
  ) throws
  func keep(likenesses: [(photo: Identifier, bytes: [UInt8])]) throws
  func places(ofTransmitter name: String) throws -> [TransmitterPlace]
  func keep(
    transmitters names: [String], ofPhoto id: Identifier, key: String, at place: Coordinate) throws
  func replaceCellSites(with sites: [CellSite]) throws
  func cellSiteCount() throws -> Int
  func assign(_ photo: Photo, to task: Identifier?, at time: DeviceTime) throws
  func setHidden(_ time: DeviceTime?, _ photo: Photo) throws
  func inspectorTallies(at now: DeviceTime) throws -> [String: InspectorTally]
  func lastDeliveries(ofKeys keys: [String]) throws -> [String: DeviceTime]
  func undecidedTasks(ofInspector login: String, limit: Int) throws -> [InspectionTask]
  func setHidden(_ time: DeviceTime?, track id: Identifier) throws

  func clusters(
    in box: CoordinateBox, level: Int, _ filter: TaskFilter?, at now: DeviceTime
  ) throws -> [MapCluster]
  func things(in box: CoordinateBox, level: Int) throws -> Int
  func placedPhotos(
    in box: CoordinateBox, _ filter: TaskFilter?, at now: DeviceTime, limit: Int
  ) throws -> [PlacedPhoto]
  func placedTasks(
    in box: CoordinateBox, _ filter: TaskFilter?, at now: DeviceTime, limit: Int
  ) throws -> [InspectionTask]
  func extent(_ filter: TaskFilter?, at now: DeviceTime) throws -> CoordinateBox?

  func tracks(
    isHidden: Bool, inspector: String?, after place: ListPlace?, limit: Int
  ) throws -> (tracks: [ReceivedTrack], next: ListPlace?)
  func isDeleted(track id: Identifier) throws -> Bool
  func insert(
    track id: Identifier, inspector: String, task: Identifier?, lateTask: Identifier?,
    name: String, started: DeviceTime, at time: DeviceTime, deletedReason: String?,
    measures: TrackMeasures?) throws

  func storage() throws -> (storedBytes: Int, quotaBytes: Int?)
  func addStored(bytes: Int) throws
  func setQuota(bytes: Int?) throws
  func forEachHolding(
    ofKey key: String,
    _ body: (
      _ kind: RecordKind, _ id: Identifier, _ file: String?, _ raw: String?, _ isDeleted: Bool
    ) throws -> Void
  ) throws
  func forEachReceipt(
    ofKey key: String, _ body: (_ batch: Identifier, _ receipt: String) throws -> Void
  ) throws
  func effect(of parcel: DeclaredParcel) throws -> ImportEffect
  func keepStagedParcels(
    at time: DeviceTime
  ) throws -> (new: Int, changed: Int, unchanged: Int)
  func parcel(_ identifier: String) throws -> RegisteredParcel?
  func parcelCount() throws -> Int
  func parcels(after identifier: String?, limit: Int) throws -> [RegisteredParcel]
  func parcels(beginningWith prefix: String, limit: Int) throws -> [RegisteredParcel]
  func parcels(in box: CoordinateBox, limit: Int) throws -> [RegisteredParcel]
  func parcelOutlines(
    in box: CoordinateBox, limit: Int, pointLimit: Int
  ) throws -> [ParcelOutline]?
  func parcelOutline(_ identifier: String) throws -> ParcelOutline?
  func parcelNeighbourhood() throws -> DegreeBox?
  func task(withReference reference: String) throws -> Identifier?
  func keep(reference: String, ofTask id: Identifier) throws

  func phoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64?
  func makePhoneNumber(_ kind: PhoneNumberKind, of subject: String) throws -> Int64
  func phoneSubject(_ kind: PhoneNumberKind, number: Int64) throws -> String?
  func phoneTaskNumbers(ofInspector login: String) throws -> [Identifier: Int64]
  func phonePhotos(ofTasksOf login: String) throws -> [Identifier: [NumberedPhoto]]
  func phonePhotosWithoutTask(ofInspector login: String, limit: Int) throws -> [NumberedPhoto]
  func notePhoneLogin(of login: String, network: String, at time: DeviceTime) throws
  func hasPhoneLogin(of login: String, network: String, since time: DeviceTime) throws -> Bool
  func hasPhoneLogin(network: String, since time: DeviceTime) throws -> Bool
  func phoneLogins(since time: DeviceTime, limit: Int) throws -> [PhoneLogin]
  @discardableResult
  func endPhoneLogins(of login: String) throws -> Int
  func phoneArrivals(since time: DeviceTime, limit: Int) throws -> PhoneArrivals
  func insert(_ phone: PhonePhoto, fileDigest: String) throws
  func phonePhoto(
    ofInspector login: String, fileDigest: String, created: String?, digest: String?,
    task: Identifier?
  ) throws -> Identifier?
  func phonePhoto(
    ofInspector login: String, fileDigest: String, orDigest digest: String?, created: String?
  ) throws -> Identifier?
  func forEachPhonePhoto(_ body: (_ id: Identifier, _ digest: String) throws -> Void) throws
  func insert(_ phone: PhoneTrack) throws
  func phoneTrack(ofInspector login: String, contentDigest: String) throws -> Identifier?
  func phoneTracks(ofInspector login: String, limit: Int) throws -> [Identifier]

  func insert(_ carried: CarriedOver) throws
  func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver?

  func policy() throws -> SignedPolicy?
  func policy(revision: Int) throws -> SignedPolicy?
  func insert(_ policy: SignedPolicy, by person: String) throws

  func log(limit: Int) throws -> [LogEntry]
  func log(
    before number: Int64?, containing words: String?, limit: Int
  ) throws -> [(number: Int64, entry: LogEntry)]
  func log(_ entry: LogEntry) throws
}

/// One transaction on what belongs to no single agency: who there is, and who is signed in.
public protocol RegistryTransaction {
  func agencies() throws -> [Agency]
  func agency(_ name: String) throws -> Agency?
  func insert(_ agency: Agency) throws
  func setTitle(_ title: String, ofAgency name: String) throws
  func accounts(ofAgency agency: String?) throws -> [Account]
  func account(_ login: String) throws -> (account: Account, password: String)?
  func insert(_ account: Account, password: String, at time: DeviceTime) throws
  func setPassword(_ password: String, of login: String) throws
  func setDisabled(_ time: DeviceTime?, login: String) throws
  @discardableResult
  func replacePassword(_ stored: String, of login: String, with text: String) throws -> Bool
  func insert(_ carried: CarriedOver) throws
  func carriedOver(
    _ kind: CarriedOver.Kind, number: Int64, source: String
  ) throws -> CarriedOver?
  func endSessions(of login: String) throws
  func insertSession(
    digest: String, account: Account, key: String?, at time: DeviceTime, expires: DeviceTime) throws
  func session(
    digest: String
  ) throws -> (account: Account, key: String?, expires: DeviceTime)?
  func sessions(of login: String, at time: DeviceTime) throws -> [OpenSession]
  func extendSession(digest: String, at time: DeviceTime, expires: DeviceTime) throws
  func endSession(digest: String) throws
  func removeExpiredSessions(at time: DeviceTime) throws
  func phoneService(ofAgency agency: String) throws -> PhoneService?
  func phoneService(prefixDigest: String) throws -> PhoneService?
  func phoneService(basicLogin login: String) throws -> PhoneService?
  func keep(_ service: PhoneService) throws
  func removePhoneService(ofAgency agency: String) throws
  func figures(at time: DeviceTime) throws -> OfficeFigures
  func log(_ entry: LogEntry) throws
  func forEachLogEntry(_ body: (LogEntry) throws -> Void) throws
  func brokenLogPlace() throws -> Int?
}

extension AgencySession: AgencyTransaction {}
extension RegistrySession: RegistryTransaction {}

extension OfficeStore: OfficeDatabase {
  /// Reads one agency's things.
  public func read<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) throws -> Value {
    try read(in: agency) { (session: AgencySession) in try body(session) }
  }

  /// Reads what pages show of one agency's things, or of one inspector's alone of them.
  public func read<Value>(
    in agency: String, ofInspector inspector: String?,
    _ body: (any ReadingTransaction) throws -> Value
  ) throws -> Value {
    try read(in: agency, ofInspector: inspector) { (session: AgencySession) in try body(session) }
  }

  /// Reads and writes one agency's things.
  public func write<Value>(
    in agency: String, _ body: (any AgencyTransaction) throws -> Value
  ) throws -> Value {
    try write(in: agency) { (session: AgencySession) in try body(session) }
  }

  /// Reads who there is.
  public func readRegistry<Value>(
    _ body: (any RegistryTransaction) throws -> Value
  ) throws -> Value {
    try read { (session: RegistrySession) in try body(session) }
  }

  /// Reads and writes who there is.
  public func writeRegistry<Value>(
    _ body: (any RegistryTransaction) throws -> Value
  ) throws -> Value {
    try write { (session: RegistrySession) in try body(session) }
  }

  /// Reads and writes who there is, where nobody else writes just now.
  public func writeRegistryIfFree<Value>(
    _ body: (any RegistryTransaction) throws -> Value
  ) throws -> Value? {
    try writeIfFree { (session: RegistrySession) in try body(session) }
  }

  /// Takes any number of parcels, all of them or none.
  public func takeParcels<Value>(
    in agency: String,
    staging: (_ stage: @escaping (DeclaredParcel) throws -> Void) throws -> Bool,
    moving: (any AgencyTransaction) throws -> Value
  ) throws -> Value? {
    try takeParcels(in: agency, staging: staging) { (session: AgencySession) in
      try moving(session)
    }
  }
}
