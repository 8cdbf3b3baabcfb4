import CHaru
import Foundation

// The problem: libharu keeps every picture in memory until the document is saved: 150 MB for 500
// photos.
//
// The obvious idea, fewer photos for each file, splits a document that the user wants in one file.
//
// The solution: a picture's bytes go into a file without a name in the target's folder, and libharu
// gets a stream that reads them from there when it saves. The file disappears when its descriptor
// is closed, even after a crash.
//
// Cost: every byte is written once more, and each picture needs some hundred bytes of memory.

/// The bytes that wait on the disk until the document is saved.
final class HaruSpill {
  /// A range of the file's bytes, and how far it was read.
  private final class Part {
    let file: Int32
    let start: Int
    let count: Int
    var position = 0

    init(file: Int32, start: Int, count: Int) {
      (self.file, self.start, self.count) = (file, start, count)
    }
  }

  private let file: Int32
  private let path: String
  private var end = 0
  /// The parts at which libharu's streams point.
  private var parts: [Part] = []

  /// Creates the file, which has no name, in the target's folder.
  /// - Parameter path: the document's future path.
  /// - Throws: `PDFError.notWritten`.
  init(beside path: String) throws(PDFError) {
    let name = ScratchName.beside(path, ending: "pdf")
    file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .notWritten(path: path, reason: HaruDocument.words(errno)) }
    unlink(name)
    self.path = path
  }

  /// Creates a spill that writes to a file which is already open, and closes it at the end.
  init(file: Int32, of path: String) {
    (self.file, self.path) = (file, path)
  }

  deinit { close(file) }

  /// Writes bytes to the disk and returns a stream that reads them from there.
  /// - Throws: `PDFError.notWritten` if the disk does not take them, `PDFError.library` if libharu
  ///   has no memory for the stream.
  func stream(of bytes: [UInt8], _ memory: HPDF_MMgr?) throws(PDFError) -> HPDF_Stream {
    let part = Part(file: file, start: end, count: bytes.count)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { all in
        pwrite(
          file, all.baseAddress.map { $0 + written }, all.count - written, off_t(end + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .notWritten(path: path, reason: HaruDocument.notTaken) }
      written += count
    }
    end += written
    parts.append(part)
    guard
      let stream = HPDF_CallbackReader_New(
        memory, Self.read, Self.seek, Self.tell, Self.size,
        Unmanaged.passUnretained(part).toOpaque())
    else {
      throw .library(step: "picture", status: UInt(HPDF_FAILD_TO_ALLOC_MEM), detail: 0)
    }
    return stream
  }

  // MARK: functions that libharu calls

  private static func part(of stream: HPDF_Stream?) -> Part? {
    stream?.pointee.attr.map { Unmanaged<Part>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let read: HPDF_Stream_Read_Func = { stream, target, size in
    guard let part = part(of: stream), let target, let size else {
      return HPDF_STATUS(HPDF_FILE_IO_ERROR)
    }
    let wanted = min(Int(size.pointee), part.count - part.position)
    var count = 0
    while count < wanted {
      let got = pread(
        part.file, target + count, wanted - count, off_t(part.start + part.position + count))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return HPDF_STATUS(HPDF_FILE_IO_ERROR) }
      count += got
    }
    part.position += count
    let isWhole = count == Int(size.pointee)
    size.pointee = HPDF_UINT(count)
    return isWhole ? HPDF_STATUS(HPDF_OK) : HPDF_STATUS(HPDF_STREAM_EOF)
  }

  private static let seek: HPDF_Stream_Seek_Func = { stream, position, mode in
    guard let part = part(of: stream) else { return HPDF_STATUS(HPDF_FILE_IO_ERROR) }
    let from = [HPDF_SEEK_SET: 0, HPDF_SEEK_CUR: part.position, HPDF_SEEK_END: part.count]
    part.position = min(max(0, (from[mode] ?? 0) + Int(position)), part.count)
    return HPDF_STATUS(HPDF_OK)
  }

  private static let tell: HPDF_Stream_Tell_Func = { stream in
    HPDF_INT32(truncatingIfNeeded: part(of: stream)?.position ?? 0)
  }

  private static let size: HPDF_Stream_Size_Func = { stream in
    HPDF_UINT32(truncatingIfNeeded: part(of: stream)?.count ?? 0)
  }
}
