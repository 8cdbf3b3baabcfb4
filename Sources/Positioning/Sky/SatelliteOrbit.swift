import Foundation
import Geodesy
import TimeAndText

// A satellite's future place is computed from the orbit that it broadcasts. The broadcast is good
// to a metre for two hours. Here it is extrapolated for days, because a plot of the sky needs only
// a degree or two, which it keeps for a week. The harmonic corrections, some hundred metres, are
// left out for that reason.

/// A satellite's orbit: from its own broadcast, from published elements or from an almanac.
public struct SatelliteOrbit: Hashable, Sendable {
  /// The system to which the satellite belongs.
  public let constellation: Constellation
  /// The satellite's number as NMEA 0183 writes it: GLONASS from 65, SBAS from 33.
  public let id: Int
  /// Time at which the orbit was current: the broadcast's own time, or the elements' epoch.
  public let reference: DeviceTime
  /// The kind of source of the orbit.
  public let kind: OrbitFile.Kind
  let motion: Motion

  /// The days before and after its own time for which an orbit of any kind is good enough for a
  /// plot of the sky. Orbits change slowly, but are corrected now and then, so older ones promise
  /// nothing.
  public static let longestAgeDays = 30.0

  enum Motion: Hashable, Sendable {
    case kepler(KeplerElements)
    /// A perturbed orbit, extrapolated with SGP4.
    case perturbed(PerturbedOrbit)
    /// A geostationary place: metres in the frame that turns with the Earth.
    case fixed(SpacePoint)
  }

  init(
    constellation: Constellation, id: Int, reference: DeviceTime, motion: Motion,
    kind: OrbitFile.Kind? = nil
  ) {
    self.constellation = constellation
    self.id = id
    self.reference = reference
    self.motion = motion
    if case .perturbed = motion {
      self.kind = kind ?? .elements
    } else {
      self.kind = kind ?? .broadcast
    }
  }

  /// Returns the satellite's place at `time`, in the frame that turns with the Earth; nil if the
  /// orbit has ended by then.
  func place(at time: DeviceTime) -> SpacePoint? {
    let seconds = time.seconds(since: reference)
    switch motion {
    case .fixed(let place): return place
    case .kepler(let elements): return elements.place(secondsAfter: seconds)
    case .perturbed(let orbit):
      guard let state = try? orbit.state(minutesAfterEpoch: seconds / 60) else { return nil }
      let day = Double(time.millisecondsSince1970) / 86_400_000
      let place = EarthRotation.turning(
        state.positionKilometres,
        siderealTime: EarthRotation.greenwichSiderealTime(day: 0, fraction: day))
      return SpacePoint(x: place.x * 1000, y: place.y * 1000, z: place.z * 1000)
    }
  }

  /// Returns the satellite's direction from a place on the ellipsoid at `time`, degrees: elevation
  /// -90…90, azimuth from true north 0..<360; nil if the orbit has ended by then.
  public func direction(
    at time: DeviceTime, from observer: Coordinate
  ) -> (elevationDegrees: Double, azimuthDegrees: Double)? {
    let latitude = observer.latitudeDegrees * .pi / 180
    let longitude = observer.longitudeDegrees * .pi / 180
    guard let place = place(at: time) else { return nil }
    let away = place - SpacePoint(onEllipsoidAt: latitude, longitude)
    let east = -sin(longitude) * away.x + cos(longitude) * away.y
    let outward = cos(longitude) * away.x + sin(longitude) * away.y
    let north = -sin(latitude) * outward + cos(latitude) * away.z
    let up = cos(latitude) * outward + sin(latitude) * away.z
    let azimuth = atan2(east, north) * 180 / .pi
    return (
      atan2(up, hypot(east, north)) * 180 / .pi,
      azimuth < 0 ? min(azimuth + 360, 359.999_999) : azimuth
    )
  }

