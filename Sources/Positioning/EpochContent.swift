import Geodesy
import TimeAndText

/// The content of one epoch, collected from its sentences so far.
struct EpochContent: Sendable {
  private(set) var fix = Fix(time: .midnight)
  private var isInvalid = false
  /// True if a sentence of this epoch is about the position. ZDA, GST and GBS may have a time of
  /// their own, and an epoch of them alone does not mean that the position is lost.
  private(set) var isAboutPosition = false
  private var hasMode = false
  private var positionRank = 0
  private var qualityRank = 0
  private var heightRank = 0
  private var speedRank = 0
  private var courseRank = 0
  private var geoidSeparation: Double?
  private var correctionStation: Int?
  private var errors: Errors?
  /// There may be one GNS for each constellation: one without a solution does not contradict the
  /// others.
  private var hasPositionOfGNS = false
  private var hasGNSWithoutSolution = false

  /// Empties the content. In place, because a copy of a structure just written is slow.
  mutating func clear() {
    fix = Fix(time: .midnight)
    isInvalid = false
    isAboutPosition = false
    hasMode = false
    positionRank = 0
    qualityRank = 0
    heightRank = 0
    speedRank = 0
    courseRank = 0
    geoidSeparation = nil
    correctionStation = nil
    errors = nil
    hasPositionOfGNS = false
    hasGNSWithoutSolution = false
  }

  /// Sets the epoch's time; content collected before stays.
  mutating func begin(_ time: GNSSTime) {
    fix.time = time
  }

  /// True if the epoch has the coordinate that a position needs, or has said that there is none.
  var isTold: Bool { hasNoSolution || fix.coordinate != nil }

  private var hasNoSolution: Bool {
    isInvalid || (hasGNSWithoutSolution && !hasPositionOfGNS)
  }

  /// Returns the fix that the content makes, with its date; the date is nil if unknown.
  func told(on date: CivilDate?) -> Fix {
    var fix = fix
    fix.time = fix.time.on(date)
    if hasNoSolution || fix.coordinate == nil || (hasMode && fix.mode == .none) {
      return Self.withoutPosition(fix)
    }
    if !hasMode {
      // Without a GSA in this epoch a height means a three-dimensional solution, as for gpsd. The
      // mode of an earlier GSA is not carried on, so that a fix can be computed again from its own
      // epoch.
      let hasHeight = fix.meanSeaLevelHeightMetres != nil || fix.ellipsoidalHeightMetres != nil
      fix.mode = hasHeight ? .threeDimensional : .twoDimensional
    }
    if let geoidSeparation {
      if let height = fix.meanSeaLevelHeightMetres {
        fix.ellipsoidalHeightMetres = height + geoidSeparation
      } else if let height = fix.ellipsoidalHeightMetres {
        fix.meanSeaLevelHeightMetres = height - geoidSeparation
      }
    }
    if let correctionStation { fix.correctionStation = padded(correctionStation, 4) }
    if let errors {
      errors.set(&fix)
    } else {
      Self.setUncertaintyByDilution(&fix)
    }
    return fix
  }

  private static func withoutPosition(_ fix: Fix) -> Fix {
    var empty = Fix(time: fix.time)
    empty.quality = fix.quality
    empty.satellitesUsed = fix.satellitesUsed
    empty.headingDegreesTrue = fix.headingDegreesTrue
    empty.headingDegreesMagnetic = fix.headingDegreesMagnetic
    return empty
  }

  // MARK: uncertainty

  /// The receiver's statement of its own errors, metres.
  private struct Errors {
    var source: NMEAReport.ErrorSource
    var major: Double
    var minor: Double
    var height: Double?

    /// Sets the 95 % uncertainties from the receiver's own statistics.
    ///
    /// The radius that holds 95 % of a two-dimensional normal distribution lies between 1.96 (one
    /// axis vanishes) and 2.448 (both are equal) times the larger sigma; between them it is close
    /// to linear in the ratio's square (error under 1 %). The radius that holds half is 1.1774
    /// times the sigma of each axis, the interval that holds half of the heights 0.6745 times the
    /// sigma of the heights.
    func set(_ fix: inout Fix) {
      fix.uncertaintySource = .receiver
      if source == .halfOfPositions {
        fix.horizontalUncertaintyMetres95 = max(major, minor) * (2.448 / 1.1774)
        fix.verticalUncertaintyMetres95 = height.map { $0 * (1.96 / 0.6745) }
        return
      }
      let larger = max(major, minor)
      let ratio = min(major, minor) / larger
      fix.horizontalUncertaintyMetres95 = larger * (1.96 + (2.448 - 1.96) * ratio * ratio)
      fix.verticalUncertaintyMetres95 = height.map { $0 * 1.96 }
    }
  }

