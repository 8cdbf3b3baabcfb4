import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync
import Synchronization
import Web

/// The field unit as a running program: its receiver is followed, its outbox drained, its pages
/// served, for whoever is signed in.
public final class FieldServer: Sendable {
  /// What it was told; its person is whoever is signed in.
  public let configuration: FieldUnitConfiguration
  /// The one clock.
  public let clock: any Timepiece
  /// The receiver; nil where none is there.
  public let follower: ReceiverFollower?
  package let bluetooth: any BluetoothPairing
  package let surveySeconds: Double
  /// Signs people in and out.
  public let desk: SignInDesk
  /// The office's address that the sign-in page offers; nil when the inspector has to name it.
  public let defaultOffice: String?
  /// What takes pictures; nil where the pages cannot.
  public let camera: Camera?
  /// Makes the previews of photos.
  package let thumbnails = ThumbnailDesk()
  /// Records the track that was begun on a page.
  package let trackDesk = TrackDesk()
  /// The base maps of this device.
  package let baseMaps: BaseMaps
  /// Those of them that come from the office.
  package let maps: MapShelf
  /// Wakes what pages show live.
  package let bell = LiveBell()
  /// Who takes a photo just now.
  package let cameraDesk: CameraDesk
  /// What the field unit says of itself, for whoever is asked for help.
  public let log: FieldLog
  /// Bytes that are free on the data directory's disk; nil where nobody can tell.
  package let freeBytes: @Sendable () -> Int?
  /// The orbits that are stored.
  public let orbits: OrbitShelf
  private let makeLink: (@Sendable (String) throws -> any OfficeLink)?
  private let state: Mutex<State>

  private struct State {
    var unit: InspectorUnit?
    var links: [String: (link: any OfficeLink, trusted: String?)] = [:]
    /// What came of the last try, of each who has worked here since the program began: nobody is told of
    /// another's.
    var deliveries: [Person: DeliveryStatus] = [:]
    var isDelivering = false
    var isBringing = false
    var isUsingBluetooth = false
    var pairing: PairingRun?
  }

  /// What came of the last try to reach the office.
  public struct DeliveryStatus: Sendable {
    /// Words for people; nil before the first try.
    public var wording: Wording?
    /// The same in English.
    public var words: String? { wording?.description }
    /// Whether the last try went well.
    public var isGood = true
    /// When it was.
    public var time: DeviceTime?
    /// When it is tried next; nil when nothing is planned.
    public var nextTry: DeviceTime?
    /// How far the one that runs just now has come; nil while none does.
    public var progress: DeliveryProgress?
    /// When it came on last; nil while nothing is delivered.
    public var progressed: ElapsedTime?
    /// Whether signing in again is what helps.
    public var asksForSignIn = false
    /// How long the office asked to wait; nil where it asked for nothing.
    package var askedSeconds: Double?
  }

  /// - Parameters:
  ///   - bluetooth: how receivers are looked for and paired.
  ///   - surveySeconds: how long the settings listen to a receiver to say whether it will do.
  ///   - frames: what a page may hand over as a picture, and how soon.
  ///   - freeBytes: how much is free on the data directory's disk; nil asks the system.
  ///   - makeLink: the way to an office with this address; nil for HTTP.
  /// - Throws: `StoreError` when the data directory cannot be used.
  public init(
    configuration: FieldUnitConfiguration, clock: any Timepiece, follower: ReceiverFollower?,
    defaultOffice: String?, camera: Camera?,
    bluetooth: any BluetoothPairing = MachineBluetooth(), surveySeconds: Double = 6,
    frames: FrameLimits = FrameLimits(),
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
    cameraDesk = CameraDesk(bell: bell, limits: frames)
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
    let maximumAgeSeconds = configuration.gate.maximumAgeSeconds
    orbits = OrbitShelf(configuration: configuration, clock: clock, hasRoom: hasRoom) {
      await FieldServer.skyTime(of: follower, clock, maximumAgeSeconds: maximumAgeSeconds)
    }
    desk = try SignInDesk(
      dataDirectory: configuration.dataDirectory, software: configuration.software, clock: clock)
    state = Mutex(State())
  }

  /// The unit of whoever is signed in; nil when nobody is.
  public func unit() throws -> InspectorUnit? {
    guard let signIn = try desk.signedIn() else {
      change(to: nil)
      return nil
    }
    if let unit = state.withLock({ $0.unit }), unit.person == signIn.person { return unit }
    var configuration = configuration
    configuration.person = signIn.person
    let unit = try InspectorUnit.make(configuration: configuration, clock: clock)
    change(to: unit)
    thumbnails.follow(unit)
    return unit
  }

  /// From now on somebody else works with the device, or nobody does: whoever was signed in may have been signed
  /// out in a terminal. The photo that their page takes is closed, and their recording sealed under their name.
  private func change(to unit: InspectorUnit?) {
    let before = state.withLock { state in
      defer { state.unit = unit }
      return state.unit?.person
    }
    guard let before, before != unit?.person else { return }
    cameraDesk.closeAll()
    Task { await trackDesk.finishBeforeSignOut(of: before) }
  }

  /// The way to an office; one for each address, so that connections are used again.
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

