import Foundation

/// The effect of the Earth's uneven equator on an orbit that goes around once or twice a day, in
/// step with the turning of the Earth.
///
/// The obvious way, a constant rate, fails: the pull depends on the satellite's place over the
/// equator, and changes that place. It is integrated from the epoch in steps of half a day, with
/// second derivatives. The coefficients are those of Vallado et al. (2006).
struct Resonance: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    /// The orbit goes around once a day: three terms.
    case daily(SIMD3<Double>)
    /// The orbit goes around twice a day, on a long ellipse: ten terms.
    case halfDaily([Term])
  }

  /// A term: amplitude · sin(turns·λ + perigees·ω − phase).
  private struct Term: Hashable, Sendable {
    var amplitude: Double
    var turns: Double
    var perigees: Double
    var phase: Double
  }

  private let kind: Kind
  /// The resonance longitude at the epoch, radians, which almost rests, and the amount to add to
  /// the mean motion to get the rate of that longitude, radians a minute.
  private let longitude: Double
  private let drift: Double
  private let motion: Double
  private let perigee: Double
  private let perigeeRate: Double
  private let siderealTime: Double

  /// The rate at which the Earth turns, radians a minute.
  private static let earthRate = 4.375_269_088_011_299_66e-3
  private static let stepMinutes = 720.0

  /// Creates the resonance; nil if the orbit is not in step with the Earth.
  init?(
    _ mean: MeanOrbit, siderealTime: Double, anomalyRate: Double, perigeeRate: Double,
    nodeRate: Double, rates: SecularRates
  ) {
    let elements = mean.elements
    motion = mean.motion
    perigee = elements.perigee
    self.perigeeRate = perigeeRate
    self.siderealTime = siderealTime
    if mean.motion > 0.003_490_658_5, mean.motion < 0.005_235_987_7 {
      kind = .daily(Self.daily(mean))
      longitude = turned(
        elements.meanAnomaly + elements.node + elements.perigee - siderealTime)
      drift =
        anomalyRate + perigeeRate + nodeRate - Self.earthRate + rates.anomaly + rates.perigee
        + rates.node - mean.motion
    } else if (8.26e-3...9.24e-3).contains(mean.motion), mean.eccentricity >= 0.5 {
      kind = .halfDaily(Self.halfDaily(mean))
      longitude = turned(
        elements.meanAnomaly + 2 * elements.node - 2 * siderealTime)
      drift =
        anomalyRate + rates.anomaly + 2 * (nodeRate + rates.node - Self.earthRate) - mean.motion
    } else {
      return nil
    }
  }

  /// Changes mean motion and mean anomaly to those at `time`, minutes after the epoch.
  func apply(to mean: inout MovingElements, after time: Double) {
    let turn = turned(siderealTime + time * Self.earthRate)
    let step = time > 0 ? Self.stepMinutes : -Self.stepMinutes
    var (place, speed, reached) = (longitude, motion, 0.0)
    var rate = self.rate(at: place, speed, reached)
    while abs(time - reached) >= Self.stepMinutes {
      place += rate.longitude * step + rate.motion * step * step / 2
      speed += rate.motion * step + rate.change * step * step / 2
      reached += step
      rate = self.rate(at: place, speed, reached)
    }
    let rest = time - reached
    mean.motion = speed + rate.motion * rest + rate.change * rest * rest * 0.5
    place += rate.longitude * rest + rate.motion * rest * rest * 0.5
    switch kind {
    case .daily: mean.anomaly = place - mean.node - mean.perigee + turn
    case .halfDaily: mean.anomaly = place - 2 * mean.node + 2 * turn
    }
  }

  private func rate(
    at place: Double, _ speed: Double, _ time: Double
  ) -> (longitude: Double, motion: Double, change: Double) {
    let along = speed + drift
    var (motion, change) = (0.0, 0.0)
    switch kind {
    case .daily(let strength):
      let phases = SIMD3(0.131_309_08, 2.884_319_8, 0.374_480_87)
      for index in 0..<3 {
        let turns = Double(index + 1)
        let angle = turns * (place - phases[index])
        motion += strength[index] * sin(angle)
        change += turns * strength[index] * cos(angle)
      }
    case .halfDaily(let terms):
      let apsis = perigee + perigeeRate * time
      for term in terms {
        let angle = term.perigees * apsis + term.turns * place - term.phase
        motion += term.amplitude * sin(angle)
        change += term.turns * term.amplitude * cos(angle)
      }
    }
    return (along, motion, change * along)
  }

  // MARK: amplitudes

  private static func daily(_ mean: MeanOrbit) -> SIMD3<Double> {
    let (squared, cosine) = (mean.squared, mean.cosine)
    let inverse = pow(mean.motion / Gravity.root, 2.0 / 3)
    let g200 = 1 + squared * (-2.5 + 0.812_5 * squared)
    let g310 = 1 + 2 * squared
    let g300 = 1 + squared * (-6 + 6.609_37 * squared)
    let f220 = 0.75 * (1 + cosine) * (1 + cosine)
    let f311 = 0.937_5 * mean.sine * mean.sine * (1 + 3 * cosine) - 0.75 * (1 + cosine)
    let f330 = 1.875 * (1 + cosine) * (1 + cosine) * (1 + cosine)
    let base = 3 * mean.motion * mean.motion * inverse * inverse
    return SIMD3(
      base * f311 * g310 * 2.146_074_8e-6 * inverse, 2 * base * f220 * g200 * 1.789_167_9e-6,
      3 * base * f330 * g300 * 2.212_301_5e-7 * inverse)
  }

  private static func halfDaily(_ mean: MeanOrbit) -> [Term] {
    let ellipse = EccentricityFunctions(mean.eccentricity)
    let tilt = InclinationFunctions(sine: mean.sine, cosine: mean.cosine)
    let inverse = pow(mean.motion / Gravity.root, 2.0 / 3)
    let second = 3 * mean.motion * mean.motion * inverse * inverse
    let third = second * inverse
    let fourth = third * inverse
    let fifth = fourth * inverse
    let (root22, root32, root44) = (1.789_167_9e-6, 3.739_379_2e-7, 7.363_695_3e-9)
    let (root52, root54) = (1.142_863_9e-7, 2.176_580_3e-9)
    let (phase22, phase32, phase44) = (5.768_639_6, 0.952_408_98, 1.801_499_8)
    let (phase52, phase54) = (1.050_833_0, 4.410_889_8)
    func term(_ amplitude: Double, _ turns: Double, _ perigees: Double, _ phase: Double) -> Term {
      Term(amplitude: amplitude, turns: turns, perigees: perigees, phase: phase)
    }
    return [
      term(second * root22 * tilt.f220 * ellipse.g201, 1, 2, phase22),
      term(second * root22 * tilt.f221 * ellipse.g211, 1, 0, phase22),
      term(third * root32 * tilt.f321 * ellipse.g310, 1, 1, phase32),
      term(third * root32 * tilt.f322 * ellipse.g322, 1, -1, phase32),
      term(2 * fourth * root44 * tilt.f441 * ellipse.g410, 2, 2, phase44),
      term(2 * fourth * root44 * tilt.f442 * ellipse.g422, 2, 0, phase44),
      term(fifth * root52 * tilt.f522 * ellipse.g520, 1, 1, phase52),
      term(fifth * root52 * tilt.f523 * ellipse.g532, 1, -1, phase52),
      term(2 * fifth * root54 * tilt.f542 * ellipse.g521, 2, 1, phase54),
      term(2 * fifth * root54 * tilt.f543 * ellipse.g533, 2, -1, phase54),
    ]
  }
}

