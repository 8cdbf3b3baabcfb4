import TimeAndText

/// An inspector's login on a phone. It holds for the network that it came from.
public struct PhoneLogin: Hashable, Sendable {
  /// The inspector's login name.
  public var login: String
  /// The network as the office writes it: the address's bytes in hexadecimal, and the number of
  /// leading bits that count.
  public var network: String
  /// The time of the last login from there.
  public var began: DeviceTime

  /// Creates a login.
  public init(login: String, network: String, began: DeviceTime) {
    self.login = login
    self.network = network
    self.began = began
  }
}

/// The numbers of things that phones have sent in some time.
public struct PhoneArrivals: Hashable, Sendable {
  /// The number of photos.
  public var photos: Int
  /// The number of paths.
  public var tracks: Int

  /// Creates a count.
  public init(photos: Int, tracks: Int) {
    self.photos = photos
    self.tracks = tracks
  }
}
