import TimeAndText

/// A parcel of an agency's register, as the register declares it.
public struct DeclaredParcel: Hashable, Sendable {
  /// The identifier and outline.
  public var parcel: Parcel
  /// The name that people use; nil if it has none.
  public var name: String?
  /// The declared crop; nil if none was declared.
  public var crop: String?
  /// The register's word for the kind of parcel; nil if it has none.
  public var type: String?
  /// The declared area, square metres; nil if none was declared. It may differ from the outline's area.
  public var declaredAreaSquareMetres: Double?
  /// The time at which the outline was determined; nil if unknown.
  public var determined: DeviceTime?

  /// Creates a parcel.
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
