import NIOCore

/// Where a server listens and what it is called.
public struct WebConfiguration: Sendable {
  /// The name or address to listen on.
  public var host: String
  /// The port; 0 takes any free one, which `WebServer.run` tells.
  public var port: Int
  /// PEM files for HTTPS; nil serves HTTP.
  public var tls: (certificatePath: String, keyPath: String)?
  /// Further names that this server answers under, besides the loopback names and `host`: `name`
  /// (with this server's port), `name:port`, or `https://name` where a proxy in front does TLS.
  public var extraHosts: [String]
  /// The key of the form tokens, at least 32 random bytes. A new one makes every open form expire.
  public var secret: [UInt8]
  /// What the `Server` header says.
  public var serverName: String
  /// After how many seconds of silence an event stream shows that it is alive.
  public var heartbeatSeconds: Double = 15
  /// After how many idle seconds a connection is closed.
  public var idleSeconds: Int = 60
  /// How many seconds a new connection may take until its first request's head is there as a whole.
  public var headSeconds: Double = 10
  /// How many connections of one address may be open at a time without having asked for anything yet; further ones are
  /// closed. Hundreds of people may share an address behind a router or a proxy, and come at once; each of them asks at
  /// once, too.
  public var silentConnectionsPerAddressAtMost: Int = 256
  /// How many connections of one address may be open at a time at all, of the 800 that there are.
  public var connectionsPerAddressAtMost: Int = 600
  /// Addresses of proxies in front. What one of them says in `X-Forwarded-For` is believed: its last entry is then
  /// the address of whoever asks.
  public var proxies: Set<String> = []
  /// How many bytes of a connection the system takes before the program reads them; nil leaves it to the system, which
  /// takes some MB from a fast sender. Where many senders wait for their turn they wait with their bytes.
  public var receiveBufferBytes: Int?
  /// How many requests are worked on at a time; further ones are answered `busy`.
  public var requestsAtMost: Int = 256
  /// How many event streams are open at a time; further ones are answered `busy`.
  public var eventStreamsAtMost: Int = 400
  /// How long running requests may take to finish when the server stops.
  public var shutdownSeconds: Int = 5

  /// A configuration; what is left out is as documented at each property.
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

  /// True for an IP address as `proxies` may hold it.
  public static func isAddress(_ text: String) -> Bool {
    (try? SocketAddress(ipAddress: text, port: 0)) != nil
  }
}
