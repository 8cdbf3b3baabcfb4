import Foundation

/// The effect of the Sun or the Moon on an orbit: both act alike, with different numbers.
///
/// Source: Vallado et al. (2006), after B. Bowman (1971) and F. Hujsak (1979). The terms keep the
/// names of the papers, because they have no others.
struct ThirdBody: Hashable, Sendable {
  /// The body's own mean motion, radians a minute, and its eccentricity.
  let motion: Double
  let eccentricity: Double
  /// The body's mean anomaly at the epoch, radians.
  let anomaly: Double
  /// Coefficients of the long periods: eccentricity, inclination, anomaly, perigee, node.
  let e: SIMD2<Double>
  let i: SIMD2<Double>
  let l: SIMD3<Double>
  let g: SIMD3<Double>
  let h: SIMD2<Double>
  /// Secular rates of eccentricity, inclination, anomaly, perigee and node, radians a minute; the
  /// rate of the node before it is divided by sin i.
  let eRate: Double
  let iRate: Double
  let lRate: Double
  let gRate: Double
  let hRate: Double

  /// The position of the body's path: cosine and sine of its perigee's place, of its tilt, and of
  /// its node seen from the satellite's node.
  private struct Path {
    var cosG: Double
    var sinG: Double
    var cosI: Double
    var sinI: Double
    var cosH: Double
    var sinH: Double
  }

  /// Returns the effect of the Sun. Days are since the last midnight of 1949.
  static func sun(_ mean: MeanOrbit, day: Double) -> ThirdBody {
    let path = Path(
      cosG: 0.194_590_5, sinG: -0.980_884_58, cosI: 0.917_448_67, sinI: 0.397_854_16,
      cosH: cos(mean.elements.node), sinH: sin(mean.elements.node))
    let since1900 = day + 18_261.5
    return ThirdBody(
      mean, path, strength: 2.986_479_7e-6, motion: 1.194_59e-5, eccentricity: 0.016_75,
      anomaly: turned(6.256_583_7 + 0.017_201_977 * since1900))
  }

  /// Returns the effect of the Moon. Days are since the last midnight of 1949.
  static func moon(_ mean: MeanOrbit, day: Double) -> ThirdBody {
    let since1900 = day + 18_261.5
    // The Moon's node goes around the ecliptic in 18.6 years.
    let ecliptic = turned(4.523_602_0 - 9.242_202_9e-4 * since1900)
    let (sine, cosine) = (sin(ecliptic), cos(ecliptic))
    let cosI = 0.913_751_64 - 0.035_680_96 * cosine
    let sinI = (1 - cosI * cosI).squareRoot()
    let sinH = 0.089_683_511 * sine / sinI
    let cosH = (1 - sinH * sinH).squareRoot()
    let perigee = 5.835_151_4 + 0.001_944_368_0 * since1900
    let place =
      perigee - ecliptic
      + atan2(0.397_854_16 * sine / sinI, cosH * cosine + 0.917_448_67 * sinH * sine)
    let (nodeSine, nodeCosine) = (sin(mean.elements.node), cos(mean.elements.node))
    let path = Path(
      cosG: cos(place), sinG: sin(place), cosI: cosI, sinI: sinI,
      cosH: cosH * nodeCosine + sinH * nodeSine, sinH: nodeSine * cosH - nodeCosine * sinH)
    return ThirdBody(
      mean, path, strength: 4.796_806_5e-7, motion: 1.583_521_8e-4, eccentricity: 0.054_90,
      anomaly: turned(4.719_967_2 + 0.229_971_50 * since1900 - perigee))
  }

  private init(
    _ mean: MeanOrbit, _ path: Path, strength: Double, motion: Double, eccentricity: Double,
    anomaly: Double
  ) {
    self.motion = motion
    self.eccentricity = eccentricity
    self.anomaly = anomaly
    let squared = mean.squared
    let (sinO, cosO) = (sin(mean.elements.perigee), cos(mean.elements.perigee))
    let a1 = path.cosG * path.cosH + path.sinG * path.cosI * path.sinH
    let a3 = -path.sinG * path.cosH + path.cosG * path.cosI * path.sinH
    let a7 = -path.cosG * path.sinH + path.sinG * path.cosI * path.cosH
    let a8 = path.sinG * path.sinI
    let a9 = path.sinG * path.sinH + path.cosG * path.cosI * path.cosH
    let a10 = path.cosG * path.sinI
    let a2 = mean.cosine * a7 + mean.sine * a8
    let a4 = mean.cosine * a9 + mean.sine * a10
    let a5 = -mean.sine * a7 + mean.cosine * a8
    let a6 = -mean.sine * a9 + mean.cosine * a10
    let x1 = a1 * cosO + a2 * sinO
    let x2 = a3 * cosO + a4 * sinO
    let x3 = -a1 * sinO + a2 * cosO
    let x4 = -a3 * sinO + a4 * cosO
    let (x5, x6, x7, x8) = (a5 * sinO, a6 * sinO, a5 * cosO, a6 * cosO)
    let z31 = 12 * x1 * x1 - 3 * x3 * x3
    let z32 = 24 * x1 * x2 - 6 * x3 * x4
    let z33 = 12 * x2 * x2 - 3 * x4 * x4
    let rest = 1 - squared
    let z1 = 2 * (3 * (a1 * a1 + a2 * a2) + z31 * squared) + rest * z31
    let z2 = 2 * (6 * (a1 * a3 + a2 * a4) + z32 * squared) + rest * z32
    let z3 = 2 * (3 * (a3 * a3 + a4 * a4) + z33 * squared) + rest * z33
    let z11 = -6 * a1 * a5 + squared * (-24 * x1 * x7 - 6 * x3 * x5)
    let z12 =
      -6 * (a1 * a6 + a3 * a5)
      + squared * (-24 * (x2 * x7 + x1 * x8) - 6 * (x3 * x6 + x4 * x5))
    let z13 = -6 * a3 * a6 + squared * (-24 * x2 * x8 - 6 * x4 * x6)
    let z21 = 6 * a2 * a5 + squared * (24 * x1 * x5 - 6 * x3 * x7)
    let z22 =
      6 * (a4 * a5 + a2 * a6)
      + squared * (24 * (x2 * x5 + x1 * x6) - 6 * (x4 * x7 + x3 * x8))
    let z23 = 6 * a4 * a6 + squared * (24 * x2 * x6 - 6 * x4 * x8)
    let s3 = strength / mean.motion
    let s2 = -0.5 * s3 / rest.squareRoot()
    let s4 = s3 * rest.squareRoot()
    let s1 = -15 * mean.eccentricity * s4
    let s5 = x1 * x3 + x2 * x4
    let s6 = x2 * x3 + x1 * x4
    let s7 = x2 * x4 - x1 * x3
    e = SIMD2(2 * s1 * s6, 2 * s1 * s7)
    i = SIMD2(2 * s2 * z12, 2 * s2 * (z13 - z11))
    l = SIMD3(
      -2 * s3 * z2, -2 * s3 * (z3 - z1), -2 * s3 * (-21 - 9 * squared) * eccentricity)
    g = SIMD3(2 * s4 * z32, 2 * s4 * (z33 - z31), -18 * s4 * eccentricity)
    h = SIMD2(-2 * s2 * z22, -2 * s2 * (z23 - z21))
    eRate = s1 * motion * s5
    iRate = s2 * motion * (z11 + z13)
    lRate = -motion * s3 * (z1 + z3 - 14 - 6 * squared)
    gRate = s4 * motion * (z31 + z33 - 6)
    hRate = -motion * s2 * (z21 + z23)
  }

