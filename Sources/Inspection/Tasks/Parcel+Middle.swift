import Geodesy

extension Parcel {
  /// The middle of the box around the outline, at which a map shows a parcel that is small on the
  /// screen. It need not lie inside the parcel. Nil if the parcel has no outline.
  public var middle: Coordinate? {
    guard let outline = rings.first, let first = outline.first else { return nil }
    // Longitudes are taken relative to the first corner, so that a parcel across the antimeridian
    // stays in one piece.
    let offsets = outline.map {
      ($0.longitudeDegrees - first.longitudeDegrees).remainder(dividingBy: 360)
    }
    let latitudes = outline.map(\.latitudeDegrees)
    guard let west = offsets.min(), let east = offsets.max(), let south = latitudes.min(),
      let north = latitudes.max()
    else { return nil }
    let longitude = first.longitudeDegrees + (west + east) / 2
    return Coordinate(
      latitudeDegrees: (south + north) / 2,
      longitudeDegrees: Coordinate.wrapped(longitudeDegrees: longitude))
  }
}
