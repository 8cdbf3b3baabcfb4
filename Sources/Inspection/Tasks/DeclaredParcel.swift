import Positioning

/// A parcel of an agency's register, as whoever keeps the register declared it.
public struct DeclaredParcel: Hashable, Sendable {
  /// Identifier and outline.
  public var parcel: Parcel
  /// What people call it; nil without a name.
  public var name: String?
  /// What was declared to grow there; nil where nothing was.
  public var crop: String?
  /// The register's word for its kind; nil without one.
  public var type: String?
  /// Its area as declared, square metres; nil where nothing was. The outline has one of its own.
  public var declaredAreaSquareMetres: Double?
  /// When the outline was determined; nil where it is not said.
  public var determined: DeviceTime?

  /// A parcel from its parts.
  public init(
    parcel: Parcel, name: String? = nil, crop: String? = nil, type: String? = nil,
    declaredAreaSquareMetres: Double? = nil, determined: DeviceTime? = nil
  ) {
    self.parcel = parcel
    self.name = name
    self.crop = crop
    self.type = type
    self.declaredAreaSquareMetres = declaredAreaSquareMetres
    self.determined = determined
  }
}
