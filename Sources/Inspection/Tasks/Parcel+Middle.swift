import Geodesy

extension Parcel {
  /// The middle of the box around its outline: where a map shows it while it is small. It need not lie in
  /// the parcel.
  public var middle: Coordinate? {
    guard let outline = rings.first, let first = outline.first else { return nil }
    // From the first corner on, so that a parcel over the antimeridian stays together.
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
      longitudeDegrees: abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360))
  }
}
