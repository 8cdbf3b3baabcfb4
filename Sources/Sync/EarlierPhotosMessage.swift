import Geodesy
import Inspection
import TimeAndText

/// The earlier photos of an agency around an inspector's tasks, counted where they lie.
public struct EarlierPhotosMessage: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.earlier-photos/1"
  /// The most bytes of the message.
  public static let bytesAtMost = 2 * 1024 * 1024

  /// A photo of which a small picture can be fetched.
  public struct Shown: Codable, Hashable, Sendable {
    /// The photo's identifier.
    public var id: String
    /// The place, longitude before latitude, degrees.
    public var at: [Double]
    /// The time at which it was taken, RFC 3339.
    public var taken: String

    /// Creates an entry.
    public init(id: Identifier, at place: Coordinate, taken: DeviceTime) {
      self.id = id.description
      at = [place.longitudeDegrees, place.latitudeDegrees].map(EarlierPhotosMessage.short)
      self.taken = taken.rfc3339
    }
  }

  /// Photos near each other.
  public struct Cluster: Codable, Hashable, Sendable {
    /// The mean of their places, longitude before latitude, degrees.
    public var at: [Double]
    /// The number of photos.
    public var count: Int
    /// The zoom of a map at which they are one number.
    public var zoom: Int
    /// The identifier of the only photo; nil if there are more.
    public var id: String?
    /// The box in which all of them lie: west, south, east, north, degrees.
    public var box: [Double]
    /// Those of which a small picture can be fetched, the newest first.
    public var photos: [Shown]

    /// Creates a cluster.
    public init(at place: Coordinate, count: Int, zoom: Int, box: CoordinateBox, photos: [Shown]) {
      at = [place.longitudeDegrees, place.latitudeDegrees].map(EarlierPhotosMessage.short)
      (self.count, self.zoom, self.photos) = (count, zoom, photos)
      id = count == 1 ? photos.first?.id : nil
      self.box = [box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees]
        .map(EarlierPhotosMessage.short)
    }
  }

  /// The name and version of this message.
  public var schema = Self.schema
  /// The clusters, those nearest to a task first.
  public var clusters: [Cluster]
  /// True if there are more than come to a device.
  public var isCut: Bool

  /// Creates a message.
  public init(clusters: [Cluster] = [], isCut: Bool = false) {
    (self.clusters, self.isCut) = (clusters, isCut)
  }

  private static func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }

  /// Reads a message from the network or a file.
  /// - Throws: `SyncError`, also if one value is not valid: then nothing of it is used.
  public static func read(_ bytes: [UInt8]) throws(SyncError) -> EarlierPhotosMessage {
    guard bytes.count <= bytesAtMost else {
      throw .malformedMessage("it has more than \(bytesAtMost) bytes")
    }
    let message = try WireJSON.message(Self.self, bytes)
    guard message.schema == schema else {
      throw .unknownSchema(found: message.schema, expected: schema)
    }
    guard message.clusters.count <= EarlierPhotoRule.clustersAtMost else {
      throw .malformedMessage("it has more than \(EarlierPhotoRule.clustersAtMost) clusters")
    }
    for (index, cluster) in message.clusters.enumerated() where !cluster.isSound {
      throw .malformedMessage("a value of cluster \(index + 1) is not valid")
    }
    let ids = message.clusters.flatMap(\.photos).map(\.id)
    guard Set(ids).count == ids.count else { throw .malformedMessage("a photo is in it twice") }
    return message
  }
}

extension EarlierPhotosMessage.Shown {
  /// True if all values are valid.
  fileprivate var isSound: Bool {
    Identifier(id) != nil && DeviceTime(rfc3339: taken) != nil && at.isPlace
  }
}

extension EarlierPhotosMessage.Cluster {
  /// True if all values are valid.
  fileprivate var isSound: Bool {
    guard box.count == 4, (0...22).contains(zoom), at.isPlace,
      (1...1_000_000_000).contains(count)
    else { return false }
    return photos.count <= min(count, EarlierPhotoRule.shownAtMost)
      && photos.allSatisfy(\.isSound) && (id == nil || count == 1 && id == photos.first?.id)
      && CoordinateBox(
        westDegrees: box[0], southDegrees: box[1], eastDegrees: box[2], northDegrees: box[3]) != nil
  }
}

extension [Double] {
  /// True for a longitude and a latitude.
  fileprivate var isPlace: Bool {
    count == 2 && Coordinate(latitudeDegrees: self[1], longitudeDegrees: self[0]) != nil
  }
}
