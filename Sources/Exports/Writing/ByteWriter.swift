import TimeAndText

// The problem: a million track points become some 300 MB of text. An export spends nearly all of
// its time on writing numbers and the same fixed words between them.
//
// The obvious idea: build strings and convert them to bytes. Each number is then allocated, checked
// as Unicode and copied three times.
//
// The solution: each export has one buffer, which is passed on whenever it is full. Fixed words are
// copied into it from where they lie in the program, numbers are written into it digit by digit,
// and the date of a time is kept as text until the day changes. Nothing is allocated for a point.

/// A writer of bytes, piece by piece: an export of any size needs no more memory than one piece.
public final class ByteWriter {
  /// The approximate size of a piece, in bytes.
  private static let pieceBytes = 1 << 16

  private let sink: ([UInt8]) throws -> Void
  private let start: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var capacity: Int
  /// The number of bytes passed to the sink so far.
  private var handedOn = 0
  /// The day that was written last, as `YYYY-MM-DDT`, with its number of days since 1970.
  private var day: (number: Int, text: [UInt8]) = (.min, [])

  /// Creates a writer that passes its pieces to `sink`, in their order. An error that `sink` throws
  /// ends the export.
  public init(to sink: @escaping ([UInt8]) throws -> Void) {
    self.sink = sink
    capacity = Self.pieceBytes + 4096
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  /// The number of bytes written so far.
  public var bytes: Int { handedOn + count }

  /// Passes on the bytes that are left. To be called once, at the end: otherwise those bytes are
  /// lost.
  public func finish() throws { try handOn() }

  private func handOn() throws {
    guard count > 0 else { return }
    let piece = [UInt8](UnsafeBufferPointer(start: start, count: count))
    handedOn += count
    count = 0
    try sink(piece)
  }

  /// Makes room for `bytes` bytes, at most 4096, which the next statements write.
  @inline(__always)
  private func reserve(_ bytes: Int) throws {
    if count + bytes > capacity { try handOn() }
  }

  /// Writes one byte.
  @inline(__always)
  public func byte(_ value: UInt8) throws {
    try reserve(1)
    start[count] = value
    count += 1
  }

  /// Writes fixed words of this program, which need no escaping.
  @inline(__always)
  public func words(_ text: StaticString) throws {
    let length = text.utf8CodeUnitCount
    guard length <= 4096 else { return try plain(text.description) }
    try reserve(length)
    (start + count).update(from: text.utf8Start, count: length)
    count += length
  }

  /// Writes text that needs no escaping: identifiers, names of fields.
  public func plain(_ text: String) throws {
    var text = text
    try text.withUTF8 { try copy($0) }
  }

  /// Writes bytes as they are.
  func copy(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(4096)
      try reserve(part.count)
      if let base = UnsafeBufferPointer(rebasing: part).baseAddress {
        (start + count).update(from: base, count: part.count)
      }
      count += part.count
      rest = rest.dropFirst(part.count)
    }
  }

  // MARK: numbers

  /// Writes a whole number.
  public func integer(_ value: Int64) throws {
    try reserve(20)
    if value < 0 {
      start[count] = UInt8(ascii: "-")
      count += 1
    }
    digits(value.magnitude, width: 1)
  }

  /// Writes a whole number.
  public func integer(_ value: Int) throws { try integer(Int64(value)) }

  /// Writes `value`, rounded half away from zero to at most `places` (0…9) decimals and without
  /// trailing zeros; never as `-0`, and never with an exponent, which not every format knows. A
  /// number that is not finite has no such text, so nothing is written.
  /// - Returns: true if something was written.
  @discardableResult
  public func decimal(_ value: Double, places: Int) throws -> Bool {
    let scale = Self.scales[places]
    let scaled = (value * Double(scale)).rounded(.toNearestOrAwayFromZero)
    guard scaled.magnitude < 9e17 else { return try large(value, places: places) }
    let whole = Int64(scaled)
    let (head, tail) = whole.magnitude.quotientAndRemainder(dividingBy: scale)
    try decimal(isNegative: whole < 0, head, tail, places: places)
    return true
  }

