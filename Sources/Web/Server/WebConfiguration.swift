import Crypto
import NIOCore
import NIOSSL

/// A certificate for HTTPS with its key.
public struct ServerCertificate: Hashable, Sendable {
  /// The certificate and those that sign it, PEM.
  public var chainPEM: String
  /// The private key, PEM.
  public var keyPEM: String

  /// Creates a certificate from two PEM texts.
  public init(chainPEM: String, keyPEM: String) {
    (self.chainPEM, self.keyPEM) = (chainPEM, keyPEM)
  }
}

/// The settings of a server: its address, its names and its limits.
public struct WebConfiguration: Sendable {
  /// The name or address to listen on.
  public var host: String
  /// The port; 0 takes any free one, and `WebServer.run` tells which.
  public var port: Int
  /// The paths of PEM files for HTTPS; nil serves HTTP.
  public var tls: (certificatePath: String, keyPath: String)?
  /// Returns the certificate for HTTPS as it is now: that of a device changes with its network. It is
  /// asked for with each connection; nil stands for `tls`.
  public var currentCertificate: (@Sendable () -> ServerCertificate)?
  /// Returns further names that this server answers under now, as `extraHosts`; nil for none.
  public var currentHosts: (@Sendable () -> [String])?
  /// True if this server answers over HTTPS itself.
  public var isSecure: Bool { tls != nil || currentCertificate != nil }
  /// Further names that this server answers under, besides the loopback names and `host`: `name`
  /// (with this server's port), `name:port`, or `https://name` if a proxy in front does TLS.
  public var extraHosts: [String]
  /// The key of the form tokens, at least 32 random bytes. A new one makes every open form expire.
  public var secret: [UInt8]
  /// The text of the `Server` header.
  public var serverName: String
  /// The interval in seconds at which an event stream shows that it is alive.
  public var heartbeatSeconds: Double = 15
  /// The seconds after which an idle connection is closed.
  public var idleSeconds: Int = 60
  /// The seconds that a new connection may take until its first request's whole head is there.
  public var headSeconds: Double = 10
  /// The most connections of one address that may be open without having asked for anything yet;
  /// further ones are closed. Hundreds of people may share an address through a router or a proxy,
  /// and come at once; but each of their connections also asks at once.
  public var silentConnectionsPerAddressAtMost: Int = 256
  /// The most connections of one address that may be open at all, of the 800 that there are.
  public var connectionsPerAddressAtMost: Int = 600
  /// The addresses of proxies in front. Only such a proxy's `X-Forwarded-For` is believed: its last
  /// entry is then the client's address.
  public var proxies: Set<String> = []
  /// True if the settings name a proxy in front.
  var hasProxyInFront: Bool {
    !proxies.isEmpty || extraHosts.contains { $0.lowercased().hasPrefix("https://") }
  }
  /// The most connections that are open at a time, of all addresses together.
  public var connectionsAtMost: Int = 800
  /// The bytes of a connection that the system takes before the program reads them; nil leaves the
  /// number to the system, which takes some MB from a fast sender. With a small number, senders
  /// that wait for their turn keep their bytes until then.
  public var receiveBufferBytes: Int?
  /// The most requests that are worked on at a time; further ones are answered `busy`.
  public var requestsAtMost: Int = 256
  /// The most event streams that are open at a time; further ones are answered `busy`.
  public var eventStreamsAtMost: Int = 400
  /// The seconds that running requests may take to finish when the server stops.
  public var shutdownSeconds: Int = 5

  /// Creates a configuration; every property without a parameter has its default.
  public init(
    host: String = "127.0.0.1", port: Int, tls: (certificatePath: String, keyPath: String)? = nil,
    extraHosts: [String] = [], secret: [UInt8], serverName: String
  ) {
    self.host = host
    self.port = port
    self.tls = tls
    self.extraHosts = extraHosts
    self.secret = secret
    self.serverName = serverName
  }

  /// Returns true for an IP address as `proxies` may hold it.
  public static func isAddress(_ text: String) -> Bool {
    (try? SocketAddress(ipAddress: text, port: 0)) != nil
  }

  /// Returns the SHA-256 of the first certificate of a PEM file, hexadecimal: a server's own.
  /// - Throws: `NIOSSLError` if the file cannot be read or holds no certificate.
  public static func certificateFingerprint(ofFile path: String) throws -> String? {
    let certificates = try NIOSSLCertificate.fromPEMFile(path)
    return try certificates.first.map { Token.hexadecimal(SHA256.hash(data: try $0.toDERBytes())) }
  }
}
