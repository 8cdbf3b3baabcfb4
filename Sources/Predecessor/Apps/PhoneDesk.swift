import Evidence
import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import Synchronization
import TimeAndText
import Web

/// The state that the service for phones keeps while the program runs: how often each user asks,
/// which credentials were found to be right, and the folder of pictures that are no photos yet.
final class PhoneDesk: Sendable {
  /// The threads for work that waits for the disk or the database, so that it never holds the few
  /// threads that all requests share.
  static let threads = WorkLane(width: 8)

  private struct State {
    var requests: [String: RequestLimiter] = [:]
    var logins: [String: RequestLimiter] = [:]
    var proven: Set<String> = []
    var heard: [String: DeviceTime] = [:]
    /// The limiter of guesses, by network: addresses and credentials that belong to no agency.
    var guesses = RequestLimiter(perSecond: 1, burst: 60)
  }

  /// The folder of the pictures that are coming in.
  let folder: String
  /// The queue of the photos that are to be kept, several in one transaction.
  let commits = PhoneCommits()
  /// The turns of heavy requests, one at a time for each key: a path's points, for example, are
  /// read as a whole.
  let turns = Turns()
  /// The turns in which bodies with photos are read.
  let reading: ReadingTurns
  private let state = Mutex(State())

  private static let bodiesAtOnce = 32

  init(folder: String, clock: any Timepiece) {
    self.folder = folder
    let start = clock.elapsed
    reading = ReadingTurns(atOnce: Self.bodiesAtOnce) { clock.elapsed.seconds(since: start) }
  }

  /// Takes one request of a user from the user's allowance.
  /// - Returns: true if the request may go on.
  func takeRequest(of login: String, _ service: PhoneService, at seconds: Double) -> Bool {
    state.withLock { state in
      let rate = (service.requestsPerSecond, service.requestBurst)
      return Self.take(login, of: &state.requests[service.agency], rate, at: seconds)
    }
  }

  /// Takes further requests from a user's allowance after a request that went on: the next ones
  /// wait for as long as if these had been made.
  func chargeRequests(_ count: Int, of login: String, _ service: PhoneService, at seconds: Double) {
    guard count > 0 else { return }
    state.withLock { $0.requests[service.agency]?.charge(login, Double(count), at: seconds) }
  }

  /// Takes one try to log in from a network's allowance.
  /// - Returns: true if the try may go on.
  func takeLogin(from network: String, _ service: PhoneService, at seconds: Double) -> Bool {
    state.withLock { state in
      let rate = (service.loginsPerSecond, service.loginBurst)
      return Self.take(network, of: &state.logins[service.agency], rate, at: seconds)
    }
  }

  /// Notes a request of an inspector, from a network where they had logged in.
  func noteHeard(_ login: String, from network: String, of agency: String, at time: DeviceTime) {
    state.withLock { state in
      // There is one entry for each login that holds; a list longer than this is of no use to
      // anyone.
      if state.heard.count > 100_000 { state.heard = [:] }
      state.heard["\(agency)\n\(login)\n\(network)"] = time
    }
  }

  /// Returns when an inspector was last heard from a network; nil if not since the program began.
  func heard(_ login: String, from network: String, of agency: String) -> DeviceTime? {
    state.withLock { $0.heard["\(agency)\n\(login)\n\(network)"] }
  }

  /// Returns true if a network has not guessed too often of late.
  func mayGuess(from network: String, at seconds: Double) -> Bool {
    state.withLock { $0.guesses.hasLeft(network, at: seconds) }
  }

  /// Counts a guess of a network: it sent an address or credentials of no agency.
  /// - Returns: true if the network may guess that often.
  @discardableResult
  func takeGuess(from network: String, at seconds: Double) -> Bool {
    state.withLock { $0.guesses.take(network, at: seconds) == nil }
  }

  /// Gives a guess back to a network, because it was none.
  func giveGuessBack(to network: String, at seconds: Double) {
    state.withLock { $0.guesses.charge(network, -1, at: seconds) }
  }

  /// Takes one request from a limiter. If the agency has changed the rate, the new rate counts from
  /// this request on.
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

  /// Returns true if these credentials were already found to be right: hashing them takes a third
  /// of a second.
  func isProven(_ digest: String) -> Bool { state.withLock { $0.proven.contains(digest) } }

  /// Notes that credentials are right.
  func prove(_ digest: String) {
    state.withLock { state in
      // A few agencies have a few passwords; a larger set comes from a mistake.
      if state.proven.count > 10_000 { state.proven = [] }
      state.proven.insert(digest)
    }
  }
}

extension OfficeCore {
  /// Removes the pictures that were coming in when the program crashed: those that have become no
  /// photo lose their name in the store, and then all files of the folder are removed.
  func clearPhoneSpool(_ folder: String) async throws {
    try DurableFile.makeFolder(folder)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      if let id = Identifier(name) {
        var isKept = false
        for agency in try await database.readRegistry({ try $0.agencies() }) where !isKept {
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
