import Evidence
import Foundation
import Inspection
import MapLayers
import Orbits
import Positioning
import Receivers
import Store
import Sync
import Synchronization
import TimeAndText
import Web

/// The field unit as a running program for the inspector who is signed in: it follows the receiver,
/// drains the outbox, and serves the pages.
public final class FieldServer: Sendable {
  /// The settings with which the program was started; the person in them is replaced by the
  /// inspector who is signed in.
  public let configuration: FieldUnitConfiguration
  /// The only clock.
  public let clock: any Timepiece
  /// The receiver; nil if there is none.
  public let follower: ReceiverFollower?
  package let bluetooth: any BluetoothPairing
  package let surveySeconds: Double
  /// Signs inspectors in and out.
  public let desk: SignInDesk
  /// The office's address that the sign-in page offers; nil if the inspector has to name it.
  public let defaultOffice: String?
  /// The camera of captures that no page takes itself, usually a command; nil if there is none.
  public let camera: Camera?
  /// Makes the previews of photos.
  package let thumbnails = ThumbnailDesk()
  /// Records the track that was begun on a page.
  package let trackDesk = TrackDesk()
  /// The base maps of this device.
  package let baseMaps: BaseMaps
  /// The base maps that come from the office.
  package let maps: MapShelf
  /// The parcels around the tasks, which come from the office.
  package let neighbours: NeighbourShelf
  /// The photo points with their pictures.
  package let points: PhotoPointShelf
  /// The files that the orders carry.
  let files: OrderFileShelf
  /// The earlier photos around the tasks, with their small pictures.
  package let earlier: EarlierPhotoShelf
  /// Wakes the live parts of the pages.
  package let bell = LiveBell()
  /// Holds the capture that is in progress.
  package let cameraDesk: CameraDesk
  /// The program's own log, for support.
  public let log: FieldLog
  /// Returns the free bytes on the data directory's disk; nil if the system does not say.
  package let freeBytes: @Sendable () -> Int?
  /// The orbits that are stored.
  public let orbits: OrbitShelf
  private let makeLink: (@Sendable (String) throws -> any OfficeLink)?
  private let state: Mutex<State>

  private struct State {
    var unit: InspectorUnit?
    var links: [String: (link: any OfficeLink, trusted: String?)] = [:]
    /// The last delivery of each person who has worked here since the program began: no person sees
    /// another's.
    var deliveries: [Person: DeliveryStatus] = [:]
    var isDelivering = false
    var isBringing = false
    var isUsingBluetooth = false
    var pairing: PairingRun?
  }

  /// The result of the last try to reach the office.
  public struct DeliveryStatus: Sendable {
    /// Words for people; nil before the first try.
    public var wording: Wording?
    /// The words in English.
    public var words: String? { wording?.description }
    /// True if the last try went well, or before the first.
    public var isGood = true
    /// The time of the last try; nil before the first.
    public var time: DeviceTime?
    /// The time of the next try; nil if none is planned.
    public var nextTry: DeviceTime?
    /// The progress of the delivery that runs now; nil if none does.
    public var progress: DeliveryProgress?
    /// The elapsed time of the last progress; nil while no delivery runs.
    public var progressed: ElapsedTime?
    /// True if signing in again solves the problem.
    public var asksForSignIn = false
    /// The seconds that the office asked to wait; nil if it did not ask.
    package var askedSeconds: Double?

    /// Creates a status with its words and its time.
    package init(wording: Wording? = nil, time: DeviceTime? = nil) {
      (self.wording, self.time) = (wording, time)
    }
  }

