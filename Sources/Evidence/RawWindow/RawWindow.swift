import Foundation
import Inspection
import Positioning
import TimeAndText

/// The receiver's own bytes from one gate window before the first sample to the shutter, with
/// everything needed to judge them again: anyone can recompute the standpoint from them.
///
/// The file is gzip of lines. The first line is a JSON object; each other line has the milliseconds
/// since the window's start, a space, and the base64 of the bytes that one read returned.
public struct RawWindow: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.raw/1"
  /// The largest unpacked window that is read, in bytes.
  static let sizeLimit = 64 << 20
  /// The most reads in a window: about those of a receiver that is read fifty times a second for an
  /// hour. Each read costs memory of its own.
  static let maximumChunks = 200_000

  /// The source, as `--gnss` names it.
  public var source: String
  /// The receiver's name; nil if it is not known.
  public var receiver: String?
  /// The time of the first fix of the gate's window; earlier fixes are passed over.
  public var from: GNSSTime
  /// The time of the first sample.
  public var firstSample: GNSSTime
  /// The time of the fix at the shutter; later fixes are passed over.
  public var shutter: GNSSTime
  /// The receiver's rhythm as it was known when the photo was taken; nil if it was not known. A
  /// recomputation learns the rhythm again, and takes from here only whether sentences without a time lead.
  public var cycleEnd: CycleEnd?
  /// The gate's limits in force.
  public var gate: GatePolicy
  /// How samples were taken; nil if the position is a single fix.
  public var sampler: SamplerPolicy?
  /// The bytes of each read, with their arrival.
  public var chunks: [RawChunk]

  /// Creates a window.
  public init(
    source: String, receiver: String?, from: GNSSTime, firstSample: GNSSTime, shutter: GNSSTime,
    cycleEnd: CycleEnd?, gate: GatePolicy, sampler: SamplerPolicy?, chunks: [RawChunk]
  ) {
    self.source = source
    self.receiver = receiver
    self.from = from
    self.firstSample = firstSample
    self.shutter = shutter
    self.cycleEnd = cycleEnd
    self.gate = gate
    self.sampler = sampler
    self.chunks = chunks
  }

  /// Returns the file's bytes.
  /// - Throws: `EvidenceError.compression`.
  public func fileBytes() throws(EvidenceError) -> [UInt8] {
    let header = JSONValue.object(known: [
      ("schema", .string(Self.schema)), ("source", .string(source)),
      ("receiver", receiver.map { .string($0) }), ("from", Self.text(from)),
      ("firstSample", Self.text(firstSample)), ("shutter", Self.text(shutter)),
      ("cycleEnd", cycleEnd.map { .string($0.text) }), ("gate", gate.json),
      ("sampler", sampler?.json),
    ])
    var bytes = header.canonicalBytes
    bytes.append(0x0A)
    let start = chunks.first?.arrival ?? ElapsedTime(milliseconds: 0)
    for chunk in chunks {
      let milliseconds = chunk.arrival.milliseconds - start.milliseconds
      bytes += Array("\(milliseconds) \(Data(chunk.bytes).base64EncodedString())\n".utf8)
    }
    return try Gzip.compress(bytes)
  }

  /// Reads a window's file.
  /// - Throws: `EvidenceError`.
  public init(fileBytes: [UInt8]) throws(EvidenceError) {
    let bytes = try Gzip.decompress(fileBytes, limit: Self.sizeLimit)
    guard bytes.last == 0x0A else { throw .malformedRawWindow("its last line is incomplete") }
    let lines = bytes.count { $0 == 0x0A }
    guard lines - 1 <= Self.maximumChunks else {
      throw .malformedRawWindow("it has \(lines) lines; at most \(Self.maximumChunks) are allowed")
    }
    var rest = bytes.dropLast()
    /// Returns the next line; the last line is the rest.
    func next() -> ArraySlice<UInt8> {
      let end = rest.firstIndex(of: 0x0A)
      defer { rest = end.map { rest[($0 + 1)...] } ?? [] }
      return end.map { rest[..<$0] } ?? rest
    }
    let header = try JSONValue(parsing: Array(next()))
    guard header["schema"]?.text == Self.schema else {
      throw .malformedRawWindow("its schema is not \(Self.schema)")
    }
    guard let source = header["source"]?.text, let from = Self.time(header["from"]),
      let firstSample = Self.time(header["firstSample"]),
      let shutter = Self.time(header["shutter"]),
      let gate = header["gate"].flatMap(GatePolicy.init(json:))
    else {
      throw .malformedRawWindow("in its first line, a member is missing or has the wrong type")
    }
    var chunks: [RawChunk] = []
    chunks.reserveCapacity(lines - 1)
    for number in 1..<max(lines, 1) {
      let line = next()
      // The text must be the canonical one of these bytes: other readers are less tolerant.
      guard let space = line.firstIndex(of: 0x20),
        let milliseconds = Int64(String(decoding: line[..<space], as: UTF8.self)),
        milliseconds >= 0, String(milliseconds).utf8.elementsEqual(line[..<space]),
        let data = Data(base64Encoded: Data(line[(space + 1)...])),
        data.base64EncodedData().elementsEqual(line[(space + 1)...])
      else { throw .malformedRawWindow("line \(number + 1) is not milliseconds and base64") }
      chunks.append(
        RawChunk(arrival: ElapsedTime(milliseconds: milliseconds), bytes: Array(data)))
    }
    var sampler: SamplerPolicy?
    if let rules = header["sampler"] {
      guard let read = SamplerPolicy(json: rules) else {
        throw .malformedRawWindow("its rules for samples cannot be read")
      }
      sampler = read
    }
    var cycleEnd: CycleEnd?
    if let rhythm = header["cycleEnd"] {
      guard let read = rhythm.text.flatMap(CycleEnd.init(text:)) else {
        throw .malformedRawWindow("its receiver's rhythm cannot be read")
      }
      cycleEnd = read
    }
    self.init(
      source: source, receiver: header["receiver"]?.text, from: from, firstSample: firstSample,
      shutter: shutter, cycleEnd: cycleEnd, gate: gate, sampler: sampler, chunks: chunks)
  }

  private static func text(_ time: GNSSTime) -> JSONValue {
    .string(time.rfc3339 ?? time.timeOfDay)
  }

  /// Reads a time of day or an instant; nil if the text is neither.
  package static func time(_ value: JSONValue?) -> GNSSTime? {
    guard let text = value?.text else { return nil }
    if let instant = DeviceTime(rfc3339: text) { return instant.gnssTime }
    // A time of day alone is read on an arbitrary day, which is then dropped.
    return DeviceTime(rfc3339: "2000-01-01T\(text)Z")?.gnssTime.on(nil)
  }
}

