import Foundation
import Glibc

/// A plain socket, for what a well-behaved client never sends.
enum RawConnection {
  struct Failure: Error {}

  /// Sends text in pieces; before each further piece it waits until `marker` has come back. Then
  /// reads to the end of the connection, or until `until` has come. With `isOrderly` a connection that
  /// is reset instead of closed is a failure.
  static func exchange(
    port: Int, _ pieces: [String], waitingFor marker: String = "", until end: String? = nil,
    isOrderly: Bool = false
  ) async throws -> String {
    try await withCheckedThrowingContinuation { waiter in
      Thread {
        waiter.resume(
          with: Result {
            try blocking(port: port, pieces, waitingFor: marker, until: end, isOrderly)
          })
      }.start()
    }
  }

  private static func blocking(
    port: Int, _ pieces: [String], waitingFor marker: String, until end: String?,
    _ isOrderly: Bool
  ) throws -> String {
    let handle = try connected(port: port)
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

  private static func connected(port: Int) throws -> Int32 {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard handle >= 0 else { throw Failure() }
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      handle, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
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

  /// A body that is sent only as fast as the other end takes it.
  final class Upload {
    private let handle: Int32
    private let byteCount: Int
    private let chunk = [UInt8](repeating: 1, count: 1 << 16)
    /// Bytes of the body that the system has taken from us.
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

    /// Sends what can be sent without waiting; true when that was anything.
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

    /// What comes back, until `end` has come.
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
