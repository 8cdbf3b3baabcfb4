import Positioning

/// That an inspector has logged in on a phone. It holds for the network that they did so from.
public struct PhoneLogin: Hashable, Sendable {
  /// Who.
  public var login: String
  /// The network, as the office writes it: the address's bytes in hexadecimal, and how many leading bits count.
  public var network: String
  /// When they last did so there.
  public var began: DeviceTime

  /// A login from its parts.
  public init(login: String, network: String, began: DeviceTime) {
    self.login = login
    self.network = network
    self.began = began
  }
}

/// How much phones have sent in some time.
public struct PhoneArrivals: Hashable, Sendable {
  /// Photos.
  public var photos: Int
  /// Paths.
  public var tracks: Int

  /// A count from its parts.
  public init(photos: Int, tracks: Int) {
    self.photos = photos
    self.tracks = tracks
  }
}
