import Geodesy
import TimeAndText

/// A way in which a photo differs from the photo that an item asks for, beyond all doubt: what no
/// receiver and no sensor tells is no miss.
public enum ShotMiss: Hashable, Sendable {
  /// The camera stood outside the station, even if its place is as far off as it may be.
  case station(distanceMetres: Double, radiusMetres: Double)
  /// The camera stood outside the section or the parcel, even if its place is as far off as it may be.
  case area(distanceMetres: Double)
  /// The lens looked elsewhere.
  case bearing(offDegrees: Double, toleranceDegrees: Double)

  /// The stable name of the miss.
  public var code: String {
    switch self {
    case .station, .area: "shot-station"
    case .bearing: "shot-bearing"
    }
  }

  /// The words for people, with what to do.
  public var wording: Wording {
    switch self {
    case .station(let distance, let radius):
      "the camera stood \(decimal: distance, places: 1) m from the station, and the order allows \(decimal: radius, places: 0) m: go nearer"
    case .area(let distance):
      "the camera stood \(decimal: distance, places: 1) m outside the land that the order names: go into it"
    case .bearing(let off, let tolerance):
      "the camera looked \(decimal: off, places: 0)° past the wanted direction, and the order allows \(decimal: tolerance, places: 0)°: turn it as the camera page says"
    }
  }
}

extension WantedShot {
  /// True if a photo that misses its station or its bearing is refused.
  public var hasCondition: Bool {
    guard isStrict else { return false }
    if case .point = station { return true }
    return area != nil || bearing != nil
  }

  /// Returns how a photo taken at a place misses what is wanted; empty if it does not, as far as is
  /// known.
  /// - Parameters:
  ///   - uncertaintyMetres95: the uncertainty of the place, metres at 95 %; nil if unknown. It counts
  ///     in the photo's favour.
  ///   - azimuthDegreesTrue: the direction of the lens, degrees from true north; nil if unknown.
  public func misses(
    at place: Coordinate, uncertaintyMetres95: Double?, azimuthDegreesTrue: Double?
  ) -> [ShotMiss] {
    var misses: [ShotMiss] = []
    if case .point(let centre, let radius) = station {
      let distance = Geodesic.inverse(from: centre, to: place).distanceMetres
      if distance - (uncertaintyMetres95 ?? 0) > radius {
        misses.append(.station(distanceMetres: distance, radiusMetres: radius))
      }
    }
    if let distance = area?.distanceMetres(to: place), distance - (uncertaintyMetres95 ?? 0) > 0 {
      misses.append(.area(distanceMetres: distance))
    }
    if let bearing, let azimuthDegreesTrue {
      let off = abs((azimuthDegreesTrue - bearing.degreesTrue).remainder(dividingBy: 360))
      if off > bearing.toleranceDegrees {
        misses.append(.bearing(offDegrees: off, toleranceDegrees: bearing.toleranceDegrees))
      }
    }
    return misses
  }

  /// Returns how a photo misses what is wanted; empty if it does not, as far as is known.
  public func misses(_ photo: Photo) -> [ShotMiss] {
    misses(
      at: photo.position.coordinate, uncertaintyMetres95: photo.position.uncertaintyMetres95,
      azimuthDegreesTrue: photo.orientation?.trustedAzimuthDegrees)
  }
}
