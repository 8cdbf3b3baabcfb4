import CExpat

/// Reads XML from strangers as a series of events: nothing is kept, no entity is expanded, and a
/// document type, which tables never have, ends the reading.
package struct XMLEvents {
  /// One event. Names are without their namespace's prefix.
  package enum Event {
    /// An element begins.
    case begins(String, [String: String])
    /// Text within an element, perhaps not all of it.
    case text(String)
    /// An element ends.
    case ends(String)
  }

  /// The reason why a document cannot be read.
  package enum Failure: Error {
    /// It is not well-formed.
    case malformed(line: Int)
    /// It declares a document type, which can define entities.
    case documentType
    /// Its elements are nested too deeply.
    case tooDeep
  }

  /// The most elements within each other.
  package static let depthAtMost = 64

  private final class Reading {
    let parser: XML_Parser
    let body: (Event) throws -> Void
    var depth = 0
    var failure: (any Error)?

    init(_ parser: XML_Parser, _ body: @escaping (Event) throws -> Void) {
      (self.parser, self.body) = (parser, body)
    }

    func take(_ event: Event) {
      guard failure == nil else { return }
      do { try body(event) } catch { stop(error) }
    }

    func stop(_ error: any Error) {
      failure = failure ?? error
      XML_StopParser(parser, XML_Bool(XML_FALSE))
    }
  }

  /// Reads a document.
  /// - Throws: `Failure`; any error of `body`, which ends the reading.
  package static func read(_ bytes: [UInt8], _ body: (Event) throws -> Void) throws {
    guard let parser = XML_ParserCreate(nil) else { throw Failure.malformed(line: 1) }
    defer { XML_ParserFree(parser) }
    try withoutActuallyEscaping(body) { body in
      let reading = Reading(parser, body)
      try withExtendedLifetime(reading) {
        XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
          XMLEvents.reading(data)?.stop(Failure.documentType)
        }
        XML_SetElementHandler(parser, XMLEvents.begin, XMLEvents.end)
        XML_SetCharacterDataHandler(parser) { data, text, count in
          guard let text else { return }
          let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
          XMLEvents.reading(data)?.take(.text(String(decoding: bytes, as: UTF8.self)))
        }
        let status = bytes.withUnsafeBytes { buffer in
          XML_Parse(
            parser, buffer.bindMemory(to: CChar.self).baseAddress, Int32(clamping: buffer.count), 1)
        }
        if let failure = reading.failure { throw failure }
        guard status == XML_STATUS_OK else {
          throw Failure.malformed(line: Int(XML_GetCurrentLineNumber(parser)))
        }
      }
    }
  }

  private static func reading(_ data: UnsafeMutableRawPointer?) -> Reading? {
    data.map { Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let begin: XML_StartElementHandler = { data, name, pairs in
    guard let reading = XMLEvents.reading(data), let name else { return }
    reading.depth += 1
    guard reading.depth <= depthAtMost else { return reading.stop(Failure.tooDeep) }
    var attributes: [String: String] = [:]
    var next = pairs
    while let name = next?.pointee, let value = next?.advanced(by: 1).pointee {
      attributes[String(cString: name)] = String(cString: value)
      next = next?.advanced(by: 2)
    }
    reading.take(.begins(local(name), attributes))
  }

  private static let end: XML_EndElementHandler = { data, name in
    guard let reading = XMLEvents.reading(data), let name else { return }
    reading.depth -= 1
    reading.take(.ends(local(name)))
  }

  private static func local(_ name: UnsafePointer<CChar>) -> String {
    let name = String(cString: name)
    return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
