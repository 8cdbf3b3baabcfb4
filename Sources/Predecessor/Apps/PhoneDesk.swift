import Evidence
import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import Synchronization
import Web

/// What the service for phones keeps while the program runs: who asks how often, whose password was found to be the
/// right one, and where pictures lie until they are photos.
final class PhoneDesk: Sendable {
  /// Threads for what waits for the disk and for the database: never the few that all visitors share.
  static let threads = WorkLane(width: 8)

  private struct State {
    var requests: [String: RequestLimiter] = [:]
    var logins: [String: RequestLimiter] = [:]
    var proven: Set<String> = []
    var heard: [String: DeviceTime] = [:]
    /// Addresses and credentials that are no agency's.
    var guesses = RequestLimiter(perSecond: 1, burst: 60)
  }

  /// Pictures that are coming in.
  let folder: String
  /// Photos that are to be kept, several in one transaction.
  let commits = PhoneCommits()
  /// One path at a time: its points are read as a whole.
  let turns = Turns()
  /// Bodies with photos.
  let reading: ReadingTurns
  private let state = Mutex(State())

  private static let bodiesAtOnce = 32

  init(folder: String, clock: any Timepiece) {
    self.folder = folder
    let start = clock.elapsed
    reading = ReadingTurns(atOnce: Self.bodiesAtOnce) { clock.elapsed.seconds(since: start) }
  }

  /// Takes one of a user's requests.
  /// - Returns: whether it may go on.
  func takeRequest(of login: String, _ service: PhoneService, at seconds: Double) -> Bool {
    state.withLock { state in
      let rate = (service.requestsPerSecond, service.requestBurst)
      return Self.take(login, of: &state.requests[service.agency], rate, at: seconds)
    }
  }

  /// Takes further requests of a user behind one that went on: the next ones wait for as long as they would have.
  func chargeRequests(_ count: Int, of login: String, _ service: PhoneService, at seconds: Double) {
    guard count > 0 else { return }
    state.withLock { $0.requests[service.agency]?.charge(login, Double(count), at: seconds) }
  }

  /// Takes one try to log in from a network.
  /// - Returns: whether it may go on.
  func takeLogin(from network: String, _ service: PhoneService, at seconds: Double) -> Bool {
    state.withLock { state in
      let rate = (service.loginsPerSecond, service.loginBurst)
      return Self.take(network, of: &state.logins[service.agency], rate, at: seconds)
    }
  }

  /// Somebody has asked for something, from a network that they had logged in from.
  func noteHeard(_ login: String, from network: String, of agency: String, at time: DeviceTime) {
    state.withLock { state in
      // One for each login that holds; more than so many are none that anybody looks at.
      if state.heard.count > 100_000 { state.heard = [:] }
      state.heard["\(agency)\n\(login)\n\(network)"] = time
    }
  }

  /// When somebody was heard last from a network; nil where not since the program began.
  func heard(_ login: String, from network: String, of agency: String) -> DeviceTime? {
    state.withLock { $0.heard["\(agency)\n\(login)\n\(network)"] }
  }

  /// Whether a network has not guessed too often of late.
  func mayGuess(from network: String, at seconds: Double) -> Bool {
    state.withLock { $0.guesses.hasLeft(network, at: seconds) }
  }

  /// A network has guessed: what it sent is no agency's.
  /// - Returns: whether it may.
  @discardableResult
  func takeGuess(from network: String, at seconds: Double) -> Bool {
    state.withLock { $0.guesses.take(network, at: seconds) == nil }
  }

  /// It was no guess.
  func giveGuessBack(to network: String, at seconds: Double) {
    state.withLock { $0.guesses.charge(network, -1, at: seconds) }
  }

  /// What an agency has laid down anew counts from the next request on.
  private static func take(
    _ key: String, of known: inout RequestLimiter?, _ rate: (perSecond: Double, burst: Double),
    at seconds: Double
  ) -> Bool {
    var limiter =
      known.flatMap { $0.perSecond == rate.perSecond && $0.burst == rate.burst ? $0 : nil }
      ?? RequestLimiter(perSecond: rate.perSecond, burst: rate.burst)
    defer { known = limiter }
    return limiter.take(key, at: seconds) == nil
  }

  /// Whether credentials were found to be the right ones already: hashing them takes a third of a second.
  func isProven(_ digest: String) -> Bool { state.withLock { $0.proven.contains(digest) } }

  /// Credentials are the right ones.
  func prove(_ digest: String) {
    state.withLock { state in
      // Few agencies have few passwords; more is somebody's mistake.
      if state.proven.count > 10_000 { state.proven = [] }
      state.proven.insert(digest)
    }
  }
}

extension OfficeServer {
  /// What a crash has left of pictures that were coming in: those that have become no photo lose their name, and
  /// then all of them go.
  func clearPhoneSpool(_ folder: String) async throws {
    try DurableFile.makeFolder(folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      if let id = Identifier(name) {
        var isKept = false
        for agency in try await agencies() where !isKept {
          isKept =
            try await database.read(in: agency.name) { try $0.phones.phonePhoto(id) } != nil
        }
        if !isKept, let path = photos.path(of: EvidenceName.file(.capture, id)) {
          try DurableFile.remove(path)
        }
      }
      try DurableFile.remove(folder + "/" + name)
    }
  }
}
