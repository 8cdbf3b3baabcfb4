/// The agency, inspector and device that a certificate names.
public struct DeviceSubject: Hashable, Sendable {
  /// The agency, as records write it.
  public var agency: String
  /// The inspector's login, as records write it.
  public var inspector: String
  /// The device's identifier, as records write it.
  public var device: String

  /// Creates a subject.
  public init(agency: String, inspector: String, device: String) {
    self.agency = agency
    self.inspector = inspector
    self.device = device
  }
}