/// Kaula's functions of the eccentricity for the ten terms, in the theory's cubic approximations.
private struct EccentricityFunctions {
  let g201: Double
  let g211: Double
  let g310: Double
  let g322: Double
  let g410: Double
  let g422: Double
  let g520: Double
  let g533: Double
  let g521: Double
  let g532: Double

  init(_ x: Double) {
    func cubic(_ a: Double, _ b: Double, _ c: Double, _ d: Double = 0) -> Double {
      a + b * x + c * x * x + d * x * x * x
    }
    let isRound = x <= 0.65
    g201 = -0.306 - (x - 0.64) * 0.44
    g211 =
      isRound
      ? cubic(3.616, -13.247, 16.29) : cubic(-72.099, 331.819, -508.738, 266.724)
    g310 =
      isRound
      ? cubic(-19.302, 117.39, -228.419, 156.591)
      : cubic(-346.844, 1582.851, -2415.925, 1246.113)
    g322 =
      isRound
      ? cubic(-18.906_8, 109.792_7, -214.633_4, 146.581_6)
      : cubic(-342.585, 1554.908, -2366.899, 1215.972)
    g410 =
      isRound
      ? cubic(-41.122, 242.694, -471.094, 313.953)
      : cubic(-1052.797, 4758.686, -7193.992, 3651.957)
    g422 =
      isRound
      ? cubic(-146.407, 841.88, -1629.014, 1083.435)
      : cubic(-3581.69, 16_178.11, -24_462.77, 12_422.52)
    g520 =
      isRound
      ? cubic(-532.114, 3017.977, -5740.032, 3708.276)
      : x > 0.715
        ? cubic(-5149.66, 29_936.92, -54_087.36, 31_324.56)
        : cubic(1464.74, -4664.75, 3763.64)
    let isMiddling = x < 0.7
    g533 =
      isMiddling
      ? cubic(-919.227_7, 4988.61, -9064.77, 5542.21)
      : cubic(-37_995.78, 161_616.52, -229_838.2, 109_377.94)
    g521 =
      isMiddling
      ? cubic(-822.710_72, 4568.617_3, -8491.414_6, 5337.524)
      : cubic(-51_752.104, 218_913.95, -309_468.16, 146_349.42)
    g532 =
      isMiddling
      ? cubic(-853.666, 4690.25, -8624.77, 5341.4)
      : cubic(-40_023.88, 170_470.89, -242_699.48, 115_605.82)
  }
}

