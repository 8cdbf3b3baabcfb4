/// The parts in which a file of an order comes to a device.
public enum OrderFilePart {
  /// The most bytes of a part: what a bad network brings before it breaks off.
  public static let bytesAtMost = 1 << 20
  /// The field of an answer with the number of bytes of the whole file.
  public static let lengthField = "Standpoint-Length"
}
