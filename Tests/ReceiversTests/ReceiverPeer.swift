import Foundation
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import Positioning
import TestSupport
import TimeAndText

@testable import Receivers

/// A receiver in a test's hand: it speaks, falls silent, goes away and comes back. Each way to a
/// live receiver has one, and all of them are put to the same tests.
protocol ReceiverPeer: AnyObject {
  /// Makes the receiver under test, connected to this peer.
  func receiver(silenceSeconds: Double) throws -> any Receiver
  /// True if somebody is connected.
  var hasListener: Bool { get }
  /// Says something to everybody who is connected.
  func say(_ bytes: [UInt8]) throws
  /// Goes away, even in the middle of a sentence.
  func vanish() throws
  /// Comes back under the same name.
  func comeBack() throws
  /// The words for its absence.
  var absence: String { get }
}

/// A peer over sockets: a thread accepts the connections, and the test waits for them and uses
/// them.
class SocketPeer: @unchecked Sendable {
  fileprivate let lock = NIOLock()
  fileprivate var connections: [CInt] = []

  var hasListener: Bool { lock.withLock { !connections.isEmpty } }

  func say(_ bytes: [UInt8]) {
    for descriptor in lock.withLock({ connections }) {
      var start = 0
      while start < bytes.count {
        let count = bytes.withUnsafeBytes {
          send(
            descriptor, $0.baseAddress?.advanced(by: start), bytes.count - start,
            CInt(MSG_NOSIGNAL))
        }
        guard count > 0 else { break }
        start += count
      }
    }
  }

  func hangUp() {
    lock.withLock {
      for descriptor in connections { close(descriptor) }
      connections = []
    }
  }

  deinit { hangUp() }
}

/// A peer that speaks NMEA 0183 over TCP.
final class TCPPeer: SocketPeer, ReceiverPeer, @unchecked Sendable {
  private var listening: CInt = -1
  private let port: UInt16
  var number: Int { Int(port) }
  private let greeting: [UInt8]
  private let accepted = DispatchSemaphore(value: 0)
  let absence = "nothing is listening there"

  init(greeting: [UInt8] = []) throws {
    self.greeting = greeting
    let (descriptor, port) = try Self.listen(0)
    listening = descriptor
    self.port = port
    super.init()
    accept(descriptor)
  }

  func receiver(silenceSeconds: Double) throws -> any Receiver {
    FollowedReceiver(
      source: .tcp(host: "127.0.0.1", port: Int(port)),
      link: TCPLink(host: "127.0.0.1", port: Int(port), greeting: greeting),
      clock: MachineClock(), silenceSeconds: silenceSeconds)
  }

  func vanish() {
    guard listening >= 0 else { return }
    // `shutdown` wakes the thread that accepts. The descriptor is closed only when that thread is
    // done with its number, and once: another test may have that number by then.
    shutdown(listening, CInt(SHUT_RDWR))
    _ = accepted.wait(timeout: .now() + 2)
    close(listening)
    listening = -1
    hangUp()
  }

  func comeBack() throws {
    listening = try Self.listen(port).descriptor
    accept(listening)
  }

  deinit { vanish() }

  private func accept(_ descriptor: CInt) {
    Thread.detachNewThread { [weak self, accepted] in
      defer { accepted.signal() }
      while true {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        guard let self else {
          close(connection)
          return
        }
        self.lock.withLock { self.connections.append(connection) }
      }
    }
  }

  private static func listen(_ port: UInt16) throws -> (descriptor: CInt, port: UInt16) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var yes: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let outcome = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, size) == 0, Glibc.listen(descriptor, 8) == 0 else {
          return errno
        }
        return getsockname(descriptor, address, &size) == 0 ? 0 : errno
      }
    }
    guard outcome == 0 else { throw POSIXError(POSIXErrorCode(rawValue: outcome) ?? .EIO) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

/// A tty whose other end the test holds.
final class SerialPeer: ReceiverPeer, @unchecked Sendable {
  private let folder: URL
  private var master: CInt = -1
  let absence = "there is no such device: is the receiver plugged in?"
  private var path: String { folder.appendingPathComponent("ttyTEST").path }

  init(folder: URL) throws {
    self.folder = folder
    try comeBack()
  }

  func receiver(silenceSeconds: Double) throws -> any Receiver {
    FollowedReceiver(
      source: .serial(path: path, baud: 115_200), link: SerialLink(path: path, baud: 115_200),
      clock: MachineClock(), silenceSeconds: silenceSeconds)
  }

  /// True if the link has opened the tty: then the tty has the link's settings, without echo.
  var hasListener: Bool {
    var settings = termios()
    guard tcgetattr(master, &settings) == 0 else { return false }
    return settings.c_lflag & tcflag_t(ECHO) == 0 && settings.c_cflag & tcflag_t(CLOCAL) != 0
  }

  func say(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(master, $0.baseAddress?.advanced(by: start), min(512, bytes.count - start))
      }
      guard count > 0 else { return }
      start += count
    }
  }

  func vanish() throws {
    unlink(path)
    close(master)
    master = -1
  }

  func comeBack() throws {
    var slave: CInt = -1
    guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw POSIXError(.EIO) }
    defer { close(slave) }
    guard let name = ttyname(slave) else { throw POSIXError(.EIO) }
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: String(cString: name))
  }

  deinit { if master >= 0 { close(master) } }
}

/// A Bluetooth peer, with a pair of sockets where the radio would be. A real one is tested in a
/// virtual machine (`make test-bluetooth`); this one plays the faults that only a radio has.
final class BluetoothPeer: SocketPeer, ReceiverPeer, BluetoothRadio, @unchecked Sendable {
  private let address: BluetoothAddress
  private var isHere = true
  /// The error number of SDP and `connect` while the receiver is away; `offered` is the channel in
  /// SDP.
  var absentErrno = EHOSTDOWN
  var offered: UInt8? = 3
  private(set) var tried: [UInt8] = []
  let absence = "the receiver is switched off or out of range"

  init(address: BluetoothAddress) {
    self.address = address
  }

  func receiver(silenceSeconds: Double) throws -> any Receiver {
    FollowedReceiver(
      source: .bluetooth(address: address, channel: nil, adapter: nil),
      link: BluetoothLink(address: address, channel: nil, adapter: nil, radio: self),
      clock: MachineClock(), silenceSeconds: silenceSeconds)
  }

  func serialPortChannel(of device: BluetoothAddress, adapter: String?) throws -> UInt8? {
    try lock.withLock {
      guard isHere else { throw IOError(errnoCode: absentErrno, reason: "sdp") }
      return offered
    }
  }

  func connect(_ device: BluetoothAddress, channel: UInt8, adapter: String?) throws -> CInt {
    try lock.withLock {
      tried.append(channel)
      guard isHere else { throw IOError(errnoCode: absentErrno, reason: "connect") }
      guard channel == offered ?? 1 else {
        throw IOError(errnoCode: ECONNREFUSED, reason: "connect")
      }
      var ends: [CInt] = [-1, -1]
      guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
        throw IOError(errnoCode: errno, reason: "socketpair")
      }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      connections.append(ends[1])
      return ends[0]
    }
  }

  func vanish() {
    lock.withLock { isHere = false }
    hangUp()
  }

  func comeBack() { lock.withLock { isHere = true } }
}