  /// Returns the satellites that are at least `aboveDegrees` above the horizon, each with its
  /// direction, highest first. If a satellite has several orbits, the one nearest in time counts.
  public static func expected(
    _ orbits: [SatelliteOrbit], at time: DeviceTime, from observer: Coordinate,
    aboveDegrees: Double = 0
  ) -> [Satellite] {
    nearest(orbits, to: time).compactMap { orbit in
      guard let (elevation, azimuth) = orbit.direction(at: time, from: observer),
        elevation >= aboveDegrees
      else { return nil }
      return Satellite(
        constellation: orbit.constellation, id: orbit.id, elevationDegrees: elevation,
        azimuthDegrees: azimuth, carrierToNoiseDecibelHertz: nil, isUsed: false)
    }.sorted { ($0.elevationDegrees ?? 0) > ($1.elevationDegrees ?? 0) }
  }

  /// Returns for each satellite the orbit of any kind that was current nearest to `time`.
  public static func nearest(
    _ orbits: [SatelliteOrbit], to time: DeviceTime
  ) -> [SatelliteOrbit] {
    var best: [[Int]: SatelliteOrbit] = [:]
    for orbit in orbits {
      let key = [Int(orbit.constellation.rawValue), orbit.id]
      if let known = best[key], known.age(at: time) <= orbit.age(at: time) { continue }
      best[key] = orbit
    }
    return Array(best.values)
  }

  /// Returns orbits without those that are nearer than `seconds` to an earlier one of the same satellite.
  public static func spaced(
    _ orbits: [SatelliteOrbit], bySeconds seconds: Double
  ) -> [SatelliteOrbit] {
    var last: [[Int]: DeviceTime] = [:]
    return orbits.sorted { $0.reference < $1.reference }.filter { orbit in
      let key = [Int(orbit.constellation.rawValue), orbit.id]
      if let before = last[key], orbit.age(at: before) < seconds { return false }
      last[key] = orbit.reference
      return true
    }
  }

  /// Returns for each satellite the orbit that was current nearest to `time`, without orbits
  /// further from their own time than `longestAgeDays`.
  public static func current(
    _ orbits: [SatelliteOrbit], at time: DeviceTime
  ) -> [SatelliteOrbit] {
    nearest(orbits, to: time).filter { $0.age(at: time) <= longestAgeDays * 86_400 }
  }

  /// Returns the seconds between `time` and the time at which the orbit was current, never
  /// negative.
  public func age(at time: DeviceTime) -> Double {
    abs(time.seconds(since: reference))
  }
}

extension DeviceTime {
  /// Returns the seconds from `other` to this time, negative if this time is earlier.
  fileprivate func seconds(since other: DeviceTime) -> Double {
    // Floating-point numbers cannot overflow, and a file may name any time.
    (Double(millisecondsSince1970) - Double(other.millisecondsSince1970)) / 1000
  }
}

/// A point or a vector in space, metres.
struct SpacePoint: Hashable, Sendable {
  var x: Double
  var y: Double
  var z: Double

  static func - (left: SpacePoint, right: SpacePoint) -> SpacePoint {
    SpacePoint(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
  }

  var length: Double { (x * x + y * y + z * z).squareRoot() }
}

extension SpacePoint {
  /// Creates the point on the WGS 84 ellipsoid at a latitude and a longitude in radians.
  init(onEllipsoidAt latitude: Double, _ longitude: Double) {
    let axis = 6_378_137.0
    let squash = 6.694_379_990_14e-3
    let normal = axis / (1 - squash * sin(latitude) * sin(latitude)).squareRoot()
    self.init(
      x: normal * cos(latitude) * cos(longitude), y: normal * cos(latitude) * sin(longitude),
      z: normal * (1 - squash) * sin(latitude))
  }
}

/// An ellipse around the Earth and a place on it, as IS-GPS-200, table 20-IV defines them: angles
/// in radians, the node from the meridian of Greenwich at the beginning of the week.
struct KeplerElements: Hashable, Sendable {
  var semiMajorAxisMetres: Double
  var eccentricity: Double
  var inclination: Double
  var inclinationRate: Double
  var nodeAtWeek: Double
  var nodeRate: Double
  var perigee: Double
  var meanAnomaly: Double
  var meanMotionDifference: Double
  /// The second of the week to which all elements refer.
  var secondsOfWeek: Double
  /// True for BeiDou's geostationary satellites, whose elements are in a frame that leans by five
  /// degrees.
  var isLeaning = false

  static let earthRate = 7.292_115e-5
  static let gravitation = 3.986_005e14

