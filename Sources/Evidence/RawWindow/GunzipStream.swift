import CZlib
import TimeAndText

/// A stream that unpacks gzip (RFC 1952) piece by piece, however large it is. Several members are
/// read as one text, as `cat` and parallel packers make them.
package final class GunzipStream {
  /// A function that fills a buffer from its beginning with packed bytes, and returns their number;
  /// 0 is the end.
  package typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

  /// The first bytes of every gzip member.
  package static let mark: [UInt8] = [0x1F, 0x8B]

  private let source: Source
  private let input: UnsafeMutableRawBufferPointer
  /// The state of zlib, at a fixed address: zlib keeps a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private var begin = 0
  private var end = 0
  private var isAtEnd = false
  /// True if a member has ended: after it comes the next one, or nothing.
  private var isBetween = false

  /// Creates a stream that reads packed bytes from `source`.
  /// - Throws: `EvidenceError.compression` if zlib does not start.
  package init(source: @escaping Source) throws(EvidenceError) {
    self.source = source
    input = .allocate(byteCount: 256 << 10, alignment: 16)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard
      inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else {
      throw .compression("zlib cannot start")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// Fills a buffer from its beginning with unpacked bytes.
  /// - Returns: the number of bytes; 0 is the end.
  /// - Throws: `EvidenceError.compression` if the packed bytes are cut or changed; the error of the source.
  package func read(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let target = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    let room = min(output.count, Int(UInt32.max))
    while true {
      if begin == end, !isAtEnd {
        let count = try source(input)
        (begin, end) = (0, max(0, min(count, input.count)))
        isAtEnd = count <= 0
      }
      if begin == end {
        guard isBetween else { throw EvidenceError.compression("it is incomplete or changed") }
        return 0
      }
      if isBetween {
        guard inflateReset(stream) == Z_OK else {
          throw EvidenceError.compression("zlib cannot start")
        }
        isBetween = false
      }
      stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self).advanced(
        by: begin)
      stream.pointee.avail_in = uInt(end - begin)
      stream.pointee.next_out = target
      stream.pointee.avail_out = uInt(room)
      let status = inflate(stream, Z_NO_FLUSH)
      begin = end - Int(stream.pointee.avail_in)
      switch status {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: isBetween = true
      default:
        throw EvidenceError.compression("it is incomplete or changed")
      }
      let count = room - Int(stream.pointee.avail_out)
      if count > 0 { return count }
    }
  }
}
