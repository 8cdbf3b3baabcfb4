import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// A server for pages and for programs. It knows routes, checks, problems and assets, and nothing
/// about the subject of the pages.
public final class WebServer: Sendable {
  private let configuration: WebConfiguration
  private let routes: Routes
  private let problemPage: @Sendable (Problem, WebRequest) async -> HTML
  private let log: @Sendable (String) -> Void
  let onRequest: (@Sendable (RequestRecord) -> Void)?
  let requests: Admission
  let eventStreams: Admission
  let logger: Logger

  /// Creates a server that does not listen yet.
  ///
  /// `problemPage` draws a problem as a page for people. It is also called for requests to hosts
  /// that are refused; those requests have no cookies then. `log` gets a line for each event that
  /// an operator should know about; the lines never hold cookies, tokens or bodies. `onRequest` is
  /// called for every request after it has been answered; the next request may wait for it, so it
  /// should be quick.
  public init(
    configuration: WebConfiguration, routes: Routes,
    problemPage: @escaping @Sendable (Problem, WebRequest) async -> HTML,
    log: @escaping @Sendable (String) -> Void = { line in
      try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    },
    onRequest: (@Sendable (RequestRecord) -> Void)? = nil
  ) {
    self.onRequest = onRequest
    self.configuration = configuration
    self.problemPage = problemPage
    self.log = log
    var routes = routes
    for asset in Asset.all {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    self.routes = routes
    requests = Admission(limit: configuration.requestsAtMost)
    eventStreams = Admission(limit: configuration.eventStreamsAtMost)
    logger = Logger(label: "web") { _ in ServerLog(log: log) }
  }

  /// Listens and answers until the surrounding task is cancelled; then lets running requests
  /// finish, for a few seconds at most, and returns. Calls `onReady` with the port as soon as
  /// requests are answered.
  /// - Throws: `WebError.portUnavailable`, `WebError.unusableCertificate`.
  public func run(onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }) async throws
  {
    let settings = Mutex<Exchange.Setting?>(nil)
    let hasStarted = Mutex(false)
    let service = try makeService(
      responder: { [self] request, writer, channel in
        // The port is known before the first connection is accepted.
        guard let setting = settings.withLock({ $0 }) else { return }
        try await respond(to: request, writer, channel, setting)
      },
      onRunning: { [self] channel in
        let port = channel.localAddress?.port ?? configuration.port
        settings.withLock { $0 = setting(port: port) }
        hasStarted.withLock { $0 = true }
        // Not awaited: the first connection is accepted only after this closure, and `onReady` may
        // well ask for a page at once.
        Task { await onReady(port) }
      })
    var group = ServiceGroupConfiguration(services: [service], logger: logger)
    group.maximumGracefulShutdownDuration = .seconds(configuration.shutdownSeconds)
    do {
      try await finish(ServiceGroup(configuration: group))
    } catch {
      if hasStarted.withLock({ $0 }) { throw error }
      if Task.isCancelled { return }
      throw WebError.portUnavailable(
        host: configuration.host, port: configuration.port, reason: Self.reason(error))
    }
  }

  private func setting(port: Int) -> Exchange.Setting {
    Exchange.Setting(
      configuration: configuration, table: RouteTable(routes),
      rules: AccessRules(configuration: configuration, port: port),
      formToken: FormToken(secret: configuration.secret), cookieNames: CookieNames(port: port),
      problemPage: problemPage, log: log)
  }

  /// Runs the services in a task of their own. Cancelling that task would cut off every answer, so
  /// the server's own cancellation becomes a graceful shutdown.
  private func finish(_ group: ServiceGroup) async throws {
    let running = Task { try await group.run() }
    let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    let watcher = Task { end.yield(await running.result) }
    // In a task of its own, too: a cancelled task reads nothing from a stream.
    let outcome = Task { await ends.first { _ in true } }
    // A handler that ignores cancellation must not keep the program alive.
    let patience = Duration.seconds(configuration.shutdownSeconds + 1)
    let result = await withTaskCancellationHandler {
      await outcome.value
    } onCancel: {
      Task {
        await group.triggerGracefulShutdown()
        try? await Task.sleep(for: patience)
        running.cancel()
        end.yield(.success(()))
      }
    }
    watcher.cancel()
    try result?.get()
  }

  private func makeService(
    responder: @escaping HTTPChannelHandler.Responder,
    onRunning: @escaping @Sendable (any Channel) async -> Void
  ) throws -> any Service {
    let systemBytes = configuration.receiveBufferBytes
    let headSeconds = configuration.headSeconds
    let counts = ConnectionCounts(
      openAtMost: configuration.connectionsPerAddressAtMost,
      silentAtMost: configuration.silentConnectionsPerAddressAtMost)
    let http = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [
          ReceiveBuffer(systemBytes: systemBytes),
          ConnectionGate(counts: counts, headSeconds: headSeconds),
        ],
        idleTimeout: .seconds(Int64(configuration.idleSeconds)),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
    let address = ServerConfiguration(
      address: .hostname(configuration.host, port: configuration.port),
      // A process may have some 1024 files open; listeners, databases and photos need the rest.
      availableConnectionsDelegate: MaximumAvailableConnections(
        configuration.connectionsAtMost, logger: logger))
    func service(_ builder: HTTPServerBuilder) throws -> any Service {
      try builder.buildServer(
        configuration: address, eventLoopGroup: EventLoopGroupProvider.singleton.eventLoopGroup,
        logger: logger, responder: responder, onServerRunning: onRunning)
    }
    if let current = configuration.currentCertificate {
      return try service(.tls(http, tlsConfiguration: try Self.settings(asking: current)))
    }
    guard let tls = configuration.tls else { return try service(http) }
    do {
      var settings = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMFile(tls.certificatePath)
          .map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: tls.keyPath, format: .pem)))
      Self.harden(&settings)
      return try service(.tls(http, tlsConfiguration: settings))
    } catch {
      throw WebError.unusableCertificate(
        certificatePath: tls.certificatePath, keyPath: tls.keyPath, reason: Self.reason(error))
    }
  }

  private static func harden(_ settings: inout TLSConfiguration) {
    settings.minimumTLSVersion = .tlsv12
    settings.applicationProtocols = ["http/1.1"]
  }

  /// Returns settings that ask for the certificate with each connection.
  private static func settings(
    asking current: @escaping @Sendable () -> ServerCertificate
  ) throws -> TLSConfiguration {
    let parts:
      @Sendable () throws -> (chain: [NIOSSLCertificateSource], key: NIOSSLPrivateKeySource) =
        {
          let now = current()
          return (
            try NIOSSLCertificate.fromPEMBytes(Array(now.chainPEM.utf8)).map { .certificate($0) },
            .privateKey(try NIOSSLPrivateKey(bytes: Array(now.keyPEM.utf8), format: .pem))
          )
        }
    let first: (chain: [NIOSSLCertificateSource], key: NIOSSLPrivateKeySource)
    do {
      first = try parts()
    } catch {
      throw WebError.unusableCertificate(
        certificatePath: "this device's own", keyPath: "its key", reason: reason(error))
    }
    var settings = TLSConfiguration.makeServerConfiguration(
      certificateChain: first.chain, privateKey: first.key)
    harden(&settings)
    settings.sslContextCallback = { _, promise in
      promise.completeWith(
        Result {
          let now = try parts()
          var change = NIOSSLContextConfigurationOverride()
          (change.certificateChain, change.privateKey) = (now.chain, now.key)
          return change
        })
    }
    return settings
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? IOError else { return "\(error)" }
    return String(cString: strerror(error.errnoCode))
  }
}