  func place(secondsAfter elapsed: Double) -> SpacePoint {
    let axis = semiMajorAxisMetres
    let motion = (Self.gravitation / (axis * axis * axis)).squareRoot() + meanMotionDifference
    let mean = (meanAnomaly + motion * elapsed).remainder(dividingBy: 2 * .pi)
    var eccentric = mean
    for _ in 0..<12 {
      eccentric -=
        (eccentric - eccentricity * sin(eccentric) - mean) / (1 - eccentricity * cos(eccentric))
    }
    let real = atan2(
      (1 - eccentricity * eccentricity).squareRoot() * sin(eccentric),
      cos(eccentric) - eccentricity)
    let argument = real + perigee
    let radius = axis * (1 - eccentricity * cos(eccentric))
    let tilt = inclination + inclinationRate * elapsed
    let along = radius * cos(argument)
    let across = radius * sin(argument)
    let turn = Self.earthRate * elapsed
    let node =
      nodeAtWeek + nodeRate * elapsed - Self.earthRate * secondsOfWeek - (isLeaning ? 0 : turn)
    let place = SpacePoint(
      x: along * cos(node) - across * cos(tilt) * sin(node),
      y: along * sin(node) + across * cos(tilt) * cos(node), z: across * sin(tilt))
    guard isLeaning else { return place }
    // Source: BDS-SIS-ICD-B1I-3.0, section 5.2.4.12: a turn about x by -5 degrees, then one with
    // the Earth.
    let lean = -5 * Double.pi / 180
    let upright = SpacePoint(
      x: place.x, y: place.y * cos(lean) + place.z * sin(lean),
      z: -place.y * sin(lean) + place.z * cos(lean))
    return SpacePoint(
      x: upright.x * cos(turn) + upright.y * sin(turn),
      y: -upright.x * sin(turn) + upright.y * cos(turn), z: upright.z)
  }
}

extension KeplerElements {
  /// Creates the ellipse through a place with a velocity, both in the frame that turns with the
  /// Earth, as GLONASS tells them; nil if they give no orbit around the Earth. The node turns at
  /// the rate that the Earth's flattening causes.
  init?(place: SpacePoint, velocity: SpacePoint) {
    let rate = Self.earthRate
    // The velocity in a frame that does not turn.
    let speed = SpacePoint(
      x: velocity.x - rate * place.y, y: velocity.y + rate * place.x, z: velocity.z)
    let radius = place.length
    let squared = speed.length * speed.length
    guard radius > 1e7, radius < 1e8, squared.isFinite else { return nil }
    let axis = 1 / (2 / radius - squared / Self.gravitation)
    let turning = SpacePoint(
      x: place.y * speed.z - place.z * speed.y, y: place.z * speed.x - place.x * speed.z,
      z: place.x * speed.y - place.y * speed.x)
    let flat = 1 - turning.length * turning.length / (Self.gravitation * axis)
    guard axis > 1e7, axis < 1e8, turning.length > 0, flat < 0.9 else { return nil }
    let eccentricity = max(0, flat).squareRoot()
    let inclination = acos(max(-1, min(1, turning.z / turning.length)))
    let node = atan2(turning.x, -turning.y)
    let argument = atan2(
      place.z / max(1e-12, sin(inclination)), place.x * cos(node) + place.y * sin(node))
    let radial = (place.x * speed.x + place.y * speed.y + place.z * speed.z) / radius
    // The true anomaly follows from the radial speed and the distance.
    let parameter = axis * (1 - eccentricity * eccentricity)
    let real = atan2(
      radial * (parameter / Self.gravitation).squareRoot(), parameter / radius - 1)
    let eccentric =
      2
      * atan2(
        (1 - eccentricity).squareRoot() * sin(real / 2),
        (1 + eccentricity).squareRoot() * cos(real / 2))
    let motion = (Self.gravitation / (axis * axis * axis)).squareRoot()
    let flattening = 1.082_63e-3 * (6_378_137 / axis) * (6_378_137 / axis)
    self.init(
      semiMajorAxisMetres: axis, eccentricity: eccentricity, inclination: inclination,
      inclinationRate: 0, nodeAtWeek: node, nodeRate: -1.5 * flattening * motion * cos(inclination),
      perigee: argument - real,
      meanAnomaly: eccentric - eccentricity * sin(eccentric),
      meanMotionDifference: 0, secondsOfWeek: 0)
  }
}