  /// The same for what can do without: nil where there is no way, and the log says why.
  package func linkIfReachable(to address: String) -> (any OfficeLink)? {
    do {
      return try link(to: address)
    } catch {
      log.note("no way to \(address): \(error)")
      return nil
    }
  }

  /// The way to an office that somebody selects, or has selected, before anybody is signed in there. What
  /// was given for it before plays no part: without a certificate it is the system that trusts.
  package func link(toChosen address: String, certificate: String?) throws -> any OfficeLink {
    try makeLink?(address)
      ?? HTTPOfficeLink(
        address: try HTTPOfficeLink.normalised(address), trusting: certificate)
  }

  /// The secret that forms are signed with, kept so that a page survives a restart.
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

  /// What came of the last try of whoever is signed in; nothing where nobody is.
  /// - Throws: `StoreError` where it cannot be read who that is.
  public var deliveryStatus: DeliveryStatus {
    get throws { try desk.signedIn().map { deliveryStatus(of: $0.person) } ?? DeliveryStatus() }
  }

  /// What came of somebody's last try.
  package func deliveryStatus(of person: Person) -> DeliveryStatus {
    state.withLock { $0.deliveries[person] ?? DeliveryStatus() }
  }

  /// Whether anybody's delivery is under way.
  var isDeliveryUnderWay: Bool {
    state.withLock { $0.deliveries.values.contains { $0.progress != nil } }
  }

  /// Somebody's delivery has come on.
  package func note(_ progress: DeliveryProgress, of person: Person) {
    let now = clock.elapsed
    state.withLock { state in
      state.deliveries[person, default: DeliveryStatus()].progress = progress
      state.deliveries[person, default: DeliveryStatus()].progressed = now
    }
  }

  /// Fetches tasks and drains the outbox, once. One try at a time: a second one while it runs does
  /// nothing.
  @discardableResult
  public func deliverOnce() async -> Bool {
    let isFree = state.withLock { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isFree else { return false }
    defer { state.withLock { $0.isDelivering = false } }
    var status = DeliveryStatus(time: clock.deviceTime)
    // Whoever signs in while it runs is told nothing of it.
    var person: Person?
    do {
      guard let unit = try unit(), let signIn = try desk.signedIn(), signIn.person == unit.person
      else { return false }
      person = unit.person
      let outcome = try await unit.deliver(over: try link(to: signIn.office)) { progress in
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
    // What goes well goes well every minute, and says nothing to whoever looks for a fault.
    if !status.isGood { log.note("delivery: \(status.words ?? "failed")") }
    if let person { state.withLock { [status] in $0.deliveries[person] = status } }
    if status.isGood { bringFromOffice() }
    ProcessMemory.giveBack()
    return status.isGood
  }

  /// After a delivery, and beside everything else: the office's orbits, and then its base maps. Both at once
  /// would be in each other's way on a bad network.
  private func bringFromOffice() {
    let isFree = state.withLock { state in
      defer { state.isBringing = true }
      return !state.isBringing
    }
    guard isFree else { return }
    Task(priority: .utility) {
      await bringOrbits()
      await bringMaps()
      state.withLock { $0.isBringing = false }
    }
  }

  /// What a delivery has brought, in one line for people.
  private static func summary(_ outcome: DeliveryOutcome) -> Wording {
    var words: Wording =
      "\(outcome.delivered) delivered, \(outcome.newTasks) new tasks,"
      + " \(outcome.changedTasks) changed"
    if outcome.removed > 0 { words = "\(words), \(outcome.removed) photos have left this device" }
    if let result = outcome.reconciliation, result.held < result.checked || result.isDeviceOlder {
      words = "\(words); \(result.wording)"
    }
    if let problem = outcome.policyProblem { words = "\(words); \(problem)" }
    return words
  }

  /// Delivers because somebody at a page has asked for it, and returns when that is over or has taken a
  /// moment. On a bad network it takes hours, and a browser gives a page up after minutes: what comes of
  /// it is told live.
  /// - Parameter patienceSeconds: real seconds, whatever clock the story has: the browser's are.
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
      // Where nobody is signed in there is nothing that could fail; what they have left going on ends.
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
      // It is only for people to read: whatever is wrong with the disk, delivery goes on.
      if pace.failures > 0 {
        do {
          try unit()?.planNextAttempt(at: next)
        } catch {
          log.note("delivery: the next try cannot be noted: \(error)")
        }
      }
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
    }
  }

  // MARK: the receiver

  /// Another receiver for everything, remembered for the next start. A capture in progress is rejected
  /// with that reason.
  /// - Throws: `ReceiverError.malformedSource`; a log is no receiver here, since it has its own time.
  package func useReceiver(_ text: String) async throws {
    let source = try ReceiverSource(text.trimmingCharacters(in: .whitespaces))
    guard !source.isReplay else {
      throw ReceiverError.malformedSource(text, reason: "a log is no receiver")
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

  /// Looking and pairing take the radio for themselves: one at a time.
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
        kind: .refused, wording: "Bluetooth is being used by another page: wait some seconds")
    }
  }

  /// The pairing that was begun last; nil before the first.
  package var pairing: PairingRun? { state.withLock { $0.pairing } }

  /// Begins to pair with a device, which goes on by itself.
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
