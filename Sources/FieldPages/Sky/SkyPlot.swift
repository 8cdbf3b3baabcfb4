import FieldUnit
import Foundation
import Positioning
import TimeAndText
import Web

/// A satellite as the receiver names it, or as stored orbits alone predict it.
struct SkyEntry: Sendable {
  /// The state of a satellite, best first. Each state has its own mark and its own word.
  enum State: Int, Sendable, CaseIterable {
    /// The satellite is heard and used for the position.
    case used
    /// The satellite is heard and not used.
    case heard
    /// The receiver names the satellite and does not hear it.
    case named
    /// Stored orbits predict the satellite, and the receiver does not name it.
    case expected

    /// The name of the state in the style sheet.
    var name: String {
      switch self {
      case .used: "used"
      case .heard: "heard"
      case .named: "named"
      case .expected: "expected"
      }
    }
  }

  var satellite: Satellite
  var state: State

  /// Returns the satellites that the receiver names, and those that only stored orbits predict,
  /// sorted by constellation and number.
  static func all(heard: [Satellite], expected: [Satellite]) -> [SkyEntry] {
    let names = Set(heard.map(\.designation))
    let entries =
      heard.map { satellite in
        SkyEntry(
          satellite: satellite,
          state: satellite.isUsed
            ? .used : satellite.carrierToNoiseDecibelHertz == nil ? .named : .heard)
      }
      + expected.filter { !names.contains($0.designation) }.map {
        SkyEntry(satellite: $0, state: .expected)
      }
    return entries.sorted {
      ($0.satellite.constellation.rawValue, $0.satellite.number)
        < ($1.satellite.constellation.rawValue, $1.satellite.number)
    }
  }
}

/// The drawing of the sky: north is up, the zenith in the middle, the horizon the outer ring. The
/// server draws it; a table next to it has the same numbers in words.
enum SkyPlot {
  /// The distance from the zenith to the horizon, in units of the drawing.
  static let radius = 100.0

  /// Draws the sky.
  /// - Parameters:
  ///   - label: the description of the drawing, for people who do not see it.
  ///   - directions: the letters for north, east, south and west.
  static func html(_ entries: [SkyEntry], label: String, directions: [String]) -> HTML {
    let rings = [0.0, 30, 60].map { elevation -> HTML in
      let ring = number((90 - elevation) / 90 * radius)
      return """
        <circle class="ring" r="\(ring)"/>\
        <text class="scale" x="2" y="-\(number((90 - elevation) / 90 * radius - 7))">\(Int(elevation))°</text>
        """
    }
    let places = [(0.0, -108.0), (109, 3), (0, 114), (-109, 3)]
    let letters = zip(directions, places).map { letter, place -> HTML in
      "<text class=\"direction\" x=\"\(number(place.0))\" y=\"\(number(place.1))\">\(letter)</text>"
    }
    // The used satellites are drawn last, on top of those that are only expected.
    let marks = entries.sorted { $0.state.rawValue > $1.state.rawValue }.compactMap(Self.mark)
    return """
      <svg class="sky-plot" role="img" aria-label="\(label)" viewBox="-120 -120 240 240">\
      \(rings)<path class="ring" d="M0-100V100M-100 0H100"/>\(letters)\(marks)</svg>
      """
  }

  private static func mark(_ entry: SkyEntry) -> HTML? {
    guard let elevation = entry.satellite.elevationDegrees, elevation >= 0,
      let azimuth = entry.satellite.azimuthDegrees
    else { return nil }
    let away = (90 - elevation) / 90 * radius
    let angle = azimuth * .pi / 180
    // Near the eastern edge the name is left of its mark, or it would run out of the drawing.
    let side: HTML = away * sin(angle) > 70 ? "class=\"before\" x=\"-8\"" : "x=\"8\""
    return """
      <g class="sat sat-\(entry.state.name)" transform="translate(\(number(away * sin(angle))) \(number(-away * cos(angle))))">\
      \(shape(entry.satellite.constellation, entry.state))\
      <text \(side) y="3">\(entry.satellite.designation)</text></g>
      """
  }

  /// Returns the shape of a constellation. Each has its own, so that readers need no colour to tell
  /// them apart.
  static func shape(_ constellation: Constellation, _ state: SkyEntry.State) -> HTML {
    let path: HTML =
      switch constellation {
      case .gps: "<circle r=\"4.5\"/>"
      case .glonass: "<path d=\"M-4-4H4V4H-4Z\"/>"
      case .galileo: "<path d=\"M0-5.5L5 4H-5Z\"/>"
      case .beiDou: "<path d=\"M0-5.5L5.5 0L0 5.5L-5.5 0Z\"/>"
      case .qzss: "<path d=\"M0 5.5L5-4H-5Z\"/>"
      case .navIC: "<path d=\"M-5 0L-2.5-4.5H2.5L5 0L2.5 4.5H-2.5Z\"/>"
      case .sbas: "<path d=\"M-1.7-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5V-1.7H-1.7Z\"/>"
      }
    // A ring about the sign marks an expected satellite that the receiver does not hear.
    return state == .expected ? "\(path)<circle class=\"halo\" r=\"7\"/>" : path
  }

  /// Draws one shape alone, for the key and the table.
  static func sign(_ constellation: Constellation, _ state: SkyEntry.State) -> HTML {
    """
    <svg class="sky-sign" aria-hidden="true" viewBox="-9 -9 18 18"><g class="sat sat-\(state.name)">\
    \(shape(constellation, state))</g></svg>
    """
  }

  /// Draws the bars of signal strength (C/N0 in dB-Hz, shown from 1 to 60) of one constellation;
  /// the table has the numbers.
  static func bars(_ entries: [SkyEntry]) -> HTML {
    let step = 22.0
    let bars = entries.enumerated().compactMap { index, entry -> HTML? in
      guard let strength = entry.satellite.carrierToNoiseDecibelHertz else { return nil }
      let height = min(max(strength, 1), 60)
      let x = Double(index) * step
      return """
        <g class="bar bar-\(entry.state.name)"><rect x="\(number(x + 3))" y="\(number(72 - height))" width="16" height="\(number(height))"/>\
        <text x="\(number(x + 11))" y="\(number(69 - height))">\(DecimalText.fixed(strength, places: 0))</text>\
        <text x="\(number(x + 11))" y="82">\(entry.satellite.designation)</text></g>
        """
    }
    let width = number(max(1, Double(entries.count)) * step)
    return """
      <svg class="sky-bars" aria-hidden="true" viewBox="0 0 \(width) 86" width="\(number(max(1, Double(entries.count)) * step * 1.5))" height="129">\
      <path class="ring" d="M0 72H\(width)"/>\(bars)</svg>
      """
  }

  private static func number(_ value: Double) -> String { DecimalText.fixed(value, places: 1) }
}
