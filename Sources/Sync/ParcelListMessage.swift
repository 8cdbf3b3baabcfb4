import Geodesy
import Inspection
import TimeAndText

/// The register's parcels around the tasks that an inspector still works on.
public struct ParcelListMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.parcels/1"
  /// The most bytes of the message.
  public static let bytesAtMost = 4 * 1024 * 1024
  /// The longest identifier, bytes of UTF-8.
  public static let identifierBytesAtMost = 1000
  /// The most bytes that one corner takes, with seven decimals of each degree.
  private static let bytesOfCorner = "[-179.1234567,-89.1234567],".utf8.count
  /// The most corners of all parcels together.
  public static let cornersAtMost = bytesAtMost / bytesOfCorner

  /// One parcel. It has no name, because names in a register may be those of its holders, and no
  /// crop, because an inspector's own tasks do not show the register's, either.
  public struct Land: Codable, Hashable, Sendable {
    /// The agency's identifier of the parcel.
    public var identifier: String
    /// Rings of `[longitude, latitude]` in degrees, without a repeated closing point: the outline
    /// first, then holes and further parts.
    public var rings: [[[Double]]]

    /// Writes a parcel, with its corners rounded to 0.0000001°.
    init(_ parcel: Parcel) {
      func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
      identifier = parcel.identifier
      rings = parcel.rings.map { ring in
        ring.map { [short($0.longitudeDegrees), short($0.latitudeDegrees)] }
      }
    }

    /// True if all values are valid, so that the parcel may be kept and drawn.
    public var isSound: Bool {
      (1...ParcelListMessage.identifierBytesAtMost).contains(identifier.utf8.count)
        && identifier.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        && !rings.isEmpty
        && rings.allSatisfy { ring in
          ring.count >= 3
            && ring.allSatisfy {
              $0.count == 2 && Coordinate(latitudeDegrees: $0[1], longitudeDegrees: $0[0]) != nil
            }
        }
    }

    /// The number of corners.
    var corners: Int { rings.reduce(0) { $0 + $1.count } }

    /// The most bytes that the parcel takes in a message; a character of the identifier may be
    /// written as six.
    var bytesAtMost: Int {
      corners * ParcelListMessage.bytesOfCorner + 3 * rings.count + 6 * identifier.utf8.count + 40
    }
  }

  /// The name and version of this message.
  public var schema = Self.schema
  /// The parcels, each once, those nearest to a task first.
  public var parcels: [Land]
  /// True if there are more than the message may hold.
  public var isCut: Bool

  /// Creates a list of as many parcels as a message may hold. A parcel that has too many corners, or
  /// an invalid identifier, is left out.
  public init(nearest: [Parcel] = [], isCut: Bool = false) {
    (parcels, self.isCut) = ([], isCut)
    var left = Self.bytesAtMost - 100
    for land in nearest.lazy.map(Land.init) {
      let bytes = land.bytesAtMost
      guard parcels.count < TaskNeighbourhood.parcelsAtMost, bytes <= left, land.isSound else {
        self.isCut = true
        continue
      }
      parcels.append(land)
      left -= bytes
    }
  }

  /// Reads a list from the network or from a file.
  /// - Throws: `SyncError`, also if one value is not valid: then nothing of the list is used.
  public static func read(_ bytes: [UInt8]) throws(SyncError) -> Self {
    guard bytes.count <= bytesAtMost else {
      throw .malformedMessage("it has more than \(bytesAtMost) bytes")
    }
    let message = try WireJSON.message(Self.self, bytes)
    guard message.schema == schema else {
      throw .unknownSchema(found: message.schema, expected: schema)
    }
    guard message.isSound else { throw .malformedMessage("a parcel in it is not valid") }
    return message
  }

  /// True if all values are valid, and no more than a message may hold.
  public var isSound: Bool {
    parcels.count <= TaskNeighbourhood.parcelsAtMost
      && parcels.reduce(0) { $0 + $1.corners } <= Self.cornersAtMost
      && parcels.allSatisfy(\.isSound)
      && Set(parcels.map(\.identifier)).count == parcels.count
  }
}