/// Kaula's functions of the inclination for the ten terms, by its sine and cosine.
private struct InclinationFunctions {
  let f220: Double
  let f221: Double
  let f321: Double
  let f322: Double
  let f441: Double
  let f442: Double
  let f522: Double
  let f523: Double
  let f542: Double
  let f543: Double

  init(sine: Double, cosine: Double) {
    let (sine2, cosine2) = (sine * sine, cosine * cosine)
    f220 = 0.75 * (1 + 2 * cosine + cosine2)
    f221 = 1.5 * sine2
    f321 = 1.875 * sine * (1 - 2 * cosine - 3 * cosine2)
    f322 = -1.875 * sine * (1 + 2 * cosine - 3 * cosine2)
    f441 = 35 * sine2 * f220
    f442 = 39.375 * sine2 * sine2
    f522 =
      9.843_75 * sine
      * (sine2 * (1 - 2 * cosine - 5 * cosine2)
        + 0.333_333_33 * (-2 + 4 * cosine + 6 * cosine2))
    f523 =
      sine
      * (4.921_875_12 * sine2 * (-2 - 4 * cosine + 10 * cosine2)
        + 6.562_500_12 * (1 + 2 * cosine - 3 * cosine2))
    f542 =
      29.531_25 * sine * (2 - 8 * cosine + cosine2 * (-12 + 8 * cosine + 10 * cosine2))
    f543 =
      29.531_25 * sine * (-2 - 8 * cosine + cosine2 * (12 + 8 * cosine - 10 * cosine2))
  }
}
