import TimeAndText

/// A recorded log cut into the pieces that a receiver sent at one time, each with its time, to play
/// the log back at its own pace or at another.
public struct LogTimeline: Sendable {
  /// The bytes of one epoch.
  public struct Piece: Sendable {
    /// Seconds from the log's first epoch to this one, never less than for the piece before.
    public var seconds: Double
    /// The bytes, without the log's comments.
    public var bytes: [UInt8]
  }

  /// The pieces in order. A log without any time is one piece.
  public let pieces: [Piece]
  /// Time of the first epoch, with its date computed from the first date in the log; without a date
  /// if the log has none; nil without any time.
  public let firstTime: GNSSTime?
  /// Counts of the log's content.
  public let counts: StreamCounts
  /// Number of epochs with a position.
  public let fixCount: Int

  /// Returns the index after the line that begins at `start`: after its line end, or at the next
  /// sentence, because some logs have no line ends.
  private static func endOfLine(_ log: [UInt8], _ start: Int, isComment: Bool) -> Int {
    var end = start + 1
    while end < log.count, log[end - 1] != 0x0A, log[end - 1] != 0x0D,
      isComment || log[end] != UInt8(ascii: "$")
    {
      end += 1
    }
    return end
  }

  /// Reads a whole log. Lines that begin with `#` are comments until the first sentence with a
  /// time.
  public init(_ log: [UInt8]) {
    var pieces: [Piece] = []
    var current = Piece(seconds: 0, bytes: [])
    var time: Int?
    var first: Int?
    var midnights = 0
    var date: CivilDate?
    var lines = StreamDecoder()
    var fixes = FixDecoder()
    var start = log.startIndex
    while start < log.endIndex {
      let isComment = log[start] == UInt8(ascii: "#") && time == nil
      let end = Self.endOfLine(log, start, isComment: isComment)
      let line = log[start..<end]
      start = end
      if isComment { continue }
      let bytes = Array(line)
      fixes.accept(bytes) { _ in }
      var lineTime: Int?
      bytes.withUnsafeBufferPointer { buffer in
        lines.accept(buffer) { piece in
          guard case .sentence(let sentence) = piece,
            let address = NMEAReport.Address(sentence)
          else { return }
          let report = NMEAReport(sentence, address)
          if lineTime == nil { lineTime = report.millisecondsSinceMidnight }
          if date == nil, let said = report.date {
            // The date belongs to this instant; the first epoch is earlier by the midnights in
            // between.
            let isMidnight = (lineTime ?? 0) - (time ?? lineTime ?? 0) < -43_200_000
            date = CivilDate(
              daysSince1970: said.daysSince1970 - midnights - (isMidnight ? 1 : 0))
          }
        }
      }
      if let lineTime, lineTime != time {
        if let before = time {
          var step = lineTime - before
          if step < -43_200_000 {
            step += 86_400_000
            midnights += 1
          }
          pieces.append(current)
          current = Piece(seconds: current.seconds + Double(max(0, step)) / 1000, bytes: [])
        } else {
          first = lineTime
        }
        time = lineTime
      }
      current.bytes += line
    }
    if !current.bytes.isEmpty { pieces.append(current) }
    fixes.finish { _ in }
    self.pieces = pieces
    counts = fixes.counts
    fixCount = fixes.fixCount
    firstTime = first.flatMap { GNSSTime(millisecondsSinceMidnight: $0, date: date) }
  }
}