  /// Creates the program for a data directory.
  /// - Parameters:
  ///   - bluetooth: the means to find receivers and to pair with them.
  ///   - surveySeconds: the time for which the settings listen to a receiver to judge it, seconds.
  ///   - frames: the limits for a page's frame.
  ///   - machine: the machine's clock, by which pages compare theirs.
  ///   - freeBytes: returns the free bytes on the data directory's disk; nil asks the system.
  ///   - makeLink: makes the link to an office with this address; nil for HTTP.
  /// - Throws: `StoreError` if the data directory cannot be used.
  public init(
    configuration: FieldUnitConfiguration, clock: any Timepiece, follower: ReceiverFollower?,
    defaultOffice: String?, camera: Camera?,
    bluetooth: any BluetoothPairing = MachineBluetooth(), surveySeconds: Double = 6,
    frames: FrameLimits = FrameLimits(), machine: any Timepiece = MachineClock(),
    freeBytes: (@Sendable () -> Int?)? = nil,
    makeLink: (@Sendable (String) throws -> any OfficeLink)? = nil
  ) throws {
    self.configuration = configuration
    self.clock = clock
    self.follower = follower
    self.defaultOffice = defaultOffice
    self.camera = camera
    self.bluetooth = bluetooth
    self.surveySeconds = surveySeconds
    self.makeLink = makeLink
    cameraDesk = CameraDesk(bell: bell, limits: frames, machine: machine)
    let dataDirectory = configuration.dataDirectory
    let free = freeBytes ?? { PhotoRoom.freeBytes(at: dataDirectory.path) }
    self.freeBytes = free
    let log = FieldLog(dataDirectory: dataDirectory, clock: clock)
    self.log = log
    let mapFolder = DataFolder(dataDirectory: dataDirectory).maps
    baseMaps = BaseMaps(folder: mapFolder) { log.note($0) }
    let hasRoom: @Sendable () -> Bool = {
      free().map { !PhotoRoom(freeBytes: $0, meanBytesOfPhoto: nil).isLow } ?? true
    }
    maps = MapShelf(
      folder: mapFolder, clock: clock, hasRoom: hasRoom, log: { log.note($0) })
    neighbours = NeighbourShelf(
      folder: DataFolder(dataDirectory: dataDirectory).neighbours, clock: clock, hasRoom: hasRoom,
      log: { log.note($0) })
    files = OrderFileShelf(
      folder: DataFolder(dataDirectory: dataDirectory).orderFiles, hasRoom: hasRoom,
      log: { log.note($0) })
    earlier = EarlierPhotoShelf(
      folder: DataFolder(dataDirectory: dataDirectory).earlierPhotos, hasRoom: hasRoom,
      log: { [log] in log.note($0) })
    points = PhotoPointShelf(
      folder: DataFolder(dataDirectory: dataDirectory).points, hasRoom: hasRoom,
      log: { log.note($0) })
    let maximumAgeSeconds = configuration.gate.maximumAgeSeconds
    orbits = OrbitShelf(configuration: configuration, clock: clock, hasRoom: hasRoom) {
      await FieldServer.skyTime(of: follower, clock, maximumAgeSeconds: maximumAgeSeconds)
    }
    desk = try SignInDesk(
      dataDirectory: configuration.dataDirectory, software: configuration.software, clock: clock)
    state = Mutex(State())
  }

  /// Returns the unit of the inspector who is signed in; nil if nobody is.
  public func unit() throws -> InspectorUnit? {
    guard let signIn = try desk.signedIn() else {
      change(to: nil)
      return nil
    }
    // A sign-in, also one in a terminal, may have given this person another key.
    let key = try desk.store.read(as: signIn.person) { try $0.identities.own() }?.key
    if let unit = state.withLock({ $0.unit }), unit.person == signIn.person,
      key == nil || unit.key.publicKey.thumbprint == key
    {
      return unit
    }
    var configuration = configuration
    configuration.person = signIn.person
    let unit = try InspectorUnit.make(configuration: configuration, clock: clock)
    change(to: unit)
    thumbnails.follow(unit)
    return unit
  }

  /// Changes to the unit of another person, or of nobody: a person may have signed out in a
  /// terminal. The photo that the earlier person's page takes is closed, and the recording is
  /// sealed under that person's name.
  private func change(to unit: InspectorUnit?) {
    let before = state.withLock { state in
      defer { state.unit = unit }
      return state.unit?.person
    }
    guard let before, before != unit?.person else { return }
    cameraDesk.closeAll()
    Task { await trackDesk.finishBeforeSignOut(of: before) }
  }

  /// Returns the link to an office; there is one for each address, so that connections are used
  /// again.
  public func link(to address: String) throws -> any OfficeLink {
    // Another program may have signed in with another certificate meanwhile.
    let trusted = try desk.tlsCertificate(ofOffice: address)
    if let known = state.withLock({ $0.links[address] }), known.trusted == trusted {
      return known.link
    }
    let link = try makeLink?(address) ?? desk.link(to: address)
    state.withLock { $0.links[address] = (link, trusted) }
    return link
  }

  /// Returns the link to an office if it can be made; otherwise nil, and the log says why. For uses
  /// that can do without.
  package func linkIfReachable(to address: String) -> (any OfficeLink)? {
    do {
      return try link(to: address)
    } catch {
      log.note("no way to \(address): \(error)")
      return nil
    }
  }

