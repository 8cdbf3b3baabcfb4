/// The limits of archive pictures.
public enum ArchiveRule {
  /// The largest file, bytes.
  public static let bytesAtMost = 64 << 20
  /// The radii that an officer may give, metres.
  public static let uncertaintyMetres = 0.1...10_000.0
  /// The errors of a direction that an officer may give, degrees.
  public static let azimuthAccuracyDegrees = 0.1...180.0
}
