import TimeAndText

/// A fault because of which a receiver cannot be followed at all. A fault that may go away by
/// itself is a state, not an error.
public enum ReceiverError: Error, Hashable, Sendable, Worded {
  /// The text after `--gnss` names no source.
  case malformedSource(String, reason: Wording)
  /// No program listens at this address, or it could not be started.
  case unreachable(source: String, reason: String)
  /// The log cannot be read.
  case unreadableLog(path: String, reason: String)
  /// This gpsd has several receivers, and the source names none of them.
  case severalReceivers(source: String, devices: [String])
  /// This gpsd uses another version of its protocol.
  case gpsdVersion(release: String, protocolMajor: Int)
  /// This gpsd refuses, with these words.
  case gpsdRefusal(String)

  /// The message for people: what happened, and what to do next.
  public var wording: Wording {
    switch self {
    case .malformedSource(let text, let reason):
      "\(word: text.isEmpty ? "no receiver" : text): \(reason); examples: gpsd://localhost:2947, tcp://192.168.1.5:9001,"
        + " serial:///dev/ttyACM0, bluetooth://AA:BB:CC:DD:EE:FF, file:///home/me/walk.nmea?rate=max"
    case .unreachable(let source, let reason):
      source.hasPrefix("gpsd")
        ? "no receiver at \(source): \(word: reason); is the receiver switched on, and gpsd running?"
        : "no receiver at \(source): \(word: reason)"
    case .unreadableLog(let path, let reason): "cannot read the log \(path): \(reason)"
    case .severalReceivers(let source, let devices):
      "gpsd at \(source) has several receivers: choose one with"
        + " --gnss \(source)DEVICE; they are \(devices.joined(separator: ", "))"
    case .gpsdVersion(let release, let major):
      "gpsd \(release) speaks protocol \(major); protocol 3 is needed"
    case .gpsdRefusal(let words): "gpsd refuses: \(words)"
    }
  }
}
