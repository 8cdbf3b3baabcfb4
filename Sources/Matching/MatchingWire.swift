import Inspection

// The owner writes requests to the worker's standard input: one letter, the number of bytes in four
// bytes, the highest first, and a JPEG. For each one the worker writes one answer of fixed length to
// its standard output. The owner trusts neither side of the pipe: a picture may have taken the
// worker over, and then its answer is no more than wrong numbers.

/// The messages between the worker that compares pictures and its owner.
enum MatchingWire {
  /// A request.
  enum Request: UInt8 {
    /// "E": the bytes are the earlier picture; keep it.
    case earlier = 0x45
    /// "L": the bytes are the later picture; compare it with the earlier one.
    case later = 0x4C
  }

  /// An answer's first byte.
  enum Status: UInt8 {
    /// The picture was taken, and compared if it was a later one.
    case done = 0
    /// The picture cannot be read.
    case unreadable = 1
    /// There was no memory for it.
    case outOfMemory = 2
    /// The library is not there; no other answer follows.
    case unavailable = 3
  }

  /// The largest picture, in bytes.
  static let mostBytes = 64 << 20
  /// The length of a request's head, in bytes.
  static let headBytes = 5
  /// The length of an answer, in bytes: status, inliers, cells, nine numbers.
  static let answerBytes = 1 + 4 + 4 + 9 * 8

  static func head(_ request: Request, bytes: Int) -> [UInt8] {
    [request.rawValue] + bigEndian(UInt32(bytes))
  }

  /// Reads the head of a request; nil if it is none.
  static func readHead(_ head: [UInt8]) -> (request: Request, bytes: Int)? {
    guard head.count == headBytes, let request = Request(rawValue: head[0]) else { return nil }
    let bytes = Int(UInt32(bigEndianBytes: head[1...]))
    return bytes <= mostBytes ? (request, bytes) : nil
  }

  static func answer(_ status: Status, inliers: Int32 = 0, cells: Int32 = 0, rows: [Double] = [])
    -> [UInt8]
  {
    var answer = [status.rawValue]
    answer += bigEndian(UInt32(bitPattern: inliers)) + bigEndian(UInt32(bitPattern: cells))
    for index in 0..<9 { answer += bigEndian(rows.count == 9 ? rows[index].bitPattern : 0) }
    return answer
  }

  /// Reads an answer; nil if its first byte is none of the four.
  static func readAnswer(_ answer: [UInt8]) -> (status: Status, comparison: PictureComparison)? {
    guard answer.count == answerBytes, let status = Status(rawValue: answer[0]) else { return nil }
    let numbers = (0..<9).map { index in
      Double(bitPattern: UInt64(bigEndianBytes: answer[(9 + 8 * index)...].prefix(8)))
    }
    return (
      status,
      PictureComparison(
        inliers: Int(Int32(bitPattern: UInt32(bigEndianBytes: answer[1..<5]))),
        cells: Int(Int32(bitPattern: UInt32(bigEndianBytes: answer[5..<9]))),
        homography: PictureHomography(rows: numbers))
    )
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian, Array.init)
  }
}

extension FixedWidthInteger {
  /// Reads a number of which the highest byte comes first.
  fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}
