// The problem: compute the place of a satellite at any minute within weeks, from the few mean
// elements that are published for it, without a network.
//
// The obvious idea: an ellipse that stays as it is. The Earth's flattening turns a navigation
// satellite's plane by a hundredth of a degree a day and its perigee with it, the air slows a low
// one down, and Sun and Moon pull at a high one: after a week the ellipse is degrees wrong.
// Integrating all forces instead does not help either, because published elements are means: the
// periodic parts were taken out of them with one particular theory, and only the same theory puts
// them back.
//
// The solution: that theory, SGP4, with its deep-space part for periods of 225 minutes and more.
// Secular rates by the zonal harmonics J2 to J4 and a power law of the air are computed once; for a
// deep orbit, so are the pull of Sun and Moon (`ThirdBody`) and, if it goes around once or twice a
// day, the resonance with the Earth's equator (`Resonance`), which is integrated in steps of half a
// day. Then the periodic parts are added and the ellipse becomes a place. Lengths are in radii of
// the Earth and times in minutes, as in the paper; the constants are those of WGS 72, with which
// the elements are made.
//
// Source: D. Vallado, P. Crawford, R. Hujsak and T. S. Kelso, "Revisiting Spacetrack Report #3",
// AIAA 2006-6753, with its verification set; F. Hoots and R. Roehrich, "Spacetrack Report No. 3"
// (1980).
//
// Cost: some hundred operations for the elements, and as many for each place; for a resonant orbit
// one more step for each half day between the place and the epoch.

import Foundation

/// An orbit that is extrapolated with SGP4.
public struct PerturbedOrbit: Hashable, Sendable {
  /// The elements from which the orbit was made.
  public let elements: TwoLineElements
  /// Greenwich sidereal time at the epoch, radians.
  let siderealTime: Double
  /// The mean motion without Kozai's part, radians a minute.
  let motion: Double
  /// Rates of mean anomaly, perigee and node by the zonal harmonics, radians a minute.
  let anomalyRate: Double
  let perigeeRate: Double
  let nodeRate: Double
  let drag: Drag
  let deep: DeepSpace?

  /// The period from which an orbit is deep space, minutes.
  static let deepSpaceMinutes = 225.0
  /// The longest time from the epoch for which places are computed, minutes: a century.
  static let longestMinutes = 36_525.0 * 1440

  /// The effect of the air, in the theory's powers of time.
  struct Drag: Hashable, Sendable {
    /// True if only the first powers count: for deep orbits, and for orbits whose perigee is below
    /// 220 km.
    var isSimple: Bool
    var eta: Double
    var c1: Double
    var c4: Double
    var c5: Double
    var d2 = 0.0
    var d3 = 0.0
    var d4 = 0.0
    var t2: Double
    var t3 = 0.0
    var t4 = 0.0
    var t5 = 0.0
    var node: Double
    var perigee: Double
    var anomaly: Double
    /// (1 + η cos M₀)³ and sin M₀.
    var cube: Double
    var sine: Double
  }

  /// The effects of Sun, Moon and resonance on an orbit of 225 minutes and more.
  struct DeepSpace: Hashable, Sendable {
    var sun: ThirdBody
    var moon: ThirdBody
    var rates: SecularRates
    var resonance: Resonance?
  }

  /// Creates the orbit of mean elements.
  public init(_ elements: TwoLineElements) {
    self.elements = elements
    // A single Julian date, as in the published program, rounds to 40 µs, but agrees better with
    // the verification set.
    let julian = Double(elements.epochDay) + 2_440_587.5 + elements.epochDayFraction
    siderealTime = EarthRotation.greenwichSiderealTime(day: 0, fraction: julian - 2_440_587.5)
    let mean = MeanOrbit(elements)
    motion = mean.motion
    let (cosine, cosineSquared) = (mean.cosine, mean.cosine * mean.cosine)
    let cosineFourth = cosineSquared * cosineSquared
    let slim = (1 - mean.squared).squareRoot()
    let inverse = 1 / (mean.parameter * mean.parameter)
    let first = 1.5 * Gravity.j2 * inverse * mean.motion
    let second = 0.5 * first * Gravity.j2 * inverse
    let fourth = -0.46875 * Gravity.j4 * inverse * inverse * mean.motion
    anomalyRate =
      mean.motion + 0.5 * first * slim * (3 * cosineSquared - 1)
      + 0.0625 * second * slim * (13 - 78 * cosineSquared + 137 * cosineFourth)
    perigeeRate =
      -0.5 * first * (1 - 5 * cosineSquared)
      + 0.0625 * second * (7 - 114 * cosineSquared + 395 * cosineFourth)
      + fourth * (3 - 36 * cosineSquared + 49 * cosineFourth)
    let nodeFirst = -first * cosine
    nodeRate =
      nodeFirst
      + (0.5 * second * (4 - 19 * cosineSquared) + 2 * fourth * (3 - 7 * cosineSquared)) * cosine
    let isDeep = 2 * .pi / mean.motion >= Self.deepSpaceMinutes
    drag = Drag(mean, nodeFirst: nodeFirst, isDeep: isDeep)
    guard isDeep else {
      deep = nil
      return
    }
    // Days since the last midnight of 1949, from which the places of Sun and Moon are computed.
    let day = julian - 2_433_281.5
    let sun = ThirdBody.sun(mean, day: day)
    let moon = ThirdBody.moon(mean, day: day)
    let rates = SecularRates(sun, moon, mean)
    deep = DeepSpace(
      sun: sun, moon: moon, rates: rates,
      resonance: Resonance(
        mean, siderealTime: siderealTime, anomalyRate: anomalyRate, perigeeRate: perigeeRate,
        nodeRate: nodeRate, rates: rates))
  }
}

