import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The check of what noise does over the seconds of a raw window. The errors of a real receiver change
/// slowly: positions of neighbouring seconds are alike, and so are the strengths of a satellite's
/// signal. Numbers that a program draws anew each second are not, and many inventors forget to change
/// them at all. A person who models the noise passes.
package enum NoiseCheck {
  /// Makes the check from the fixes between the first sample and the shutter, and the window's skies.
  package static func check(_ fixes: [Fix], _ sky: SkyHistory) -> PhotoCheck {
    let positions = Positions(fixes)
    let signals = Signals(sky)
    guard positions.count >= Limits.fewestNoiseEpochs else {
      return PhotoCheck(.noise, .notCheckable, [.epochs: Double(positions.count)])
    }
    var signs: [PhotoCheck.NoiseSign] = []
    if positions.areDrawn { signs.append(.drawnPositions) }
    if signals.areDrawn { signs.append(.drawnSignals) }
    if signals.areConstant { signs.append(.constantSignals) }
    // A receiver may hold its position while it stands, but then its signals go on changing.
    if positions.areConstant, signals.areConstant {
      signs.append(.constantPositions)
    }
    let numbers: [PhotoCheck.Quantity: Double?] = [
      .epochs: Double(positions.count), .spanSeconds: positions.spanSeconds,
      .positionCorrelation: positions.correlation, .spreadMetres: positions.spreadMetres,
      .signals: Double(signals.count), .changedSignals: Double(signals.changed),
      .signalCorrelation: signals.correlation,
    ]
    let isThin = signals.count < Limits.fewestNoiseSignals
    return PhotoCheck(
      .noise,
      signs.count > 1 ? .contradicts : !signs.isEmpty || isThin ? .unclear : .agrees, numbers,
      reason: signs.isEmpty ? nil : .invented(signs))
  }

  /// The positions of a window, one for each second.
  private struct Positions {
    var count = 0
    var spanSeconds = 0.0
    var spreadMetres: Double?
    /// The correlation of neighbouring positions, -1…1; nil if they do not differ.
    var correlation: Double?
    var areConstant = false
    var areDrawn = false

    init(_ fixes: [Fix]) {
      var kept: [(time: GNSSTime, place: Coordinate, fix: Fix)] = []
      for fix in fixes {
        guard let place = fix.coordinate,
          kept.last.map({ fix.time.seconds(since: $0.time) >= Limits.noiseStepSeconds }) ?? true
        else { continue }
        kept.append((fix.time, place, fix))
      }
      count = kept.count
      guard let first = kept.first, let last = kept.last, count > 1 else { return }
      spanSeconds = last.time.seconds(since: first.time)
      let plane = LocalPlane(origin: first.place)
      let all = kept.map { plane.project($0.place) }
      let squares = Series(all.map(\.eastMetres)).squares + Series(all.map(\.northMetres)).squares
      let spread = (squares / Double(count)).squareRoot()
      spreadMetres = spread
      let heights = Set(
        kept.map { $0.fix.ellipsoidalHeightMetres ?? $0.fix.meanSeaLevelHeightMetres })
      areConstant = squares < 1e-12 && heights.count == 1
      // A position that is held for a while counts once: holding drawn numbers does not make them slow.
      var points: [PlanePoint] = []
      for point in all where point != points.last { points.append(point) }
      let east = Series(points.map(\.eastMetres))
      let north = Series(points.map(\.northMetres))
      guard points.count >= Limits.fewestDifferentValues, east.squares + north.squares > 0 else {
        return
      }
      let alike = (east.products + north.products) / (east.squares + north.squares)
      correlation = alike
      // A receiver that rounds coarsely jumps between a few places; and with carrier phases the rest of
      // the noise is small and does change each second.
      let places = Set(points).count
      let usesPhases =
        spread < Limits.phaseSpreadMetres
        && kept.contains { $0.fix.quality == .rtkFixed || $0.fix.quality == .rtkFloat }
      areDrawn =
        alike < Limits.leastPositionCorrelation && !usesPhases
        && Double(places) >= Limits.shareOfDifferentPlaces * Double(points.count)
    }
  }

  /// The strengths of the satellites' signals in a window.
  private struct Signals {
    private static func series(_ reports: [[Name: Double]]) -> [Series] {
      var strengths: [Name: [Double]] = [:]
      for report in reports {
        for (name, strength) in report { strengths[name, default: []].append(strength) }
      }
      return strengths.values.map(Series.init)
    }

    /// The satellites that were tracked long enough.
    var count = 0
    var changed = 0
    /// The correlation of neighbouring strengths of all satellites together; nil if none changed.
    var correlation: Double?
    var areConstant = false
    var areDrawn = false

    private struct Name: Hashable {
      var constellation: Constellation
      var id: Int
    }

    init(_ sky: SkyHistory) {
      // gpsd may name a satellite once for each of its signals: the strongest counts.
      let reports = sky.reports.map { report in
        report.satellites.reduce(into: [Name: Double]()) { known, satellite in
          guard let strength = satellite.carrierToNoiseDecibelHertz else { return }
          let name = Name(constellation: satellite.constellation, id: satellite.id)
          known[name] = max(known[name] ?? strength, strength)
        }
      }
      let all = Self.series(reports).filter { $0.count >= Limits.fewestNoiseEpochs }
      count = all.count
      changed = all.count { $0.squares > 0 }
      guard count >= Limits.fewestNoiseSignals else { return }
      areConstant = changed == 0 && sky.spanSeconds >= Limits.constantSeconds
      // Skies that are held for a while count once.
      var different: [[Name: Double]] = []
      for report in reports where report != different.last { different.append(report) }
      let series = Self.series(different).filter { $0.count >= Limits.fewestDifferentValues }
      guard series.count >= Limits.fewestNoiseSignals else { return }
      let squares = series.reduce(0) { $0 + $1.squares }
      let values = series.reduce(0) { $0 + $1.count }
      guard squares > 0 else { return }
      let alike = series.reduce(0) { $0 + $1.products } / squares
      correlation = alike
      areDrawn =
        alike < Limits.leastSignalCorrelation
        && (squares / Double(values)).squareRoot() >= Limits.leastDrawnDecibelHertz
    }
  }

  /// Sums of a series about its mean.
  private struct Series {
    let count: Int
    /// The sum of the squares of the differences from the mean.
    var squares = 0.0
    /// The sum of the products of neighbouring differences from the mean.
    var products = 0.0

    init(_ values: [Double]) {
      count = values.count
      let mean = values.reduce(0, +) / Double(max(1, count))
      for (index, value) in values.enumerated() {
        squares += (value - mean) * (value - mean)
        if index > 0 { products += (value - mean) * (values[index - 1] - mean) }
      }
    }
  }
}

