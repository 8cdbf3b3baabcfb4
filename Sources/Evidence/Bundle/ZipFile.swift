import Positioning
import TimeAndText

/// A ZIP that is no evidence, such as pictures that travel with a map. No README is added to it.
public enum ZipFile {
  /// Writes entries in the given order under a temporary name, makes the file durable, and moves it
  /// into place, so that it is there whole or not at all. Only the owner may read it. The entries'
  /// own files are read one after the other while the ZIP is written.
  /// - Throws: `EvidenceError.malformedBundle` for a name that is refused or comes twice;
  ///   `EvidenceError.unwritable` if an entry cannot be read or the file cannot be written.
  public static func write(
    _ entries: [Bundle.Entry], made: DeviceTime, toFile path: String,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(EvidenceError) {
    try Bundle.check(entries, besides: [])
    try Bundle.writeFile(entries, made: made, toFile: path, progress)
  }
}
