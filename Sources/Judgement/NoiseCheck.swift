import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The check of what noise does over the seconds of a raw window. The errors of a real receiver change
/// slowly: positions of neighbouring seconds are alike, and so are the strengths of a satellite's
/// signal. Numbers that a program draws anew each second are not, and many inventors forget to change
/// them at all. Who models the noise passes.
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
      let points = kept.map { plane.project($0.place) }
      let east = Series(points.map(\.eastMetres))
      let north = Series(points.map(\.northMetres))
      let squares = east.squares + north.squares
      spreadMetres = (squares / Double(count)).squareRoot()
      let heights = Set(kept.map { $0.fix.ellipsoidalHeightMetres ?? $0.fix.meanSeaLevelHeightMetres })
      areConstant = squares < 1e-12 && heights.count == 1
      guard squares >= 1e-12 else { return }
      let alike = (east.products + north.products) / squares
      correlation = alike
      // A receiver that rounds coarsely jumps between a few places; and with carrier phases the rest of
      // the noise is small and does change each second.
      let places = Set(points.map { "\($0.eastMetres) \($0.northMetres)" }).count
      let usesPhases = kept.contains { $0.fix.quality == .rtkFixed || $0.fix.quality == .rtkFloat }
      areDrawn =
        alike < Limits.leastPositionCorrelation && !usesPhases
        && Double(places) >= Limits.shareOfDifferentPlaces * Double(count)
    }
  }

  /// The strengths of the satellites' signals in a window.
  private struct Signals {
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
      var strengths: [Name: [Double]] = [:]
      for satellite in sky.reports.flatMap(\.satellites) {
        guard let strength = satellite.carrierToNoiseDecibelHertz else { continue }
        strengths[
          Name(constellation: satellite.constellation, id: satellite.id), default: []
        ].append(strength)
      }
      let series = strengths.values.filter { $0.count >= Limits.fewestNoiseEpochs }.map(Series.init)
      count = series.count
      changed = series.count { $0.squares > 0 }
      let squares = series.reduce(0) { $0 + $1.squares }
      let values = series.reduce(0) { $0 + $1.count }
      guard count >= Limits.fewestNoiseSignals else { return }
      areConstant = changed == 0 && sky.spanSeconds >= Limits.constantSeconds
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
  package static let shareOfDifferentPlaces = 0.66
  /// The fewest satellites whose signals are judged over time.
  package static let fewestNoiseSignals = 4
  /// The time for which no real receiver's signals all stay the same, seconds.
  package static let constantSeconds = 20.0
  /// The smallest standard deviation of signals that counts as drawn, dB-Hz: rounding alone gives less.
  package static let leastDrawnDecibelHertz = 0.5
}
