/// A point of a `LocalPlane`.
public struct PlanePoint: Hashable, Sendable {
  /// Metres east of the plane's origin.
  public var eastMetres: Double
  /// Metres north of the plane's origin.
  public var northMetres: Double

  /// Creates the point at these metres from the origin.
  public init(eastMetres: Double, northMetres: Double) {
    self.eastMetres = eastMetres
    self.northMetres = northMetres
  }
}
