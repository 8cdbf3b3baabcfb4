import Foundation

/// An object store of somebody else on this machine, with one bucket, for a test.
public final class ObjectServer {
  /// The stores that tests can start.
  public enum Kind: String, CaseIterable, Sendable {
    /// rclone checks signatures and the clock, and ignores conditions.
    case rclone
    /// moto honours conditions, and checks no signature.
    case moto
    /// A store that does what stores do on a bad day; `Tests/ObjectStores/bad_store.py` says how to ask for it.
    case bad
  }

  /// The bucket's name.
  public static let bucket = "field-photos"
  /// The name of the key that rclone knows.
  public static let identifier = "inspectionkey"
  /// The key.
  public static let secret = "wet-barley-and-kestrel"
  /// True if the packages are installed.
  public static let areHere = PythonTools.has("rclone") && PythonTools.has("moto_server")

  /// The port on this machine.
  public let port: Int
  private let process: Process

  /// The address of the bucket.
  public var address: String {
    "s3://\(Self.bucket)/office?endpoint=http://127.0.0.1:\(port)"
  }

  /// Starts a store in a folder, which must be empty, and waits until it answers.
  public init(_ kind: Kind, in folder: URL) async throws {
    port = try Self.freePort()
    process = Process()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let address = "127.0.0.1:\(port)"
    switch kind {
    case .rclone:
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(Self.bucket), withIntermediateDirectories: true)
      process.executableURL = PythonTools.program("rclone")
      process.arguments = [
        "serve", "s3", "--auth-key", "\(Self.identifier),\(Self.secret)", "--addr", address,
        "--config", "/dev/null", folder.path,
      ]
    case .moto:
      process.executableURL = PythonTools.program("moto_server")
      process.arguments = ["-H", "127.0.0.1", "-p", String(port)]
    case .bad:
      process.executableURL = PythonTools.program("python3")
      process.arguments = [
        Repository.root.appendingPathComponent("Tests/ObjectStores/bad_store.py").path,
        String(port),
      ]
    }
    try process.run()
    let begun = ContinuousClock.now
    while Self.exchange(port, "GET / HTTP/1.0\r\n\r\n") == nil {
      guard process.isRunning, ContinuousClock.now - begun < .seconds(60) else {
        throw CocoaError(.executableNotLoadable)
      }
      await Task.yield()
    }
    if kind == .moto {
      _ = Self.exchange(
        port, "PUT /\(Self.bucket) HTTP/1.0\r\nHost: \(address)\r\nContent-Length: 0\r\n\r\n")
    }
  }

  deinit { end() }

  /// Ends the store: nobody answers any more.
  public func end() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  private static func freePort() throws -> Int {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
      }
    }
    guard status == 0 else { throw CocoaError(.fileReadUnknown) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return address
  }

  /// Sends a request and returns the beginning of the answer; nil if nobody answers.
  private static func exchange(_ port: Int, _ request: String) -> String? {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = loopback(port)
    let isThere = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let bytes = Array(request.utf8)
    guard isThere, send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { return nil }
    var answer = [UInt8](repeating: 0, count: 1024)
    let count = recv(socket, &answer, answer.count, 0)
    return count > 0 ? String(decoding: answer[..<count], as: UTF8.self) : nil
  }
}