extension Limits {
  /// The fewest seconds of data from which noise is judged.
  package static let fewestNoiseEpochs = 15
  /// The shortest time between two positions that are compared, seconds.
  package static let noiseStepSeconds = 0.95
  /// The correlation of neighbouring positions below which they count as drawn anew. In the recordings
  /// of real receivers that are judged so it is 0.44 at least; of numbers drawn at random one window in
  /// fifty has more than the limit.
  package static let leastPositionCorrelation = 0.25
  /// The same for the signals of all satellites together: 0.27 at least in the recordings.
  package static let leastSignalCorrelation = 0.1
  /// The share of positions that differ from all others from which on rounding does not explain them.
  package static let shareOfDifferentPlaces = 0.8
  /// The fewest values that differ from the one before, from which neighbours are compared.
  package static let fewestDifferentValues = 8
  /// The spread up to which positions by carrier phases may change like drawn numbers, metres.
  package static let phaseSpreadMetres = 0.05
  /// The fewest satellites whose signals are judged over time.
  package static let fewestNoiseSignals = 4
  /// The time for which no real receiver's signals all stay the same, seconds.
  package static let constantSeconds = 20.0
  /// The smallest standard deviation of signals that counts as drawn, dB-Hz: rounding alone gives less.
  package static let leastDrawnDecibelHertz = 0.5
}
