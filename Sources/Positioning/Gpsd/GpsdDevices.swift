/// The devices from which a gpsd read, by its own words.
public enum GpsdDevices {
  /// The bytes of a stream that are looked through at most.
  private static let mostBytes = 4 << 20
  /// The most names that are found, and the longest one, bytes.
  private static let mostNames = 16
  private static let longestName = 256
  private static let reports = ["TPV", "SKY"].map { Array("{\"class\":\"\($0)\"".utf8) }
  private static let member = Array("\"device\":\"".utf8)

  /// Returns the names of the devices whose positions and skies are in a stream of gpsd's JSON, such as
  /// `/dev/ttyACM0` or `tcp://192.168.1.7:9000`; empty if gpsd names none.
  public static func named(in chunks: [RawChunk]) -> Set<String> {
    var bytes: [UInt8] = []
    for chunk in chunks where bytes.count < mostBytes { bytes += chunk.bytes }
    var names: Set<String> = []
    for line in bytes.split(separator: 0x0A) {
      guard names.count < mostNames, reports.contains(where: { line.starts(with: $0) }),
        let name = device(in: line)
      else { continue }
      names.insert(name)
    }
    return names
  }

  private static func device(in line: ArraySlice<UInt8>) -> String? {
    guard let mark = line.firstRange(of: member) else { return nil }
    let rest = line[mark.upperBound...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")), end - rest.startIndex <= longestName
    else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }
}
