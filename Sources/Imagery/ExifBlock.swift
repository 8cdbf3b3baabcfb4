/// The EXIF directories of a JPEG. Tags can be read, and added without moving the existing bytes.
///
/// The problem: a camera's EXIF holds offsets into itself, and maker notes hold some that only
/// their maker knows. A library that reads the whole block and writes it again moves the bytes, and
/// these offsets then point to the wrong place. So this type moves nothing: the old bytes stay
/// where they are, the changed directories are appended after them, and the header points to the
/// new first directory. PDF files are changed in the same way. Replaced values stay as dead bytes.
/// A block that would no longer fit into a segment is refused. Cost: one pass over the directories'
/// entries. Source: TIFF 6.0, Exif 2.32 (CIPA DC-008).
public struct ExifBlock: Sendable {
  /// The directories that are read and written here.
  public enum Directory: Hashable, Sendable, CaseIterable {
    /// The picture's own directory (IFD0).
    case primary
    /// The EXIF directory.
    case exif
    /// The GPS directory.
    case gps

    fileprivate var pointer: UInt16? {
      switch self {
      case .primary: nil
      case .exif: 0x8769
      case .gps: 0x8825
      }
    }
  }

  /// A fraction, the form in which EXIF writes measured numbers.
  public struct Rational: Hashable, Sendable {
    /// The number above the line.
    public var numerator: UInt32
    /// The number below the line.
    public var denominator: UInt32

    /// Creates a fraction.
    public init(_ numerator: UInt32, _ denominator: UInt32) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  /// The value of a tag. Types that are not needed here are read as `other`.
  public enum Value: Hashable, Sendable {
    /// BYTE.
    case bytes([UInt8])
    /// ASCII, without the zero at its end.
    case text(String)
    /// SHORT.
    case shorts([UInt16])
    /// LONG.
    case longs([UInt32])
    /// RATIONAL.
    case rationals([Rational])
    /// UNDEFINED.
    case undefined([UInt8])
    /// Another type, by its number.
    case other(UInt16)
  }

  /// A fault of a block.
  public enum Problem: Error, Hashable, Sendable {
    /// The block is not a TIFF, or one of its directories cannot be read.
    case malformed
    /// The block would not fit into a segment with the added tags.
    case tooLong
  }

  /// The largest block that fits into a JPEG segment, bytes: 65,535 without the segment's length
  /// and `Exif\0\0`.
  public static let maximumByteCount = 65_527

  /// The bytes of the block, beginning with the byte order.
  public let bytes: [UInt8]
  private let isBigEndian: Bool
  private let directories: [Directory: Layout]

  private struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    /// The four bytes of the value, or of the offset to the value.
    var field: ArraySlice<UInt8>
  }

  private struct Layout {
    var entries: [Entry]
    /// The four bytes of the offset of the next directory.
    var next: ArraySlice<UInt8>
  }

  /// Creates an empty block.
  public init() {
    bytes = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
    isBigEndian = true
    directories = [.primary: Layout(entries: [], next: bytes[10..<14])]
  }

