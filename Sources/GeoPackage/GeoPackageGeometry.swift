import Exports
import Geodesy

/// A geometry as a GeoPackage keeps it (OGC 12-128r18, 2.1.3): a head with a box, then well-known
/// binary in the byte order that the head says, here little-endian. The buffer is reused for each
/// row.
struct GeoPackageGeometry {
  private(set) var bytes: [UInt8] = []
  private(set) var box = GeoPackageBox()

  init() { bytes.reserveCapacity(1 << 12) }

  /// Sets a point. Its head has no box: the point is its own.
  mutating func point(_ coordinate: Coordinate) {
    bytes.removeAll(keepingCapacity: true)
    box = GeoPackageBox()
    bytes += [0x47, 0x50, 0x00, 0x01]
    number(UInt32(4326))
    wkb(1)
    place(coordinate.longitudeDegrees, coordinate.latitudeDegrees)
  }

  /// Sets polygons with their rings.
  mutating func polygons(_ polygons: [[[MapPlace]]]) {
    begin()
    wkb(6)
    number(UInt32(polygons.count))
    for rings in polygons {
      wkb(3)
      number(UInt32(rings.count))
      for ring in rings {
        number(UInt32(ring.count))
        for corner in ring { place(corner.longitude, corner.latitude) }
      }
    }
    finish()
  }

  /// Sets a path, which is cut at gaps and at the antimeridian. A run of one place becomes a line
  /// of no length.
  /// - Parameter forEachPlace: calls its argument with each place, and with true if there is a gap
  ///   before it.
  mutating func lines(
    _ forEachPlace: ((Coordinate, Bool) throws -> Void) throws -> Void
  ) rethrows {
    begin()
    wkb(5)
    let countAt = bytes.count
    number(UInt32(0))
    var lines: UInt32 = 0
    var lineAt = 0
    var places: UInt32 = 0
    var last: Coordinate?
    func open() {
      wkb(2)
      lineAt = bytes.count
      number(UInt32(0))
      lines += 1
      places = 0
    }
    func close() {
      if places == 1, let last {
        place(last.longitudeDegrees, last.latitudeDegrees)
        places = 2
      }
      patch(places, at: lineAt)
    }
    try forEachPlace { coordinate, isAfterGap in
      if last != nil, isAfterGap {
        close()
        open()
      } else if let last, let cut = MapShape.crossing(from: last, to: coordinate) {
        place(cut.side, cut.latitude)
        places += 1
        close()
        open()
        place(-cut.side, cut.latitude)
        places += 1
      } else if last == nil {
        open()
      }
      place(coordinate.longitudeDegrees, coordinate.latitudeDegrees)
      places += 1
      last = coordinate
    }
    if last != nil { close() }
    patch(lines, at: countAt)
    finish()
  }

  /// Writes a head with room for the box, which is known only at the end.
  private mutating func begin() {
    bytes.removeAll(keepingCapacity: true)
    box = GeoPackageBox()
    bytes += [0x47, 0x50, 0x00, 0x03]
    number(UInt32(4326))
    for _ in 0..<4 { number(0.0) }
  }

  private mutating func finish() {
    guard box.west <= box.east else {
      // The geometry is empty: the head says so, and has no box.
      bytes.removeSubrange(8..<40)
      bytes[3] = 0x11
      return
    }
    for (index, edge) in [box.west, box.east, box.south, box.north].enumerated() {
      withUnsafeBytes(of: edge.bitPattern.littleEndian) { raw in
        for (offset, byte) in raw.enumerated() { bytes[8 + index * 8 + offset] = byte }
      }
    }
  }

  private mutating func wkb(_ type: UInt32) {
    bytes.append(1)
    number(type)
  }

  private mutating func place(_ longitude: Double, _ latitude: Double) {
    box.include(longitude, latitude)
    number(longitude)
    number(latitude)
  }

  private mutating func number(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func number(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func patch(_ value: UInt32, at place: Int) {
    withUnsafeBytes(of: value.littleEndian) { raw in
      for (offset, byte) in raw.enumerated() { bytes[place + offset] = byte }
    }
  }
}

/// The box round a geometry, in degrees.
struct GeoPackageBox {
  /// The edges, in degrees; infinite, with west > east, for a box round nothing.
  var (west, south, east, north) = (
    Double.infinity, Double.infinity, -Double.infinity, -Double.infinity
  )

  mutating func include(_ longitude: Double, _ latitude: Double) {
    west = min(west, longitude)
    east = max(east, longitude)
    south = min(south, latitude)
    north = max(north, latitude)
  }
}
