import Foundation

/// Mean elements at a moment, which the parts of the theory change in turn: angles in radians,
/// motion in radians a minute.
struct MovingElements {
  var eccentricity: Double
  var inclination: Double
  var perigee: Double
  var node: Double
  var anomaly: Double
  var motion: Double
}

extension PerturbedOrbit {
  /// Returns position and velocity at a number of minutes after the epoch, or before it if
  /// negative.
  /// - Throws: `OrbitFailure` if the orbit has no place at that time.
  public func state(minutesAfterEpoch time: Double) throws(OrbitFailure) -> OrbitState {
    guard abs(time) <= Self.longestMinutes else { throw .tooFar }
    var mean = MovingElements(
      eccentricity: elements.eccentricity, inclination: elements.inclination,
      perigee: elements.perigee + perigeeRate * time, node: elements.node + nodeRate * time,
      anomaly: elements.meanAnomaly + anomalyRate * time, motion: motion)
    let squared = time * time
    var shrinking = 1 - drag.c1 * time
    var rounding = elements.dragTerm * drag.c4 * time
    var advance = drag.t2 * squared
    if !drag.isSimple {
      let moved =
        drag.perigee * time
        + drag.anomaly * (pow(1 + drag.eta * cos(mean.anomaly), 3) - drag.cube)
      mean.anomaly += moved
      mean.perigee -= moved
      shrinking -= squared * (drag.d2 + time * (drag.d3 + time * drag.d4))
      rounding += elements.dragTerm * drag.c5 * (sin(mean.anomaly) - drag.sine)
      advance += squared * time * (drag.t3 + time * (drag.t4 + time * drag.t5))
    }
    mean.node += drag.node * squared
    if let deep {
      deep.rates.apply(to: &mean, after: time)
      deep.resonance?.apply(to: &mean, after: time)
    }
    guard mean.motion > 0 else { throw .meanMotion }
    let axis = pow(Gravity.root / mean.motion, 2.0 / 3) * shrinking * shrinking
    mean.motion = Gravity.root / pow(axis, 1.5)
    mean.eccentricity -= rounding
    guard mean.eccentricity < 1, mean.eccentricity >= -0.001 else { throw .eccentricity }
    mean.eccentricity = max(mean.eccentricity, 1e-6)
    mean.anomaly += motion * advance
    let longitude = turned(mean.anomaly + mean.perigee + mean.node)
    mean.node = turned(mean.node)
    mean.perigee = turned(mean.perigee)
    mean.anomaly = turned(longitude - mean.perigee - mean.node)
    if let deep {
      deep.addPeriodics(to: &mean, after: time)
      guard (0...1).contains(mean.eccentricity) else { throw .perturbedEccentricity }
    }
    return try place(mean, axis: axis)
  }

  /// Returns position and velocity on the ellipse, with the short periods of the flattening added.
  /// - Throws: `OrbitFailure` if the ellipse has no size left, or the satellite would be below the
  ///   ground.
  private func place(
    _ mean: MovingElements, axis: Double
  ) throws(OrbitFailure) -> OrbitState {
    let (sine, cosine) = (sin(mean.inclination), cos(mean.inclination))
    // Near an inclination of 180° the long period would be divided by almost 0.
    let below = abs(1 + cosine) > 1.5e-12 ? 1 + cosine : 1.5e-12
    let eastward = -0.25 * Gravity.skew * sine * (3 + 5 * cosine) / below
    let northward = -0.5 * Gravity.skew * sine
    let (axnl, lift) = (
      mean.eccentricity * cos(mean.perigee),
      1 / (axis * (1 - mean.eccentricity * mean.eccentricity))
    )
    let aynl = mean.eccentricity * sin(mean.perigee) + lift * northward
    let longitude = mean.anomaly + mean.perigee + mean.node + lift * eastward * axnl
    let (sineE, cosineE) = Self.eccentricLongitude(
      atMean: turned(longitude - mean.node), axnl, aynl)
    let alongE = axnl * cosineE + aynl * sineE
    let acrossE = axnl * sineE - aynl * cosineE
    let squared = axnl * axnl + aynl * aynl
    let parameter = axis * (1 - squared)
    guard parameter >= 0 else { throw .semiLatusRectum }
    let radius = axis * (1 - alongE)
    let radial = axis.squareRoot() * acrossE / radius
    let transverse = parameter.squareRoot() / radius
    let slim = (1 - squared).squareRoot()
    let part = acrossE / (1 + slim)
    let sineU = axis / radius * (sineE - aynl - axnl * part)
    let cosineU = axis / radius * (cosineE - axnl + aynl * part)
    let sineTwice = 2 * cosineU * sineU
    let cosineTwice = 1 - 2 * sineU * sineU
    let first = 0.5 * Gravity.j2 / parameter
    let second = first / parameter
    let zonal = 3 * cosine * cosine - 1
    let tilt = 1 - cosine * cosine
    let distance =
      radius * (1 - 1.5 * second * slim * zonal) + 0.5 * first * tilt * cosineTwice
    let argument =
      atan2(sineU, cosineU) - 0.25 * second * (7 * cosine * cosine - 1) * sineTwice
    let node = mean.node + 1.5 * second * cosine * sineTwice
    let inclination = mean.inclination + 1.5 * second * cosine * sine * cosineTwice
    let away = radial - mean.motion * first * tilt * sineTwice / Gravity.root
    let ahead =
      transverse + mean.motion * first * (tilt * cosineTwice + 1.5 * zonal) / Gravity.root
    // A distance that is no number counts as decayed, too.
    guard distance >= 1, distance.isFinite else { throw .decayed }
    let level = SIMD3(cos(node), sin(node), 0)
    let upward = SIMD3(
      -sin(node) * cos(inclination), cos(node) * cos(inclination), sin(inclination))
    let outward = upward * sin(argument) + level * cos(argument)
    let forward = upward * cos(argument) - level * sin(argument)
    return OrbitState(
      positionKilometres: outward * (distance * Gravity.radiusKilometres),
      velocityKilometresPerSecond: (outward * away + forward * ahead)
        * (Gravity.radiusKilometres * Gravity.root / 60))
  }

  /// Solves Kepler's equation for a mean longitude from the node, and returns sine and cosine of the
  /// eccentric longitude. `axnl` and `aynl` are the components of the eccentricity along the node
  /// and across it.
  private static func eccentricLongitude(
    atMean goal: Double, _ axnl: Double, _ aynl: Double
  ) -> (sine: Double, cosine: Double) {
    var eccentric = goal
    var (sine, cosine) = (sin(eccentric), cos(eccentric))
    for _ in 0..<10 {
      (sine, cosine) = (sin(eccentric), cos(eccentric))
      let step =
        (goal - aynl * cosine + axnl * sine - eccentric) / (1 - cosine * axnl - sine * aynl)
      // A longer step could jump back and forth.
      eccentric += max(-0.95, min(0.95, step))
      // As in the published program, the last step does not update sine and cosine, which matters
      // only for the longest ellipses.
      if abs(step) < 1e-12 { break }
    }
    return (sine, cosine)
  }
}

/// Returns the rest of an angle in radians after whole turns, with its sign.
func turned(_ angle: Double) -> Double { angle.truncatingRemainder(dividingBy: 2 * .pi) }