  /// Returns the periodic changes of eccentricity, inclination, anomaly, perigee and node at
  /// `time`, minutes after the epoch.
  func periodics(
    after time: Double
  ) -> (e: Double, i: Double, l: Double, g: Double, h: Double) {
    let mean = anomaly + motion * time
    let real = mean + 2 * eccentricity * sin(mean)
    let (sine, cosine) = (sin(real), cos(real))
    let (f2, f3) = (0.5 * sine * sine - 0.25, -0.5 * sine * cosine)
    return (
      e.x * f2 + e.y * f3, i.x * f2 + i.y * f3, l.x * f2 + l.y * f3 + l.z * sine,
      g.x * f2 + g.y * f3 + g.z * sine, h.x * f2 + h.y * f3
    )
  }
}

/// The lasting effects of Sun and Moon together, radians a minute.
struct SecularRates: Hashable, Sendable {
  let eccentricity: Double
  let inclination: Double
  let anomaly: Double
  let perigee: Double
  let node: Double

  init(_ sun: ThirdBody, _ moon: ThirdBody, _ mean: MeanOrbit) {
    let tilt = mean.elements.inclination
    // Within 3° of the equator the node has no meaning.
    let isFlat = tilt < 5.235_987_7e-2 || tilt > .pi - 5.235_987_7e-2
    let total = isFlat ? 0 : sun.hRate + moon.hRate
    let divided = mean.sine == 0 ? 0 : total / mean.sine
    eccentricity = sun.eRate + moon.eRate
    inclination = sun.iRate + moon.iRate
    anomaly = sun.lRate + moon.lRate
    perigee = sun.gRate + moon.gRate - mean.cosine * divided
    node = divided
  }

  func apply(to mean: inout MovingElements, after time: Double) {
    mean.eccentricity += eccentricity * time
    mean.inclination += inclination * time
    mean.anomaly += anomaly * time
    mean.perigee += perigee * time
    mean.node += node * time
  }
}

extension PerturbedOrbit.DeepSpace {
  /// Adds the long periods of Sun and Moon at `time`, minutes after the epoch.
  func addPeriodics(to mean: inout MovingElements, after time: Double) {
    let (s, m) = (sun.periodics(after: time), moon.periodics(after: time))
    let (inclination, anomaly) = (s.i + m.i, s.l + m.l)
    let (perigee, node) = (s.g + m.g, s.h + m.h)
    mean.inclination += inclination
    mean.eccentricity += s.e + m.e
    let (sine, cosine) = (sin(mean.inclination), cos(mean.inclination))
    if mean.inclination >= 0.2 {
      mean.perigee += perigee - cosine * node / sine
      mean.node += node / sine
      mean.anomaly += anomaly
    } else {
      // Near the equator, Lyddane's method uses components that need no division.
      let (sineNode, cosineNode) = (sin(mean.node), cos(mean.node))
      let alpha = sine * sineNode + node * cosineNode + inclination * cosine * sineNode
      let beta = sine * cosineNode - node * sineNode + inclination * cosine * cosineNode
      let before = turned(mean.node)
      let longitude =
        mean.anomaly + mean.perigee + cosine * before + anomaly + perigee
        - inclination * before * sine
      mean.node = atan2(alpha, beta)
      if abs(before - mean.node) > .pi { mean.node += mean.node < before ? 2 * .pi : -2 * .pi }
      mean.anomaly += anomaly
      mean.perigee = longitude - mean.anomaly - cosine * mean.node
    }
    if mean.inclination < 0 {
      mean.inclination = -mean.inclination
      mean.node += .pi
      mean.perigee -= .pi
    }
  }
}
