import Foundation
import Positioning
import TimeAndText

/// The state of the connection to a receiver.
public enum ReceiverState: Hashable, Sendable, Worded {
  /// The program tries to reach the receiver.
  case connecting
  /// The receiver is connected, and has sent no position so far.
  case listening
  /// The receiver is connected and sends positions.
  case fixing
  /// The receiver is connected, but no fix has come since the one at this time.
  case silent(since: GNSSTime)
  /// The receiver cannot be reached; the next attempt follows after `nextTrySeconds`.
  case lost(reason: Wording, nextTrySeconds: Double)
  /// The fault will not go away by itself: the inspector has to choose another receiver.
  case failed(reason: Wording)
  /// The log has been played to its end.
  case ended

  /// True if there is a connection, even if no bytes come over it.
  public var isConnected: Bool {
    switch self {
    case .listening, .fixing, .silent: true
    case .connecting, .lost, .failed, .ended: false
    }
  }

  /// The words for the inspector.
  public var wording: Wording {
    switch self {
    case .connecting: "connecting"
    case .listening: "listening"
    case .fixing: "fixing"
    case .silent(let time): "silent since \(time.timeOfDay)"
    case .lost(let reason, let seconds):
      "lost: \(reason), next try in \(decimal: seconds, places: 1) s"
    case .failed(let reason): reason
    case .ended: "the log has ended"
    }
  }
}

/// An event that a receiver delivers.
public enum ReceiverEvent: Hashable, Sendable {
  /// The connection's state has changed.
  case state(ReceiverState)
  /// The bytes of one read.
  case bytes(RawChunk)
}

/// The reader of a receiver's bytes. It opens the source and follows it, and never decodes the bytes.
public protocol Receiver: Sendable {
  /// The source that is read.
  var source: ReceiverSource { get }

  /// Follows the receiver until the task is cancelled, or to the end of a log. `deliver` is
  /// awaited: a slow listener slows a log down and never loses a byte of it.
  /// - Throws: `ReceiverError` for a fault that will not go away by itself; `CancellationError`.
  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws
}

extension ReceiverSource {
  /// The time without a byte after which a connection counts as dead, seconds.
  public static let silenceSeconds = 15.0

  /// Creates the receiver for this source.
  ///
  /// - Parameters:
  ///   - clock: The program's only clock. For a file it has to be the `ReplayClock` of that log.
  ///   - timeline: The log of a file source, if it was read already; nil to read it now.
  ///   - silenceSeconds: The time without bytes after which a live connection is given up and
  ///     opened again, seconds.
  /// - Throws: `ReceiverError.unreadableLog`.
  public func receiver(
    clock: any Timepiece, timeline: LogTimeline? = nil,
    silenceSeconds: Double = ReceiverSource.silenceSeconds
  ) throws(ReceiverError) -> any Receiver {
    switch self {
    case .gpsd(let host, let port, let device):
      return FollowedReceiver(
        source: self,
        link: TCPLink(host: host, port: port, greeting: GpsdWatch.request(device: device)),
        clock: clock, silenceSeconds: silenceSeconds)
    case .tcp(let host, let port):
      return FollowedReceiver(
        source: self, link: TCPLink(host: host, port: port, greeting: []), clock: clock,
        silenceSeconds: silenceSeconds)
    case .bluetooth(let address, let channel, let adapter):
      return FollowedReceiver(
        source: self,
        link: BluetoothLink(address: address, channel: channel, adapter: adapter), clock: clock,
        silenceSeconds: silenceSeconds)
    case .serial(let path, let baud):
      return FollowedReceiver(
        source: self, link: SerialLink(path: path, baud: baud), clock: clock,
        silenceSeconds: silenceSeconds)
    case .file(let path, _):
      let log: LogTimeline
      if let timeline { log = timeline } else { log = try LogFile.timeline(path: path) }
      return FileReceiver(source: self, timeline: log, clock: clock)
    }
  }
}

/// The requests to gpsd.
enum GpsdWatch {
  /// Returns the request for JSON, and for the receiver's own lines as well.
  static func request(device: String?) -> [UInt8] {
    var members = "\"enable\":true,\"json\":true,\"raw\":1"
    if let device {
      let quoted = device.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      members += ",\"device\":\"\(quoted)\""
    }
    return Array("?WATCH={\(members)};\n".utf8)
  }
}
