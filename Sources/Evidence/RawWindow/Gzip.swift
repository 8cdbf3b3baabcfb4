import CZlib
import TimeAndText

/// gzip (RFC 1952), so that `zcat` reads the stored files. No time and no name go in: equal bytes
/// give equal files.
package enum Gzip {
  package static func compress(_ bytes: [UInt8]) throws(EvidenceError) -> [UInt8] {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw .compression("zlib cannot start") }
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))) + 32)
    var input = bytes
    let status = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.next_in = source.baseAddress
        stream.avail_in = uInt(source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = uInt(target.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else { throw .compression("zlib stopped with code \(status)") }
    return Array(output[..<Int(stream.total_out)])
  }

  /// Unpacks one gzip member.
  /// - Parameter limit: the most bytes that may come out; more is refused, so that a small file
  ///   cannot fill the memory.
  static func decompress(_ bytes: [UInt8], limit: Int) throws(EvidenceError) -> [UInt8] {
    var stream = z_stream()
    guard
      inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw .compression("zlib cannot start") }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var input = bytes
    var status = Z_OK
    var isTooLong = false
    input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = uInt(source.count)
      while status == Z_OK {
        status = buffer.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = uInt(target.count)
          return inflate(&stream, Z_NO_FLUSH)
        }
        output += buffer[..<(buffer.count - Int(stream.avail_out))]
        if output.count > limit {
          isTooLong = true
          break
        }
      }
    }
    if isTooLong { throw .compression("it unpacks to more than \(limit) bytes") }
    guard status == Z_STREAM_END, stream.avail_in == 0 else {
      throw .compression(
        status == Z_STREAM_END ? "there is more data after it" : "it is incomplete or changed")
    }
    return output
  }
}
