import CZip
import TimeAndText

/// An open archive of libzip, closed when the last reference to it goes. Without a call of `close`,
/// all changes are discarded.
final class ZipHandle {
  let archive: OpaquePointer
  private var isOpen = true

  /// Opens `path`.
  /// - Parameter flags: libzip's flags, such as `ZIP_RDONLY`.
  init(path: String, flags: Int32) throws(ZipError) {
    var code: Int32 = 0
    guard let archive = zip_open(path, flags, &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw ZipError(words: String(cString: zip_error_strerror(&error)), code: code)
    }
    self.archive = archive
  }

  deinit {
    if isOpen { zip_discard(archive) }
  }

  /// Writes the added entries and closes the file.
  func close() throws(ZipError) {
    guard zip_close(archive) == 0 else { throw lastError }
    isOpen = false
  }

  /// The last error of libzip with this archive.
  var lastError: ZipError {
    ZipError(
      words: String(cString: zip_strerror(archive)),
      code: zip_error_code_zip(zip_get_error(archive)))
  }
}

/// An error of libzip.
struct ZipError: Error {
  var words: String
  var code: Int32
}

/// A time as ZIP writes it, here always UTC: in steps of two seconds, from 1980 to 2107.
struct ZipTime {
  let time: UInt16
  let date: UInt16

  init(_ instant: DeviceTime) {
    let (year, month, day) = instant.date.components
    guard (1980...2107).contains(year) else {
      time = 0
      date = year < 1980 ? 0x21 : 127 << 9 | 12 << 5 | 31
      return
    }
    let ofDay =
      (instant.millisecondsSince1970 - Int64(instant.date.daysSince1970) * 86_400_000) / 1000
    let seconds = Int(ofDay)
    date = UInt16((year - 1980) << 9 | month << 5 | day)
    let (hour, minute) = (seconds / 3600, seconds / 60 % 60)
    time = UInt16(hour << 11 | minute << 5 | (seconds % 60) / 2)
  }
}