  /// Reads a block that begins with the byte order.
  /// - Throws: `Problem.malformed`.
  public init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count >= 8, bytes.count <= Self.maximumByteCount else { throw .malformed }
    switch (bytes[0], bytes[1]) {
    case (0x4D, 0x4D): isBigEndian = true
    case (0x49, 0x49): isBigEndian = false
    default: throw .malformed
    }
    let reader = Reader(bytes: bytes, isBigEndian: isBigEndian)
    guard reader.short(at: 2) == 42, let first = reader.long(at: 4),
      let primary = reader.layout(at: Int(first))
    else { throw .malformed }
    var found: [Directory: Layout] = [.primary: primary]
    for directory in [Directory.exif, .gps] {
      guard let entry = primary.entries.first(where: { $0.tag == directory.pointer }) else {
        continue
      }
      // The pointer's type is LONG, or IFD. A directory that cannot be read is refused, because
      // adding tags would overwrite it.
      guard [4, 13].contains(entry.type), let offset = reader.long(at: entry.field.startIndex),
        let layout = reader.layout(at: Int(offset))
      else { throw .malformed }
      found[directory] = layout
    }
    self.bytes = bytes
    directories = found
  }

  /// Returns true if the block has the directory.
  public func has(_ directory: Directory) -> Bool { directories[directory] != nil }

  /// Returns the tags of a directory, in the order of the directory.
  public func tags(of directory: Directory) -> [UInt16] {
    directories[directory]?.entries.map(\.tag) ?? []
  }

  /// The value of a tag; nil if the tag is missing, or its value lies outside the block.
  public subscript(_ directory: Directory, _ tag: UInt16) -> Value? {
    guard let entry = directories[directory]?.entries.first(where: { $0.tag == tag }) else {
      return nil
    }
    return Reader(bytes: bytes, isBigEndian: isBigEndian).value(
      entry.type, entry.count, entry.field)
  }

  // MARK: adding

  /// Returns the block with further tags. An existing tag is replaced; a directory in `afresh`
  /// keeps none of its old tags.
  /// - Throws: `Problem.tooLong`.
  public func adding(
    _ added: [Directory: [UInt16: Value]], afresh: Set<Directory> = []
  ) throws(Problem) -> ExifBlock {
    var writer = Writer(bytes: bytes, isBigEndian: isBigEndian)
    var primary = added[.primary] ?? [:]
    for directory in [Directory.exif, .gps] {
      guard let values = added[directory], !values.isEmpty, let pointer = directory.pointer else {
        continue
      }
      let old = afresh.contains(directory) ? nil : directories[directory]
      primary[pointer] = .longs([writer.append(old, adding: values)])
    }
    let first = writer.append(directories[.primary], adding: primary)
    writer.put(first, at: 4)
    guard writer.bytes.count <= Self.maximumByteCount else { throw .tooLong }
    do throws(Problem) {
      return try ExifBlock(writer.bytes)
    } catch {
      throw .tooLong
    }
  }

  /// Returns the block without its GPS directory. Nothing else moves: the entry that points to the
  /// directory becomes padding.
  public func withoutPosition() -> ExifBlock {
    guard let entry = directories[.primary]?.entries.first(where: { $0.tag == 0x8825 }) else {
      return self
    }
    var writer = Writer(bytes: bytes, isBigEndian: isBigEndian)
    let start = entry.field.startIndex - 8
    // The tag 0xEA1C is known as padding; its type is UNDEFINED.
    let padding =
      writer.encoded(0xEA1C, 2) + writer.encoded(7, 2) + writer.encoded(4, 4) + [0, 0, 0, 0]
    writer.bytes.replaceSubrange(start..<(start + 12), with: padding)
    return (try? ExifBlock(writer.bytes)) ?? ExifBlock()
  }

  /// A reader that checks the bounds before each read, because the bytes may be hostile.
  private struct Reader {
    let bytes: [UInt8]
    let isBigEndian: Bool

    func short(at offset: Int) -> UInt16? {
      guard offset >= 0, offset <= bytes.count - 2 else { return nil }
      let (a, b) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
      return isBigEndian ? a << 8 | b : b << 8 | a
    }

    func long(at offset: Int) -> UInt32? {
      guard let first = short(at: offset), let second = short(at: offset + 2) else { return nil }
      return isBigEndian
        ? UInt32(first) << 16 | UInt32(second) : UInt32(second) << 16 | UInt32(first)
    }

    func layout(at offset: Int) -> Layout? {
      guard offset >= 8, let count = short(at: offset) else { return nil }
      let end = offset + 2 + 12 * Int(count)
      guard end <= bytes.count else { return nil }
      var entries: [Entry] = []
      for place in stride(from: offset + 2, to: end, by: 12) {
        guard let tag = short(at: place), let type = short(at: place + 2),
          let number = long(at: place + 4)
        else { return nil }
        entries.append(
          Entry(tag: tag, type: type, count: number, field: bytes[(place + 8)..<(place + 12)]))
      }
      // Some writers leave out the four zeros after the last directory.
      let next = end + 4 <= bytes.count ? bytes[end..<(end + 4)] : [0, 0, 0, 0]
      return Layout(entries: entries, next: next)
    }

    func value(_ type: UInt16, _ count: UInt32, _ field: ArraySlice<UInt8>) -> Value? {
      let sizes: [UInt16: Int] = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1]
      guard let size = sizes[type] else { return .other(type) }
      let length = Int(count).multipliedReportingOverflow(by: size)
      guard !length.overflow, length.partialValue <= bytes.count else { return nil }
      let start: Int
      if length.partialValue <= 4 {
        start = field.startIndex
      } else {
        guard let offset = long(at: field.startIndex) else { return nil }
        start = Int(offset)
      }
      guard start <= bytes.count - length.partialValue else { return nil }
      let raw = Array(bytes[start..<(start + length.partialValue)])
      let places = stride(from: start, to: start + length.partialValue, by: size)
      switch type {
      case 1: return .bytes(raw)
      case 2: return .text(String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self))
      case 3: return .shorts(places.compactMap(short(at:)))
      case 4: return .longs(places.compactMap(long(at:)))
      case 5:
        return .rationals(
          places.compactMap { place in
            guard let above = long(at: place), let below = long(at: place + 4) else { return nil }
            return Rational(above, below)
          })
      default: return .undefined(raw)
      }
    }
  }

  private struct Writer {
    var bytes: [UInt8]
    let isBigEndian: Bool

    func encoded(_ value: UInt32, _ width: Int) -> [UInt8] {
      let big = (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
      return isBigEndian ? big : big.reversed()
    }

    mutating func put(_ value: UInt32, at offset: Int) {
      bytes.replaceSubrange(offset..<(offset + 4), with: encoded(value, 4))
    }

    private func raw(_ value: Value) -> (type: UInt16, count: Int, bytes: [UInt8])? {
      switch value {
      case .bytes(let bytes): (1, bytes.count, bytes)
      case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
      case .shorts(let shorts):
        (3, shorts.count, shorts.flatMap { encoded(UInt32($0), 2) })
      case .longs(let longs): (4, longs.count, longs.flatMap { encoded($0, 4) })
      case .rationals(let rationals):
        (
          5, rationals.count,
          rationals.flatMap { encoded($0.numerator, 4) + encoded($0.denominator, 4) }
        )
      case .undefined(let bytes): (7, bytes.count, bytes)
      case .other: nil
      }
    }

    /// Appends a directory: the old entries without the replaced ones, and the new entries, sorted
    /// by tag.
    /// - Returns: The offset at which the directory begins.
    mutating func append(_ old: Layout?, adding values: [UInt16: Value]) -> UInt32 {
      var entries: [(tag: UInt16, body: [UInt8])] = (old?.entries ?? [])
        .filter { values[$0.tag] == nil }
        .map { ($0.tag, encoded(UInt32($0.type), 2) + encoded($0.count, 4) + $0.field) }
      for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let (type, count, data) = raw(value) else { continue }
        var field = data
        if data.count > 4 {
          if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
          field = encoded(UInt32(truncatingIfNeeded: bytes.count), 4)
          bytes += data
        }
        field += Array(repeating: 0, count: 4 - field.count)
        entries.append(
          (tag, encoded(UInt32(type), 2) + encoded(UInt32(truncatingIfNeeded: count), 4) + field))
      }
      entries.sort { $0.tag < $1.tag }
      if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
      let start = UInt32(truncatingIfNeeded: bytes.count)
      bytes += encoded(UInt32(truncatingIfNeeded: entries.count), 2)
      for entry in entries { bytes += encoded(UInt32(entry.tag), 2) + entry.body }
      bytes += old.map { Array($0.next) } ?? [0, 0, 0, 0]
      return start
    }
  }
}
