import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import TimeAndText

/// Asks map services over HTTP, for tiles and for their capabilities. It follows no redirect to
/// another host, and with a password none to another origin; it reads no more than it was told to,
/// and waits no longer.
package struct ServiceFetcher: Sendable {
  /// An answer with its whole body.
  struct Answer: Sendable {
    var headers: HTTPHeaders
    var bytes: [UInt8]
    /// True if nothing has changed since the state that the request named.
    var isUnchanged = false
  }

  /// The name by which services know the office, with its version.
  package var userAgent: String
  /// The longest wait for a tile, seconds.
  package var tileSeconds = 15
  /// The longest wait for capabilities, which some services make anew each time, seconds.
  package var capabilitiesSeconds = 30

  /// The most bytes of a tile: field units take no larger one.
  static let tileBytesAtMost = 1 << 20
  /// The most bytes of capabilities.
  static let capabilitiesBytesAtMost = 16 << 20
  private static let redirectsAtMost = 3
  /// The time for which a host's address is known to be allowed.
  private static let addressSeconds = 60.0

  package init(userAgent: String) { self.userAgent = userAgent }

  // One client for the whole program: it keeps connections, and is never shut down.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout = HTTPClient.Configuration.Timeout(
      connect: .seconds(5), read: .seconds(30))
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  /// The hosts whose addresses were looked up, and when.
  private static let allowed = Mutex<[String: ContinuousClock.Instant]>([:])

  // MARK: questions

  /// Asks a service to describe itself.
  package func capabilities(
    of service: MapService
  ) async throws(MapServiceError) -> ServiceCapabilities {
    guard let address = try service.capabilitiesAddress() else {
      throw .noSuchLayer("a service of tiles has no layers to choose from")
    }
    let host = try host(of: address)
    let answer = try await get(
      address, for: service, accepting: "application/xml, text/xml, */*;q=0.1", known: [],
      bytesAtMost: Self.capabilitiesBytesAtMost, within: capabilitiesSeconds)
    return try ServiceCapabilities(answer.bytes, of: service.kind, host: host)
  }

  /// Asks for an address, and follows redirects within its host.
  /// - Parameter known: the header fields of a question whether something has changed.
  /// - Throws: `MapServiceError`, `.status` for each answer that is no success.
  func get(
    _ address: String, for service: MapService, accepting: String, known: [(String, String)],
    bytesAtMost: Int, within seconds: Int
  ) async throws(MapServiceError) -> Answer {
    var address = address
    for _ in 0...Self.redirectsAtMost {
      let host = try host(of: address)
      try await requireAllowed(host)
      var request = HTTPClientRequest(url: address)
      request.headers.add(name: "User-Agent", value: userAgent)
      request.headers.add(name: "Accept", value: accepting)
      let account = service.account(at: address)
      if let account { request.headers.add(name: "Authorization", value: account) }
      for (name, value) in known { request.headers.add(name: name, value: value) }
      let (status, answer) = try await execute(
        request, host: host, bytesAtMost: bytesAtMost, within: seconds)
      switch status {
      case 200, 203: return answer
      case 304 where !known.isEmpty: return answer
      case 301, 302, 303, 307, 308:
        address = try next(
          answer.headers.first(name: "Location"), from: address, host: host,
          withPassword: account != nil)
      case 401, 403:
        if account == nil, service.user != nil, let own = ServiceOrigin(of: service.address) {
          throw .passwordElsewhere(host: host, own: own.text)
        }
        throw .passwordRefused(host: host, wasGiven: account != nil)
      default:
        if let root = XMLTree(parsing: answer.bytes),
          let words = ServiceCapabilities.exception(in: root)
        {
          throw .exception(host: host, words: words)
        }
        throw .status(host: host, code: status)
      }
    }
    throw .unreachable(host: try host(of: address), reason: "it redirects again and again")
  }

  // MARK: the way there

  private func host(of address: String) throws(MapServiceError) -> String {
    guard let host = URLComponents(string: address)?.host?.lowercased(), !host.isEmpty else {
      throw .malformedAddress("this is not the address of a map service")
    }
    return host
  }

  /// Returns the address to which a redirect leads.
  /// - Throws: `MapServiceError.redirected` if it is another host's, or if a password was sent and
  ///   it is of another origin.
  private func next(
    _ location: String?, from address: String, host: String, withPassword: Bool
  ) throws(MapServiceError) -> String {
    guard let base = URL(string: address), let location,
      let target = URL(string: location, relativeTo: base)?.absoluteURL,
      let parts = URLComponents(url: target, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme, ["http", "https"].contains(scheme)
    else {
      throw .unreachable(host: host, reason: "it redirects to something that is not an address")
    }
    let other = parts.host?.lowercased() ?? ""
    // A step from https down to http would send the password unencrypted.
    guard other == host, !(base.scheme == "https" && scheme == "http") else {
      throw .redirected(host: host, to: other == host ? "http" : other)
    }
    if withPassword, let origin = ServiceOrigin(of: target.absoluteString),
      origin != ServiceOrigin(of: address)
    {
      throw .redirected(host: host, to: origin.text)
    }
    return target.absoluteString
  }

  /// Looks a host's address up, because a name may lead to an address that is off limits.
  private func requireAllowed(_ host: String) async throws(MapServiceError) {
    let now = ContinuousClock.now
    let isKnown = Self.allowed.withLock { allowed in
      allowed[host].map { now - $0 < .seconds(Self.addressSeconds) } ?? false
    }
    guard !isKnown else { return }
    let found = try? await NIOThreadPool.singleton.runIfActive {
      try SocketAddress.makeAddressResolvingHost(host, port: 80).ipAddress
    }
    guard let address = found else {
      throw .unreachable(host: host, reason: "its name is not known")
    }
    guard !ServiceAddress.isOffLimits(address) else {
      throw .malformedAddress("\(host) is an address inside the machine's own network equipment")
    }
    Self.allowed.withLock { allowed in
      if allowed.count > 1000 { allowed.removeAll() }
      allowed[host] = now
    }
  }

  private func execute(
    _ request: HTTPClientRequest, host: String, bytesAtMost: Int, within seconds: Int
  ) async throws(MapServiceError) -> (status: Int, Answer) {
    do {
      return try await withThrowingTaskGroup(of: (Int, Answer)?.self) { group in
        group.addTask {
          let response = try await Self.client.execute(
            request, timeout: .seconds(Int64(seconds) + 5))
          var body = try await response.body.collect(upTo: bytesAtMost)
          let bytes = body.readBytes(length: body.readableBytes) ?? []
          return (
            Int(response.status.code),
            Answer(
              headers: response.headers, bytes: bytes, isUnchanged: response.status == .notModified)
          )
        }
        // The client's own limit counts up to the head of an answer: a body may trickle for ever.
        group.addTask {
          try await Task.sleep(for: .seconds(seconds))
          return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let answer = first else {
          throw MapServiceError.tooSlow(host: host, seconds: seconds)
        }
        return answer
      }
    } catch let error as MapServiceError {
      throw error
    } catch is NIOTooManyBytesError {
      throw .tooLarge(host: host, bytesAtMost: bytesAtMost)
    } catch {
      throw .unreachable(host: host, reason: Self.words(error))
    }
  }

  private static func words(_ error: any Error) -> Wording {
    switch error {
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
      "its TLS certificate is not trusted on this machine, or is for another name"
    case let error as HTTPClientError:
      switch error {
      case .connectTimeout: "no connection within 5 s"
      case .readTimeout, .deadlineExceeded: "the answer stopped coming"
      default: "the connection was cut"
      }
    case is NIOConnectionError: "nothing is listening there, or there is no network"
    case let error as IOError where error.errnoCode == ECONNREFUSED:
      "nothing is listening there, or there is no network"
    case is CancellationError: "the request was cancelled"
    default: "the connection was cut"
    }
  }
}
