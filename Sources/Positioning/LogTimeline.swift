/// A recorded log cut into the pieces that a receiver sent in one go, each with its time: what is
/// needed to play it back at the pace at which it was heard, or at another.
public struct LogTimeline: Sendable {
  /// The bytes of one epoch.
  public struct Piece: Sendable {
    /// Seconds from the log's first epoch to this one. It never decreases.
    public var seconds: Double
    /// The bytes, comments of the log left out.
    public var bytes: [UInt8]
  }

  /// The pieces in their order. A log in which no time is found is one piece.
  public let pieces: [Piece]
  /// Time of the first epoch, with the first date that the log says; nil without any time.
  public let firstTime: GNSSTime?
  /// What the log held.
  public let counts: StreamCounts
  /// Epochs with a position.
  public let fixCount: Int

  /// After the line that begins at `start`: with its end, or where the next sentence begins, since
  /// not every log has line ends.
  private static func endOfLine(_ log: [UInt8], _ start: Int, isComment: Bool) -> Int {
    var end = start + 1
    while end < log.count, log[end - 1] != 0x0A, log[end - 1] != 0x0D,
      isComment || log[end] != UInt8(ascii: "$")
    {
      end += 1
    }
    return end
  }

  /// Reads a whole log. Lines that begin with `#` are comments before the receiver's first byte.
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
            // Said for this instant; the first one is as many days earlier as midnights lie between.
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
