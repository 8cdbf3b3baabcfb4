import Foundation
import MachineBus
import Synchronization

/// Gives this device a name in each network that it is in, through Avahi over the system bus: a phone that
/// was paired by that name finds the device again when its address has changed.
///
/// Avahi forgets the name when the connection to the bus ends, so nothing is left behind.
final class NamePublisher: Sendable {
  /// The fate of the name.
  enum Standing: Hashable, Sendable {
    /// Phones find the device by the name.
    case published
    /// Another device of the network has the name.
    case taken
    /// Avahi does not run here, or nobody has asked it yet.
    case unavailable
  }

  private struct State {
    var standing = Standing.unavailable
    var isOver = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// An address in the network of one interface.
  typealias Places = [DeviceNetwork.Place]

  private static let paceSeconds = 5.0
  /// The time after which a name that was taken, or an Avahi that was not there, is tried again, seconds.
  private static let retrySeconds = 30.0

  private let name: String
  private let places: @Sendable () -> Places
  private let changed: @Sendable (Standing) -> Void
  private let state = Mutex(State())

  /// Creates a publisher.
  /// - Parameters:
  ///   - places: returns the addresses of this device now.
  ///   - changed: called on another thread when the standing has changed.
  init(
    name: String = DeviceNetwork.commonName, places: @escaping @Sendable () -> Places,
    changed: @escaping @Sendable (Standing) -> Void
  ) {
    (self.name, self.places, self.changed) = (name, places, changed)
  }

  /// Publishes the name until the surrounding task is cancelled.
  func run() async {
    state.withLock { $0.isOver = false }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        state.withLock { $0.waiter = waiter }
        // Calls on the bus block.
        Thread.detachNewThread { [self] in
          while !isOver { publish() }
          note(.unavailable)
          state.withLock { $0.waiter.take() }?.resume()
        }
      }
    } onCancel: {
      state.withLock { $0.isOver = true }
    }
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  private func note(_ standing: Standing) {
    let isNew = state.withLock { state in
      defer { state.standing = standing }
      return state.standing != standing
    }
    if isNew { changed(standing) }
  }

  /// Publishes until the bus, Avahi or the name fails, and then waits for a while.
  private func publish() {
    do throws(BusFailure) {
      let session = try AvahiSession(name: name)
      while !isOver, try session.keep(places()) {
        note(.published)
        wait(seconds: Self.paceSeconds, session.bus)
      }
      if !isOver { note(.taken) }
    } catch {
      note(error.name.hasSuffix(".CollisionError") ? .taken : .unavailable)
    }
    wait(seconds: Self.retrySeconds, nil)
  }

  /// Waits on this publisher's own thread, which nobody else needs.
  private func wait(seconds: Double, _ bus: SystemBus?) {
    let end = ContinuousClock.now + .seconds(seconds)
    while !isOver, ContinuousClock.now < end {
      guard let bus else {
        Thread.sleep(forTimeInterval: 0.2)
        continue
      }
      // The next question finds out why the bus has gone.
      guard bus.serve(seconds: 0.2) else { return }
    }
  }
}

/// A conversation with Avahi about one name.
private final class AvahiSession {
  private static let service = "org.freedesktop.Avahi"
  private static let server = service + ".Server"
  private static let group = service + ".EntryGroup"
  /// The device's own name stays what its addresses are called.
  private static let noReverse: UInt32 = 16

  private enum Number {
    static let registering: Int64 = 1
    static let established: Int64 = 2
    static let collision: Int64 = 3
  }

  let bus: SystemBus
  private let name: String
  private var path: String?
  private var published: NamePublisher.Places = []
  init(name: String) throws(BusFailure) {
    self.name = name
    bus = try SystemBus()
  }

  /// Returns true if the machine itself is called so now, and Avahi tells that anyway. Avahi calls it
  /// otherwise when another machine of the network has the name.
  private func isOwnName() throws(BusFailure) -> Bool {
    try bus.call(
      Self.service, "/", Self.server, "GetHostNameFqdn", seconds: 5, startsService: false
    ).first?.text?.lowercased() == name
  }

  /// Publishes the name for these addresses, and no others.
  /// - Returns: false if another device has the name.
  func keep(_ places: NamePublisher.Places) throws(BusFailure) -> Bool {
    if try isOwnName() { return true }
    if places != published || path == nil { try publish(places) }
    guard let path else { return false }
    let end = ContinuousClock.now + .seconds(5)
    while true {
      let state = try bus.call(
        Self.service, path, Self.group, "GetState", seconds: 5, startsService: false
      ).first?.number
      // Without an address there is nothing to register.
      if state == Number.established || published.isEmpty { return true }
      if state == Number.collision { return false }
      guard state == Number.registering, ContinuousClock.now < end, bus.serve(seconds: 0.2) else {
        throw BusFailure(name: "avahi", words: "Avahi does not publish the name")
      }
    }
  }

  private func publish(_ places: NamePublisher.Places) throws(BusFailure) {
    let path: String
    if let known = self.path {
      path = known
      _ = try bus.call(Self.service, path, Self.group, "Reset", seconds: 5, startsService: false)
    } else {
      let made = try bus.call(
        Self.service, "/", Self.server, "EntryGroupNew", seconds: 5, startsService: false)
      guard let text = made.first?.text else {
        throw BusFailure(name: "avahi", words: "Avahi gave no group")
      }
      path = text
      self.path = path
    }
    for place in places {
      // Each address is told in its own network alone.
      _ = try bus.call(
        Self.service, path, Self.group, "AddAddress",
        [
          .signed(Int32(place.interface)), .signed(place.address.contains(":") ? 1 : 0),
          .unsigned(Self.noReverse), .text(name), .text(place.address),
        ], seconds: 5, startsService: false)
    }
    if !places.isEmpty {
      _ = try bus.call(Self.service, path, Self.group, "Commit", seconds: 5, startsService: false)
    }
    published = places
  }
}
