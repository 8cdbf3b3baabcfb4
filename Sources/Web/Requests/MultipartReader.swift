// Forms that carry a file: multipart/form-data (RFC 7578), in bytes that come piece by piece. Only
// the forms that browsers write are understood; anything else is refused, since two readers of a
// sloppy body rarely agree on what it says. The reader needs memory for the head of one part and a
// piece.

/// Finds the parts of a multipart body.
struct MultipartReader {
  /// A step of reading the body.
  enum Event: Equatable {
    /// A part begins: a field of that name; a file if it has a file name, even an empty one.
    case part(name: String, fileName: String?)
    /// Bytes of the part have come.
    case bytes([UInt8])
    /// The part is over.
    case endOfPart
  }

  private enum Place { case preamble, head, content, afterBoundary, end }

  static let headBytesAtMost = 4096
  static let partsAtMost = 64

  /// The bytes that end a part: CR LF, two hyphens and the boundary.
  private let mark: [UInt8]
  private var place = Place.preamble
  private var held: [UInt8] = [0x0D, 0x0A]
  private var parts = 0

  /// True if the last boundary has come.
  var isFinished: Bool { place == .end }

  /// Creates a reader from a content type; nil if it is no multipart form.
  init?(contentType: String?) {
    guard let contentType, contentType.utf8.count <= 256 else { return nil }
    let fields = contentType.split(separator: ";").map { String($0.drop { $0 == " " }) }
    guard fields.first?.lowercased() == "multipart/form-data" else { return nil }
    let boundaries = fields.dropFirst().filter { $0.lowercased().hasPrefix("boundary=") }
    guard boundaries.count == 1, let field = boundaries.first else { return nil }
    var boundary = field.dropFirst("boundary=".count)
    if boundary.count >= 2, boundary.hasPrefix("\""), boundary.hasSuffix("\"") {
      boundary = boundary.dropFirst().dropLast()
    }
    guard (1...70).contains(boundary.utf8.count),
      boundary.utf8.allSatisfy({
        Base64URL.isDigit($0) || "'()+,./:=? ".utf8.contains($0)
      })
    else { return nil }
    mark = [0x0D, 0x0A] + Array("--\(boundary)".utf8)
  }

  /// Takes the next bytes and returns what they complete.
  /// - Throws: `WebProblem.malformedRequest` if they break the rules.
  mutating func feed(_ bytes: [UInt8]) throws(WebProblem) -> [Event] {
    held += bytes
    var events: [Event] = []
    var start = 0
    loop: while true {
      switch place {
      case .preamble, .content:
        guard let found = firstMark(from: start) else {
          // Bytes that may be the beginning of a boundary wait for the next ones.
          let keep = max(start, held.count - (mark.count - 1))
          if place == .content, keep > start { events.append(.bytes(Array(held[start..<keep]))) }
          start = keep
          break loop
        }
        if place == .content {
          if found > start { events.append(.bytes(Array(held[start..<found]))) }
          events.append(.endOfPart)
        }
        start = found + mark.count
        place = .afterBoundary
      case .afterBoundary:
        guard held.count - start >= 2 else { break loop }
        let next = (held[start], held[start + 1])
        start += 2
        if next == (UInt8(ascii: "-"), UInt8(ascii: "-")) {
          place = .end
        } else if next == (0x0D, 0x0A) {
          parts += 1
          guard parts <= Self.partsAtMost else { throw .malformedRequest }
          place = .head
        } else {
          throw .malformedRequest
        }
      case .head:
        guard let end = endOfHead(from: start) else {
          guard held.count - start <= Self.headBytesAtMost else { throw .malformedRequest }
          break loop
        }
        events.append(try Self.part(held[start..<end]))
        start = end + 4
        place = .content
      case .end:
        // An epilogue has no meaning.
        start = held.count
        break loop
      }
    }
    held.removeFirst(start)
    return events
  }

  private func firstMark(from start: Int) -> Int? {
    guard held.count - start >= mark.count else { return nil }
    return held.withUnsafeBufferPointer { held in
      var index = start
      let last = held.count - mark.count
      while index <= last {
        if held[index] == 0x0D, held[index..<(index + mark.count)].elementsEqual(mark) {
          return index
        }
        index += 1
      }
      return nil
    }
  }

  private func endOfHead(from start: Int) -> Int? {
    var index = start
    while index + 3 < held.count {
      if held[index] == 0x0D, held[index + 1] == 0x0A, held[index + 2] == 0x0D,
        held[index + 3] == 0x0A
      {
        return index
      }
      index += 1
    }
    return nil
  }

  private static func part(_ bytes: ArraySlice<UInt8>) throws(WebProblem) -> Event {
    guard bytes.count <= headBytesAtMost, let text = String(validating: bytes, as: UTF8.self)
    else { throw .malformedRequest }
    var disposition: Substring?
    for line in text.split(separator: "\r\n", omittingEmptySubsequences: true) {
      guard line.lowercased().hasPrefix("content-disposition:") else { continue }
      guard disposition == nil else { throw .malformedRequest }
      disposition = line.dropFirst("content-disposition:".count)
    }
    guard let disposition, disposition.drop(while: { $0 == " " }).hasPrefix("form-data"),
      let name = value("name", disposition), !name.isEmpty
    else { throw .malformedRequest }
    return .part(name: name, fileName: value("filename", disposition))
  }

  /// Returns a quoted parameter of a header field; nil if it is missing. Browsers write a quote
  /// inside it as %22.
  private static func value(_ name: String, _ field: Substring) -> String? {
    guard let range = field.firstRange(of: "; \(name)=\"") else { return nil }
    return String(field[range.upperBound...].prefix { $0 != "\"" })
  }
}

/// The body of a form that carries a file, read once and in order: by the check of the form's token
/// first, then by the handler.
actor MultipartBody {
  private let source: RequestBodySource
  private var reader: MultipartReader
  private var waiting: ArraySlice<MultipartReader.Event> = []
  private var received = 0

  init(_ source: RequestBodySource, _ reader: MultipartReader) {
    self.source = source
    self.reader = reader
  }

  /// Reads the next event; nil at the end.
  /// - Throws: `WebProblem.tooLarge` if the body is longer than `limit` bytes, `.malformedRequest`
  ///   if it breaks off.
  func next(limit: Int) async throws -> MultipartReader.Event? {
    while waiting.isEmpty {
      guard let piece = try await source.next() else {
        // A body that was cut off must not pass as a smaller one.
        guard reader.isFinished else { throw WebProblem.malformedRequest }
        return nil
      }
      received += piece.count
      guard received <= limit else { throw WebProblem.tooLarge }
      waiting = try reader.feed(piece)[...]
    }
    return waiting.removeFirst()
  }

  /// Returns the value of the first part; nil if it is no field of that name, or longer than a token.
  func firstField(_ name: String) async throws -> String? {
    // The sender is not known yet: no more is read than of any other form.
    let limit = Exchange.formBytesAtMost
    guard case .part(name: name, fileName: nil)? = try await next(limit: limit) else { return nil }
    var bytes: [UInt8] = []
    while let event = try await next(limit: limit), event != .endOfPart {
      if case .bytes(let piece) = event { bytes += piece }
      guard bytes.count <= 1024 else { return nil }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