  /// Returns the link to an office that a person selects, or has selected, before signing in there.
  /// Certificates from earlier sign-ins do not count: without a certificate the system's trust
  /// store decides.
  package func link(toChosen address: String, certificate: String?) throws -> any OfficeLink {
    try makeLink?(address)
      ?? HTTPOfficeLink(
        address: try HTTPOfficeLink.normalised(address), trusting: certificate)
  }

  /// Returns the secret that signs forms, stored so that a page survives a restart.
  public func formSecret() throws -> [UInt8] {
    let path = DataFolder(dataDirectory: configuration.dataDirectory).keys + "/forms.secret"
    if let known = FileManager.default.contents(atPath: path), known.count == 32 {
      return Array(known)
    }
    var random = SystemRandomNumberGenerator()
    let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    try DurableFile.replace(path, with: secret)
    return secret
  }

  // MARK: delivering

  /// The last delivery of the inspector who is signed in; empty if nobody is.
  /// - Throws: `StoreError` if the sign-in cannot be read.
  public var deliveryStatus: DeliveryStatus {
    get throws { try desk.signedIn().map { deliveryStatus(of: $0.person) } ?? DeliveryStatus() }
  }

  /// Returns the last delivery of a person; empty before the first.
  package func deliveryStatus(of person: Person) -> DeliveryStatus {
    state.withLock { $0.deliveries[person] ?? DeliveryStatus() }
  }

  /// True if a delivery of any person is under way.
  var isDeliveryUnderWay: Bool {
    state.withLock { $0.deliveries.values.contains { $0.progress != nil } }
  }

  /// Notes the progress of a person's delivery.
  package func note(_ progress: DeliveryProgress, of person: Person) {
    let now = clock.elapsed
    state.withLock { state in
      state.deliveries[person, default: DeliveryStatus()].progress = progress
      state.deliveries[person, default: DeliveryStatus()].progressed = now
    }
  }