  /// Sets the 95 % uncertainties from dilution and an assumed sigma of the ranges.
  private static func setUncertaintyByDilution(_ fix: inout Fix) {
    let sigma = (fix.quality ?? .autonomous).assumedRangeSigmaMetres
    if let dilution = fix.horizontalDilution {
      // HDOP times sigma is the root of the sum of both axes' variances: 2.448 / √2 of it.
      fix.horizontalUncertaintyMetres95 = dilution * sigma * 1.731
      fix.uncertaintySource = .dilution
    }
    if let dilution = fix.verticalDilution {
      fix.verticalUncertaintyMetres95 = dilution * sigma * 1.96
      fix.uncertaintySource = .dilution
    }
  }

  // MARK: merging

  mutating func merge(_ report: NMEAReport) {
    if report.kind.isAboutPosition { isAboutPosition = true }
    if report.kind == .gns {
      mergeGNS(report)
    } else {
      if report.isValid == false { isInvalid = true }
      mergePosition(report)
      mergeSolution(report)
    }
    if let mode = report.mode {
      // There is one GSA for each constellation: one that takes no part in the solution may say
      // "none".
      fix.mode = hasMode ? max(mode, fix.mode) : mode
      hasMode = true
    }
    mergeMotion(report)
    if let value = report.verticalDilution { fix.verticalDilution = value }
    if let value = report.positionDilution { fix.positionDilution = value }
    if let source = report.errorSource, let major = report.semiMajorErrorMetres,
      let minor = report.semiMinorErrorMetres, source.rawValue >= (errors?.source.rawValue ?? 0)
    {
      errors = Errors(
        source: source, major: major, minor: minor, height: report.heightErrorMetres)
    }
  }

  /// Merges one GNS. Source: NMEA 0183 4.11, GNS: the position is in one sentence, further ones of
  /// the same instant leave it empty and tell the contribution of each constellation.
  private mutating func mergeGNS(_ report: NMEAReport) {
    guard report.isValid != false, report.coordinate != nil else {
      if report.isValid == false { hasGNSWithoutSolution = true }
      if fix.quality == nil || report.quality == .simulated { fix.quality = report.quality }
      return
    }
    hasPositionOfGNS = true
    mergePosition(report)
    mergeSolution(report)
  }

  /// Merges the number of satellites and the corrections of a solution.
  private mutating func mergeSolution(_ report: NMEAReport) {
    if let value = report.satellitesUsed { fix.satellitesUsed = value }
    if let value = report.horizontalDilution { fix.horizontalDilution = value }
    if let value = report.correctionAgeSeconds { fix.correctionAgeSeconds = value }
    if let value = report.geoidSeparationMetres { geoidSeparation = value }
    if let value = report.correctionStation { correctionStation = value }
  }

  /// Merges the motion. RMC carries the time of its motion; VTG repeats the motion, and only its
  /// place in the stream tells its epoch.
  private mutating func mergeMotion(_ report: NMEAReport) {
    let rank = report.kind == .rmc ? 2 : 1
    if let value = report.speedMetresPerSecond, rank >= speedRank {
      fix.speedMetresPerSecond = value
      speedRank = rank
    }
    if let value = report.courseDegreesTrue, rank >= courseRank {
      fix.courseDegreesTrue = value
      courseRank = rank
    }
    if let value = report.climbMetresPerSecond { fix.climbMetresPerSecond = value }
    if let value = report.headingDegreesTrue { fix.headingDegreesTrue = value }
    if let value = report.headingDegreesMagnetic { fix.headingDegreesMagnetic = value }
  }

  /// Merges position, quality and height by rank. GGA, GNS and PUBX carry the solution itself; RMC
  /// and GLL repeat it, sometimes with fewer digits, and PGRMZ rounds the height to feet.
  private mutating func mergePosition(_ report: NMEAReport) {
    let rank =
      switch report.kind {
      case .gga: 5
      case .gns: 4
      case .bx: 3
      case .rmc: 2
      default: 1
      }
    if let coordinate = report.coordinate, report.isValid != false, rank >= positionRank {
      fix.coordinate = coordinate
      positionRank = rank
    }
    if let quality = report.quality, fix.quality != .simulated,
      rank >= qualityRank || quality == .simulated
    {
      fix.quality = quality
      qualityRank = rank
    }
    if rank >= heightRank {
      if let height = report.meanSeaLevelHeightMetres {
        fix.meanSeaLevelHeightMetres = height
        heightRank = rank
      }
      if let height = report.ellipsoidalHeightMetres { fix.ellipsoidalHeightMetres = height }
    }
  }
}
