import Positioning

/// A ZIP that is no evidence: pictures that travel with a map, say. Nothing is added to it.
public enum ZipFile {
  /// Writes entries in their order: under a temporary name first, made durable, and then moved into place, so
  /// that the file is there whole or not at all; it is its owner's only. Files are read one after the other while it is written.
  /// - Throws: `EvidenceError.malformedBundle` for a name that is refused or comes twice;
  ///   `EvidenceError.unwritable` when an entry cannot be read or the file cannot be written.
  public static func write(
    _ entries: [Bundle.Entry], made: DeviceTime, toFile path: String,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(EvidenceError) {
    try Bundle.check(entries, besides: [])
    try Bundle.writeFile(entries, made: made, toFile: path, progress)
  }
}
