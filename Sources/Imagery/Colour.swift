/// An opaque colour, 8 bits a channel, in the picture's own colour space (sRGB for everything drawn
/// here).
public struct Colour: Sendable, Hashable {
  /// Red, 0 to 255.
  public let red: UInt8
  /// Green, 0 to 255.
  public let green: UInt8
  /// Blue, 0 to 255.
  public let blue: UInt8

  /// Black.
  public static let black = Colour(red: 0, green: 0, blue: 0)
  /// White.
  public static let white = Colour(red: 255, green: 255, blue: 255)

  /// Creates a colour from its channels, 0 to 255 each.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Returns a colour between this one and another.
  /// - Parameter share: The share of the other colour, 0 to 1, clamped; not a number counts as 0.
  public func mixed(with other: Colour, share: Double) -> Colour {
    let weight = share >= 1 ? 256 : share > 0 ? Int(share * 256) : 0
    func channel(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8((Int(from) * (256 - weight) + Int(to) * weight) / 256)
    }
    return Colour(
      red: channel(red, other.red), green: channel(green, other.green),
      blue: channel(blue, other.blue))
  }

  func brightened(_ amount: Int) -> Colour {
    func channel(_ value: UInt8) -> UInt8 { UInt8(min(max(Int(value) + amount, 0), 255)) }
    return Colour(red: channel(red), green: channel(green), blue: channel(blue))
  }
}
