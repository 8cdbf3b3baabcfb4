import Foundation
import Glibc

/// A plain socket, for requests that a well-behaved client never sends.
enum RawConnection {
  struct Failure: Error {}

  /// Sends text in pieces; before each further piece it waits until `marker` has come back. Then it
  /// reads to the end of the connection, or until `until` has come. With `isOrderly` a connection
  /// that is reset instead of closed is a failure. `source` is the loopback address to ask from.
  static func exchange(
    port: Int, _ pieces: [String], waitingFor marker: String = "", until end: String? = nil,
    isOrderly: Bool = false, from source: String = "127.0.0.1"
  ) async throws -> String {
    try await withCheckedThrowingContinuation { waiter in
      Thread {
        waiter.resume(
          with: Result {
            try blocking(
              try connected(port: port, from: source), pieces, waitingFor: marker, until: end,
              isOrderly)
          })
      }.start()
    }
  }

  private static func blocking(
    _ handle: Int32, _ pieces: [String], waitingFor marker: String, until end: String?,
    _ isOrderly: Bool
  ) throws -> String {
    defer { close(handle) }
    var received: [UInt8] = []
    func text() -> String { String(decoding: received, as: UTF8.self) }
    func read() throws -> Bool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(handle, &buffer, buffer.count, 0)
      guard count > 0 else {
        if count < 0, isOrderly { throw Failure() }
        return false
      }
      received += buffer[..<count]
      return true
    }
    for (number, piece) in pieces.enumerated() {
      if number > 0 {
        while !text().contains(marker) { guard try read() else { return text() } }
      }
      let bytes = Array(piece.utf8)
      guard send(handle, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
        if isOrderly { throw Failure() }
        return text()
      }
    }
    while end.map({ !text().contains($0) }) ?? true { guard try read() else { break } }
    return text()
  }

  /// A connection that has sent half a head and stays.
  final class Silent {
    private let handle: Int32

    init(port: Int) throws {
      handle = try RawConnection.connected(port: port)
      let head = Array("GET / HTTP/1.1\r\nHost: ".utf8)
      guard send(handle, head, head.count, Int32(MSG_NOSIGNAL)) == head.count else {
        throw Failure()
      }
    }

    deinit { close(handle) }
  }

  private static func address(_ host: String, port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return address
  }

  private static func connected(port: Int, from source: String = "127.0.0.1") throws -> Int32 {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard handle >= 0 else { throw Failure() }
    var own = address(source, port: 0)
    let isBound = withUnsafePointer(to: &own) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard isBound == 0 else {
      close(handle)
      throw Failure()
    }
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      handle, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var peer = address("127.0.0.1", port: port)
    let result = withUnsafePointer(to: &peer) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(handle)
      throw Failure()
    }
    return handle
  }

  /// An upload that sends only as fast as the other end takes it.
  final class Upload {
    private let handle: Int32
    private let byteCount: Int
    private let chunk = [UInt8](repeating: 1, count: 1 << 16)
    /// The bytes of the body that the system has taken.
    private(set) var sent = 0

    init(port: Int, path: String, byteCount: Int) throws {
      self.byteCount = byteCount
      handle = try RawConnection.connected(port: port)
      let head = Array(
        "PUT \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: \(byteCount)\r\n\r\n"
          .utf8)
      guard send(handle, head, head.count, Int32(MSG_NOSIGNAL)) == head.count else {
        throw Failure()
      }
    }

    deinit { close(handle) }

    /// Sends all that can be sent without waiting; returns true if that was anything.
    func push() throws -> Bool {
      let before = sent
      while sent < byteCount {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = send(handle, chunk, min(chunk.count, byteCount - sent), flags)
        if count < 0, errno == EAGAIN { break }
        guard count > 0 else { throw Failure() }
        sent += count
      }
      return sent > before
    }

    /// Returns the answer once `end` has come.
    func answer(until end: String) async throws -> String {
      let handle = handle
      return try await withCheckedThrowingContinuation { waiter in
        Thread {
          var received: [UInt8] = []
          var buffer = [UInt8](repeating: 0, count: 4096)
          while !String(decoding: received, as: UTF8.self).hasSuffix(end) {
            let count = recv(handle, &buffer, buffer.count, 0)
            guard count > 0 else { return waiter.resume(throwing: Failure()) }
            received += buffer[..<count]
          }
          waiter.resume(returning: String(decoding: received, as: UTF8.self))
        }.start()
      }
    }
  }
}