  /// Fetches tasks and drains the outbox, once. Only one try runs at a time: a second call
  /// meanwhile does nothing.
  /// - Returns: true if the delivery went well.
  @discardableResult
  public func deliverOnce() async -> Bool {
    let isFree = state.withLock { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isFree else { return false }
    defer { state.withLock { $0.isDelivering = false } }
    var status = DeliveryStatus(time: clock.deviceTime)
    // The status belongs to this person, even if another one signs in while the delivery runs.
    var person: Person?
    do {
      guard let unit = try unit(), let signIn = try desk.signedIn(), signIn.person == unit.person
      else { return false }
      person = unit.person
      let outcome = try await unit.delivery.deliver(over: try link(to: signIn.office)) { progress in
        self.note(progress, of: unit.person)
      }
      if let refusal = outcome.refusal {
        status.isGood = false
        status.wording = refusal.wording
      } else {
        status.wording = Self.summary(outcome)
      }
    } catch {
      status.isGood = false
      status.wording = "\(error)"
      status.askedSeconds = (error as? DeliveryError)?.askedSeconds
      status.asksForSignIn = (error as? DeliveryError)?.asksForSignIn ?? false
    }
    // Successes come every minute, and would hide the failures in the log.
    if !status.isGood { log.note("delivery: \(status.words ?? "failed")") }
    if status.isGood { bringFromOffice() }
    if let person { state.withLock { [status] in $0.deliveries[person] = status } }
    ProcessMemory.giveBack()
    return status.isGood
  }

  /// True while parcels, orbits or maps are fetched behind a delivery.
  package var isBringingFromOffice: Bool { state.withLock { $0.isBringing } }

  /// Fetches the files of orders, what is around the tasks, the office's orbits and then its base maps,
  /// after a delivery and in the background. Fetching all at once would slow all on a bad network.
  private func bringFromOffice() {
    let isFree = state.withLock { state in
      defer { state.isBringing = true }
      return !state.isBringing
    }
    guard isFree else { return }
    Task(priority: .utility) {
      await bringSurroundings()
      await bringOrbits()
      await bringMaps()
      state.withLock { $0.isBringing = false }
    }
  }

  /// Returns the results of a delivery in one line, for people.
  private static func summary(_ outcome: DeliveryOutcome) -> Wording {
    var words: Wording =
      "\(outcome.delivered) delivered, \(outcome.newTasks) new tasks,"
      + " \(outcome.changedTasks) changed"
    if outcome.removed > 0 {
      words = "\(words), \(outcome.removed) photos removed from this device"
    }
    if let result = outcome.reconciliation, result.held < result.checked || result.isDeviceOlder {
      words = "\(words); \(result.wording)"
    }
    if let problem = outcome.policyProblem { words = "\(words); \(problem)" }
    return words
  }

  /// Delivers at a page's request, and returns when the delivery is over or after some seconds. On
  /// a bad network a delivery takes hours, and a browser gives a page up after minutes: the result
  /// is shown live.
  /// - Parameter patienceSeconds: the longest wait in real seconds, whatever clock a replay has,
  ///   because the browser's are real.
  package func deliverForPage(patienceSeconds: Double = 3) async {
    let (over, end) = AsyncStream<Void>.makeStream()
    Task {
      await deliverOnce()
      end.finish()
    }
    let watch = Task {
      try? await Task.sleep(for: .seconds(patienceSeconds))
      end.finish()
    }
    for await _ in over {}
    watch.cancel()
  }

  /// Delivers again and again, until the surrounding task is cancelled: soon after a success, later
  /// and later after failures, and never in step with other field units.
  public func deliverForever() async throws {
    var pace = DeliveryPace()
    while true {
      // If nobody is signed in, nothing can fail; looking for the unit ends what the last person
      // left running.
      let isSignedIn = try desk.signedIn() != nil
      if !isSignedIn { _ = try unit() }
      let isGood = isSignedIn ? await deliverOnce() : true
      let random = Double.random(in: 0..<1)
      let seconds =
        isGood
        ? pace.succeeded(random: random)
        : pace.failed(askedSeconds: try deliveryStatus.askedSeconds, random: random)
      let next = clock.deviceTime.advanced(bySeconds: seconds)
      if let person = try desk.signedIn()?.person {
        state.withLock { $0.deliveries[person, default: DeliveryStatus()].nextTry = next }
      }
      // The time is only for people to read: delivery goes on, even if it cannot be stored.
      if pace.failures > 0 {
        do {
          try unit()?.delivery.planNextAttempt(at: next)
        } catch {
          log.note("delivery: the next try cannot be noted: \(error)")
        }
      }
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
    }
  }

  // MARK: the receiver

  /// Uses another receiver for everything, and stores it for the next start. A capture in progress
  /// is rejected with that reason.
  /// - Throws: `ReceiverError.malformedSource`, also for a log, which has its own time;
  ///   `FieldUnitError.captureRefused` if the program was started without a receiver.
  package func useReceiver(_ text: String) async throws {
    let source = try ReceiverSource(text.trimmingCharacters(in: .whitespaces))
    guard !source.isReplay else {
      throw ReceiverError.malformedSource(text, reason: "a log is not a receiver")
    }
    guard let follower else {
      throw FieldUnitError.captureRefused([
        GateRefusal(
          code: "no-receiver", wording: "there is no receiver: standpoint field --gnss SOURCE")
      ])
    }
    try ChosenReceiver.choose(source, in: configuration.dataDirectory)
    guard source != follower.source else { return }
    await follower.change(to: try source.receiver(clock: clock))
  }

  /// Calls `body` with Bluetooth. Looking and pairing need the radio for themselves: only one call
  /// runs at a time.
  /// - Throws: `BluetoothFailure` while Bluetooth is used otherwise.
  package func withBluetooth<Result>(
    _ body: (any BluetoothPairing) async throws -> Result
  ) async throws -> Result {
    try takeBluetooth()
    defer { state.withLock { $0.isUsingBluetooth = false } }
    return try await body(bluetooth)
  }

  private func takeBluetooth() throws {
    let isFree = state.withLock { state in
      defer { state.isUsingBluetooth = true }
      return !state.isUsingBluetooth
    }
    guard isFree else {
      throw BluetoothFailure(
        kind: .refused, wording: "Another page is using Bluetooth: wait a few seconds")
    }
  }

  /// The last pairing that was begun; nil before the first.
  package var pairing: PairingRun? { state.withLock { $0.pairing } }

  /// Begins a pairing with a device, which then runs by itself.
  /// - Throws: `BluetoothFailure` while Bluetooth is used otherwise.
  package func beginPairing(with address: BluetoothAddress, pin: String?) throws {
    let run = PairingRun(with: address)
    try takeBluetooth()
    state.withLock { $0.pairing = run }
    Task {
      await run.run(bluetooth, pin: pin)
      state.withLock { $0.isUsingBluetooth = false }
    }
  }
}