  @inline(__always)
  private func decimal(isNegative: Bool, _ head: UInt64, _ tail: UInt64, places: Int) throws {
    try reserve(40)
    if isNegative {
      start[count] = UInt8(ascii: "-")
      count += 1
    }
    digits(head, width: 1)
    guard tail > 0 else { return }
    start[count] = UInt8(ascii: ".")
    count += 1
    digits(tail, width: places)
    while start[count - 1] == UInt8(ascii: "0") { count -= 1 }
  }

  /// Writes a number whose product with `10^places` is 9e17 or more; writes nothing if the number
  /// is not finite. No measurement has such values, but files from elsewhere may contain anything.
  private func large(_ value: Double, places: Int) throws -> Bool {
    guard value.isFinite else { return false }
    let (scale, magnitude) = (Self.scales[places], value.magnitude)
    guard magnitude >= 18_000_000_000_000_000_000 else {
      let whole = magnitude.rounded(.down)
      var tail = UInt64(((magnitude - whole) * Double(scale)).rounded(.toNearestOrAwayFromZero))
      var head = UInt64(whole)
      if tail >= scale { (head, tail) = (head + 1, 0) }
      try decimal(isNegative: value < 0, head, tail, places: places)
      return true
    }
    // The number is whole: Swift's shortest digits that identify it are written, then zeros up to
    // the decimal point.
    let parts = magnitude.description.split(separator: "e")
    let known = parts[0].utf8.filter { $0 != UInt8(ascii: ".") }
    let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
    if value < 0 { try byte(UInt8(ascii: "-")) }
    for digit in known { try byte(digit) }
    for _ in 0..<max(0, exponent + 1 - known.count) { try byte(UInt8(ascii: "0")) }
    return true
  }

  private static let scales: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// Writes degrees with nine decimals, a tenth of a millimetre on the ground.
  @inline(__always)
  public func degrees(_ value: Double) throws { try decimal(value, places: 9) }

  /// Writes digits, padded with leading zeros to `width`. The buffer must have room for 20.
  @inline(__always)
  private func digits(_ value: UInt64, width: Int) {
    var length = 1
    var bound: UInt64 = 10
    while length < 20, value >= bound {
      length += 1
      if length == 20 { break }
      bound *= 10
    }
    length = max(length, width)
    var rest = value
    var place = count + length
    while place > count {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      start[place] = UInt8(truncatingIfNeeded: digit) &+ 0x30
      rest = quotient
    }
    count += length
  }

  // MARK: times

  /// Writes a time as RFC 3339 in UTC with milliseconds; writes nothing if the time has no date.
  /// - Returns: true if something was written.
  @discardableResult
  public func time(_ time: GNSSTime) throws -> Bool {
    guard let date = time.date else { return false }
    if date.daysSince1970 != day.number {
      day = (date.daysSince1970, Array((date.iso8601 + "T").utf8))
    }
    try day.text.withUnsafeBufferPointer { try copy($0) }
    try timeOfDay(time)
    try byte(UInt8(ascii: "Z"))
    return true
  }

  /// Writes a time as RFC 3339 in UTC with milliseconds.
  public func time(_ time: DeviceTime) throws { try self.time(time.gnssTime) }

  /// Writes the time of day as `hh:mm:ss.sss`, UTC.
  public func timeOfDay(_ time: GNSSTime) throws {
    try reserve(64)
    let clock = time.clockReading
    digits(UInt64(clock.hours), width: 2)
    start[count] = UInt8(ascii: ":")
    count += 1
    digits(UInt64(clock.minutes), width: 2)
    start[count] = UInt8(ascii: ":")
    count += 1
    digits(UInt64(clock.seconds), width: 2)
    start[count] = UInt8(ascii: ".")
    count += 1
    digits(UInt64(clock.milliseconds), width: 3)
  }
}