extension GatePolicy {
  /// The limits, as raw windows and records carry them.
  package var json: JSONValue {
    .object(known: [
      ("windowSeconds", .seconds(windowSeconds)),
      ("shortWindowSeconds", .seconds(shortWindowSeconds)),
      ("speedLimitMetresPerSecond", .metres(speedLimitMetresPerSecond)),
      ("dopplerLimitMetresPerSecond", .metres(dopplerLimitMetresPerSecond)),
      ("maximumAgeSeconds", .seconds(maximumAgeSeconds)),
      ("maximumGapSeconds", .seconds(maximumGapSeconds)),
      ("maximumUncertaintyMetres95", .metres(maximumUncertaintyMetres95)),
      ("maximumDilution", .ratio(maximumDilution)),
      ("requiresThreeDimensions", .bool(requiresThreeDimensions)),
      ("allowsSimulated", .bool(allowsSimulated)), ("setBy", .string(setBy)),
    ])
  }

  /// Reads the limits of a record or a raw window; nil if a limit is missing or senseless.
  public init?(json: JSONValue) {
    func positive(_ name: String) -> Double? {
      json[name]?.measured.flatMap { $0 > 0 && $0 <= 3600 ? $0 : nil }
    }
    guard let window = positive("windowSeconds"), let short = positive("shortWindowSeconds"),
      let speed = positive("speedLimitMetresPerSecond"),
      let doppler = positive("dopplerLimitMetresPerSecond"),
      let age = positive("maximumAgeSeconds"), let gap = positive("maximumGapSeconds"),
      let uncertainty = positive("maximumUncertaintyMetres95"),
      let dilution = positive("maximumDilution"),
      let threeDimensions = json["requiresThreeDimensions"]?.flag,
      let simulated = json["allowsSimulated"]?.flag, let setBy = json["setBy"]?.text
    else { return nil }
    self.init()
    windowSeconds = window
    shortWindowSeconds = short
    speedLimitMetresPerSecond = speed
    dopplerLimitMetresPerSecond = doppler
    maximumAgeSeconds = age
    maximumGapSeconds = gap
    maximumUncertaintyMetres95 = uncertainty
    maximumDilution = dilution
    requiresThreeDimensions = threeDimensions
    allowsSimulated = simulated
    self.setBy = setBy
  }
}

extension SamplerPolicy {
  /// The rules for samples, as raw windows and records carry them.
  package var json: JSONValue {
    .object(known: [
      ("samples", .integer(samples)), ("method", .string(method.rawValue)),
      ("maximumAgeSeconds", .seconds(maximumAgeSeconds)),
    ])
  }

  /// Reads the rules of a record or a raw window; nil if a rule is missing or senseless.
  public init?(json: JSONValue) {
    guard let samples = json["samples"]?.wholeNumber,
      let method = json["method"]?.text.flatMap(CentroidMethod.init(rawValue:)),
      let age = json["maximumAgeSeconds"]?.measured, age > 0
    else { return nil }
    self.init(samples: samples, method: method)
    maximumAgeSeconds = age
  }
}