/// The Earth of WGS 72: radius, gravity and zonal harmonics.
enum Gravity {
  static let radiusKilometres = 6378.135
  static let j2 = 0.001_082_616
  static let j3 = -0.000_002_538_81
  static let j4 = -0.000_001_655_97
  /// √μ in radii of the Earth and minutes.
  static let root =
    60 / (radiusKilometres * radiusKilometres * radiusKilometres / 398_600.8).squareRoot()
  /// J3 divided by J2: the difference between north and south.
  static let skew = j3 / j2
}

/// The elements in the form that the theory needs: with the mean motion of an ellipse without
/// flattening.
struct MeanOrbit {
  let elements: TwoLineElements
  let motion: Double
  /// Semi-major axis and semi-latus rectum, radii of the Earth.
  let axis: Double
  let parameter: Double
  let eccentricity: Double
  let squared: Double
  let sine: Double
  let cosine: Double

  init(_ elements: TwoLineElements) {
    self.elements = elements
    eccentricity = elements.eccentricity
    squared = eccentricity * eccentricity
    sine = sin(elements.inclination)
    cosine = cos(elements.inclination)
    let rest = 1 - squared
    let first = pow(Gravity.root / elements.meanMotion, 2.0 / 3)
    let part = 0.75 * Gravity.j2 * (3 * cosine * cosine - 1) / (rest.squareRoot() * rest)
    var step = part / (first * first)
    let better = first * (1 - step * step - step * (1.0 / 3 + 134 * step * step / 81))
    step = part / (better * better)
    motion = elements.meanMotion / (1 + step)
    axis = pow(Gravity.root / motion, 2.0 / 3)
    parameter = axis * rest
  }
}

extension PerturbedOrbit.Drag {
  init(_ mean: MeanOrbit, nodeFirst: Double, isDeep: Bool) {
    let elements = mean.elements
    let radius = Gravity.radiusKilometres
    let (axis, eccentricity, motion) = (mean.axis, mean.eccentricity, mean.motion)
    let rest = 1 - mean.squared
    let height = axis * (1 - eccentricity)
    isSimple = isDeep || height < 220 / radius + 1
    // The scale of the air's density begins at 78 km, or lower if the perigee is low.
    let perigeeKilometres = (height - 1) * radius
    let beginning =
      perigeeKilometres < 98 ? 20 : perigeeKilometres < 156 ? perigeeKilometres - 78 : 78
    let base = beginning / radius + 1
    let scale = pow((120 - beginning) / radius, 4)
    let near = 1 / (axis - base)
    eta = axis * eccentricity * near
    let (square, product) = (eta * eta, eccentricity * eta)
    let flat = abs(1 - square)
    let density = scale * pow(near, 4)
    let dense = density / pow(flat, 3.5)
    let zonal = 3 * mean.cosine * mean.cosine - 1
    let c2 =
      dense * motion
      * (axis * (1 + 1.5 * square + product * (4 + square))
        + 0.375 * Gravity.j2 * near / flat * zonal * (8 + 3 * square * (8 + square)))
    c1 = elements.dragTerm * c2
    let c3 =
      eccentricity > 1e-4
      ? -2 * density * near * Gravity.skew * motion * mean.sine / eccentricity : 0
    let tilt = 1 - mean.cosine * mean.cosine
    let inner =
      -3 * zonal * (1 - 2 * product + square * (1.5 - 0.5 * product))
      + 0.75 * tilt * (2 * square - product * (1 + square)) * cos(2 * elements.perigee)
    c4 =
      2 * motion * dense * axis * rest
      * (eta * (2 + 0.5 * square) + eccentricity * (0.5 + 2 * square)
        - Gravity.j2 * near / (axis * flat) * inner)
    c5 = 2 * dense * axis * rest * (1 + 2.75 * (square + product) + product * square)
    perigee = elements.dragTerm * c3 * cos(elements.perigee)
    anomaly = eccentricity > 1e-4 ? -2.0 / 3 * density * elements.dragTerm / product : 0
    node = 3.5 * rest * nodeFirst * c1
    t2 = 1.5 * c1
    cube = pow(1 + eta * cos(elements.meanAnomaly), 3)
    sine = sin(elements.meanAnomaly)
    guard !isSimple else { return }
    let c1Squared = c1 * c1
    d2 = 4 * axis * near * c1Squared
    let third = d2 * near * c1 / 3
    d3 = (17 * axis + base) * third
    d4 = 0.5 * third * axis * near * (221 * axis + 31 * base) * c1
    t3 = d2 + 2 * c1Squared
    t4 = 0.25 * (3 * d3 + c1 * (12 * d2 + 10 * c1Squared))
    t5 = 0.2 * (3 * d4 + 12 * c1 * d3 + 6 * d2 * d2 + 15 * c1Squared * (2 * d2 + c1Squared))
  }
}
