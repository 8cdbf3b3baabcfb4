import TimeAndText

/// How it went with somebody outside whom the office asks about its log: a time authority, or a witness.
package struct OutsideState: Codable, Hashable, Sendable {
  /// The number of entries of the last checkpoint that was answered; nil before the first.
  package private(set) var size: Int?
  /// The time in that answer, as RFC 3339.
  package private(set) var signed: String?
  /// The fault of now, in English; nil if the last question was answered.
  package private(set) var problem: String?
  /// The time since which it has been wrong, as RFC 3339.
  package private(set) var problemSince: String?

  /// Notes an answer. One about an earlier checkpoint, which was missed, ends the fault alone.
  mutating func answered(size: Int, at time: DeviceTime) {
    (problem, problemSince) = (nil, nil)
    if size >= self.size ?? 0 { (self.size, signed) = (size, time.rfc3339) }
  }

  /// Notes that a question was not answered as it should be.
  mutating func failed(_ fault: any Error & Worded, at now: DeviceTime) {
    (problem, problemSince) = ("\(fault.wording)", problemSince ?? now.rfc3339)
  }
}
