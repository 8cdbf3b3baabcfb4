/// Reads numbers and sized buffers as a TPM writes them: most significant byte first.
struct TPMReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func number16() -> Int? { bytes(2).map { Int($0[0]) << 8 | Int($0[1]) } }

  mutating func number32() -> UInt32? { bytes(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } } }

  /// Reads a buffer with its length before it (TPM2B).
  mutating func sized() -> [UInt8]? { number16().flatMap { bytes($0) } }
}

extension [UInt8] {
  /// The number's bytes, most significant first.
  package init(tpm number: some FixedWidthInteger) {
    self = Swift.withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
  }

  /// The bytes with their length before them (TPM2B).
  package var sizedForTPM: [UInt8] { [UInt8](tpm: UInt16(truncatingIfNeeded: count)) + self }
}
