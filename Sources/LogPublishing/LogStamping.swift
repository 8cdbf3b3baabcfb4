import Evidence
import Foundation
import Office
import Store
import TimeAndText
import Timestamps
import Transparency

/// Has the office's checkpoints stamped by time authorities outside, so that nobody, the office included, can make
/// them later than they were. No delivery ever waits for it.
package struct LogStamping: OfficeService {
  /// The time between two looks whether a checkpoint is to be stamped, seconds.
  static let lookSeconds = 600.0
  /// The most checkpoints that an authority stamps in one look.
  private static let checkpointsAtOnce = 10
  private static let revocationListsAtMost = 4
  private static let addressCharactersAtMost = 2000

  /// A stamp that was just taken.
  package struct Taken: Sendable {
    /// The number of entries of the checkpoint; nil for a question of no checkpoint.
    package var size: Int?
    /// The authority's name, as its certificate says.
    package var authority: String
    /// The authority's time.
    package var time: DeviceTime
    /// The questions that stay open with what is here.
    package var gaps: [Wording]
  }

  package let core: OfficeCore
  private let log: PublicLog
  let shelf: StampShelf
  private let link: any TimeAuthorityLink

  /// Creates the service of an office.
  package init(core: OfficeCore, link: any TimeAuthorityLink = HTTPTimeAuthorityLink()) {
    self.core = core
    self.link = link
    log = PublicLog(core: core)
    shelf = StampShelf(officeFolder: core.configuration.folder.path)
  }

  // MARK: which authorities

  /// The authorities that the office asks, and how it went with each.
  package func authorities() throws -> [(authority: UsedAuthority, state: OutsideState)] {
    let states = try shelf.states.read()
    return try shelf.authorities.read().map { ($0, states[$0.name] ?? OutsideState()) }
  }

  /// Asks an authority from now on. It is asked once before, so that a wrong address is noticed at once.
  /// - Parameter roots: the certificates (PEM) that must vouch for it; nil takes whoever answers.
  /// - Throws: `OfficeRefusal` if the address is none, or if the authority does not answer as it should.
  package func use(_ url: String, roots: String?) async throws -> Taken {
    let authority = UsedAuthority(
      url: url, name: try Self.name(of: url), since: clock.deviceTime.rfc3339, roots: roots)
    let taken: Taken
    do {
      taken = try await ask(authority, about: try log.lastCheckpoint())
    } catch let problem as any Error & Worded {
      throw OfficeRefusal(.inputInvalid, "\(word: url): \(problem.wording)")
    }
    try shelf.authorities.change { all in
      let since = all.first { $0.url == url }?.since
      all.removeAll { $0.url == url }
      var authority = authority
      authority.since = since ?? authority.since
      all.append(authority)
    }
    try remember(taken, by: authority)
    return taken
  }

  /// Asks an authority no more. Its stamps stay.
  /// - Throws: `OfficeRefusal` if it is not one of those that are asked.
  package func remove(_ url: String) throws {
    try shelf.authorities.change { all in
      let count = all.count
      all.removeAll { $0.url == url }
      guard all.count < count else {
        throw OfficeRefusal(
          .unknown,
          "the office does not ask \(word: url): standpoint office timestamp lists whom it asks")
      }
    }
  }

  private static func name(of url: String) throws -> String {
    guard url.count <= addressCharactersAtMost, let parts = URLComponents(string: url),
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.user == nil,
      parts.password == nil, let host = parts.host, !host.isEmpty
    else {
      throw OfficeRefusal(
        .inputInvalid,
        "this is not the address of a time authority: it begins with https:// or http:// and has no password"
      )
    }
    let letters = host.lowercased().filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".")
    }
    return "\(letters.prefix(60))-\(Digest.hexadecimal(Array(url.utf8)).prefix(8))"
  }

  // MARK: asking

  /// Has checkpoints stamped as they come, until the surrounding task is cancelled.
  package func keepStamping() async throws {
    while true {
      try await stampDue()
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: Self.lookSeconds))
    }
  }

  /// Asks each authority for stamps of the checkpoints that it has not stamped yet: of the last one, and of those
  /// that were signed since the office asks this authority. A failure is noted, and the next look asks again.
  package func stampDue() async throws {
    do {
      for authority in try shelf.authorities.read() { try await stampDue(by: authority) }
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      configuration.log("timestamps: \(error)")
    }
  }

  private func stampDue(by authority: UsedAuthority) async throws {
    for (note, _) in try due(authority).prefix(Self.checkpointsAtOnce) {
      do {
        let taken = try await ask(authority, about: note)
        try remember(taken, by: authority)
      } catch let problem as any Error & Worded {
        configuration.log("timestamps: \(authority.url): \(problem.wording)")
        let now = clock.deviceTime
        return try shelf.states.change {
          $0[authority.name, default: OutsideState()].failed(problem, at: now)
        }
      }
    }
  }

  private func remember(_ taken: Taken, by authority: UsedAuthority) throws {
    guard let size = taken.size else { return }
    try shelf.states.change {
      $0[authority.name, default: OutsideState()].answered(size: size, at: taken.time)
    }
  }

  /// Returns the checkpoints that an authority is to stamp, the last one first.
  private func due(_ authority: UsedAuthority) throws -> [(SignedNote, Int)] {
    let sizes = try log.sizes()
    let since = DeviceTime(rfc3339: authority.since)
    return try sizes.reversed().compactMap { size in
      let isDue = try size == sizes.last || log.isSigned(size: size, after: since)
      guard isDue else { return nil }
      let note = try log.checkpoint(size: size)
      return try shelf.isStamped(note, size: size, by: authority) ? nil : (note, size)
    }
  }

  /// Asks an authority, and keeps its stamp. Without a checkpoint its answer is only looked at.
  private func ask(_ authority: UsedAuthority, about note: SignedNote?) async throws -> Taken {
    let size = try note.map { try Checkpoint(text: $0.text).size }
    let bytes =
      if let note, let size { try shelf.bytes(of: note, size: size) } else {
        Array("standpoint".utf8)
      }
    var random = SystemRandomNumberGenerator()
    let query = TimestampQuery(
      about: bytes, nonce: (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) })
    let reply = try await link.ask(try query.der, at: authority.url)
    let stamp = try query.stamp(inReply: reply)
    let away = stamp.time.gnssTime.seconds(since: clock.deviceTime.gnssTime)
    guard abs(away) <= ClockTolerance.seconds else {
      throw OutsideFailure(
        "it says that it is \(moment: stamp.time), and here it is \(moment: clock.deviceTime): one of both clocks is wrong"
      )
    }
    var trusted = TimeAuthorities()
    if let roots = authority.roots { try trusted.trust(pem: roots) }
    var standing = await trusted.standing(of: stamp)
    guard trusted.isEmpty || standing.root != nil else {
      throw OutsideFailure(
        standing.doubts.first
          ?? "the certificates that were named for it do not vouch for \(word: stamp.authority)")
    }
    // Only a certificate for which the administrator's own vouch may name an address that is fetched.
    let revocations = standing.root == nil ? [] : await revocationLists(for: stamp)
    standing = await trusted.standing(of: stamp, revocations: revocations.map(\.list))
    if let doubt = standing.doubts.first { throw OutsideFailure(doubt) }
    if let note, let size {
      try shelf.keep(
        reply, certificates: stamp.certificatesPEM + (authority.roots ?? ""),
        revocations: revocations.map(\.bytes), of: note, size: size, by: authority)
    }
    return Taken(
      size: size, authority: stamp.authority, time: stamp.time, gaps: standing.gaps)
  }

  /// Fetches the revocation lists of a stamp's authorities: later nobody may have them any more. A stamp counts
  /// without them, too.
  private func revocationLists(
    for stamp: Timestamp
  ) async -> [(bytes: [UInt8], list: RevocationList)] {
    var lists: [(bytes: [UInt8], list: RevocationList)] = []
    for address in stamp.revocationAddresses.prefix(Self.revocationListsAtMost) {
      do {
        let bytes = try await link.revocationList(at: address)
        lists.append((bytes, try RevocationList(der: bytes)))
      } catch {
        configuration.log("timestamps: no revocation list from \(address): \(error)")
      }
    }
    return lists
  }
}
