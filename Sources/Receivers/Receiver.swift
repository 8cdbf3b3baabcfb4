import Foundation
import Positioning

/// What a receiver's connection is doing.
public enum ReceiverState: Hashable, Sendable, Worded {
  /// Trying to reach it.
  case connecting
  /// Connected, without a position so far.
  case listening
  /// Connected, and the receiver tells positions.
  case fixing
  /// Connected, but no fix has come since the one of this time.
  case silent(since: GNSSTime)
  /// Not reachable; tried again after so many seconds.
  case lost(reason: Wording, nextTrySeconds: Double)
  /// What will not mend itself: another receiver has to be chosen.
  case failed(reason: Wording)
  /// A log has been played to its end.
  case ended

  /// Whether there is a connection, whatever comes over it.
  public var isConnected: Bool {
    switch self {
    case .listening, .fixing, .silent: true
    case .connecting, .lost, .failed, .ended: false
    }
  }

  /// Words for the inspector.
  public var wording: Wording {
    switch self {
    case .connecting: "connecting"
    case .listening: "listening"
    case .fixing: "fixing"
    case .silent(let time): "silent since \(time.timeOfDay)"
    case .lost(let reason, let seconds):
      "lost: \(reason), next try in \(DecimalText.fixed(seconds, places: 1)) s"
    case .failed(let reason): reason
    case .ended: "the log has ended"
    }
  }
}

/// What a receiver hands on.
public enum ReceiverEvent: Hashable, Sendable {
  /// The connection's state has changed.
  case state(ReceiverState)
  /// What one read returned.
  case bytes(RawChunk)
}

/// A source of receiver bytes. It opens and follows; it never decodes.
public protocol Receiver: Sendable {
  /// Which one it is.
  var source: ReceiverSource { get }

  /// Follows the receiver until the task is cancelled, or to a log's end. `deliver` is awaited: a
  /// slow listener slows a log down and never loses a byte of it.
  /// - Throws: `ReceiverError` for what will not mend itself; `CancellationError`.
  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws
}

extension ReceiverSource {
  /// After so long without a byte a connection is taken for dead, seconds.
  public static let silenceSeconds = 15.0

  /// The receiver behind this source.
  ///
  /// - Parameters:
  ///   - clock: the program's one clock. For a file it has to be the `ReplayClock` of that log.
  ///   - timeline: the log of a file source, read already.
  ///   - silenceSeconds: a live connection on which nothing comes for so long is given up and opened anew.
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

/// What gpsd is asked for.
enum GpsdWatch {
  /// JSON, and the receiver's own lines beside it.
  static func request(device: String?) -> [UInt8] {
    var members = "\"enable\":true,\"json\":true,\"raw\":1"
    if let device {
      let quoted = device.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      members += ",\"device\":\"\(quoted)\""
    }
    return Array("?WATCH={\(members)};\n".utf8)
  }
}
