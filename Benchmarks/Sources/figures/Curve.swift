import ArgumentParser
import Foundation
import Geodesy
import Positioning
import TimeAndText

/// The gate's receiver-operating curve.
struct Curve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "What the gate says at other limits, on simulation and on recordings.")

  @Option(help: "Folder with open-walk.nmea and the two stationary recordings.")
  var recordings: String?
  @Option(help: "How many simulated walks.") var walks = 400

  func run() throws {
    print("simulation, \(walks) walks for each receiver: 40 s walking at 0.5 to 1.6 m/s, then 90 s")
    print(
      "standing; walking called still / standing called still / seconds to open, median and 95 %\n")
    print("| window | limit m/s | \(SimulatedReceiver.all.map(\.name).joined(separator: " | ")) |")
    print("| --- | --- | \(SimulatedReceiver.all.map { _ in "---" }.joined(separator: " | ")) |")
    for (window, limit) in settings {
      let cells = SimulatedReceiver.all.map { simulated($0, window, limit) }
      print("| \(row(window, limit)) | \(cells.joined(separator: " | ")) |")
    }
    guard let recordings else { return }
    let walk = try fixes(ofFile: recordings + "/open-walk.nmea")
    let open = try fixes(ofFile: recordings + "/open-stationary.nmea")
    let occluded = try fixes(ofFile: recordings + "/occluded-stationary-rtk.nmea")
    let strict = Self.walking(walk)
    print(
      "\nrecordings; \(strict.filter(\.self).count) epochs lie in ten seconds with 5 m of way\n")
    print("| window | limit m/s | walking called still | open | occluded |")
    print("| --- | --- | --- | --- | --- |")
    for (window, limit) in settings {
      let states = Self.states(walk, policy(windowSeconds: window, limit: limit))
      let wrong = zip(states, strict).filter { $0 == .still && $1 }.count
      let shares = [open, occluded].map {
        Self.shareStill($0, policy(windowSeconds: window, limit: limit))
      }
      print(
        "| \(row(window, limit)) | \(wrong) | \(cell(shares[0] * 100, places: 1)) % |"
          + " \(cell(shares[1] * 100, places: 1)) % |")
    }
  }

  private var settings: [(Double, Double)] {
    [0.10, 0.15, 0.18, 0.20, 0.22, 0.25, 0.30, 0.40].map { (8, $0) }
      + [4.0, 6, 7, 9, 10].map { ($0, 0.20) }
  }

  private func row(_ window: Double, _ limit: Double) -> String {
    let isDefault =
      window == GatePolicy().windowSeconds && limit == GatePolicy().speedLimitMetresPerSecond
    let mark = isDefault ? "**" : ""
    return "\(mark)\(cell(window)) s\(mark) | \(mark)\(cell(limit, places: 2))\(mark)"
  }

  private func simulated(_ receiver: SimulatedReceiver, _ window: Double, _ limit: Double) -> String
  {
    var wrong = 0
    var walking = 0
    var right = 0
    var standing = 0
    var opening: [Double] = []
    for seed in 0..<UInt64(walks) {
      var generator = SeededGenerator(seed: seed)
      let speed = Double.random(in: 0.5...1.6, using: &generator)
      let azimuth = Double.random(in: 0..<(2 * .pi), using: &generator)
      let target = PlanePoint(
        eastMetres: 40 * speed * sin(azimuth), northMetres: 40 * speed * cos(azimuth))
      let heard = receiver.fixes(
        [.walk(to: target, metresPerSecond: speed), .stand(seconds: 90)], seed: seed)
      let stop = heard.fixes.count - 90
      let states = Self.states(heard.fixes, policy(windowSeconds: window, limit: limit))
      let first = Int(window)
      walking += stop - first
      wrong += states[first..<stop].filter { $0 == .still }.count
      standing += states.count - stop - 10
      right += states[(stop + 10)...].filter { $0 == .still }.count
      let opened = states[stop...].firstIndex(of: .still)
      opening.append(opened.map { Double($0 - stop + 1) } ?? 99)
    }
    return "\(cell(100 * Double(wrong) / Double(walking), places: 2)) % /"
      + " \(cell(100 * Double(right) / Double(standing), places: 1)) % /"
      + " \(cell(median(opening))) s, \(cell(percentile(opening, 0.95))) s"
  }

  static func states(_ fixes: [Fix], _ policy: GatePolicy) -> [GateVerdict.State] {
    var gate = StandstillGate(policy: policy)
    return fixes.map { gate.accept($0).state }
  }

  /// After the first window.
  static func shareStill(_ fixes: [Fix], _ policy: GatePolicy) -> Double {
    let states = states(fixes, policy)[Int(policy.windowSeconds)...]
    return Double(states.filter { $0 == .still }.count) / Double(states.count)
  }

  /// Epochs of any ten seconds without a hole in which 5 m or more were made.
  static func walking(_ fixes: [Fix]) -> [Bool] {
    var marks = [Bool](repeating: false, count: fixes.count)
    for start in fixes.indices.dropLast(10) {
      let end = start + 10
      guard fixes[end].time.seconds(since: fixes[start].time) == 10,
        let from = fixes[start].coordinate, let to = fixes[end].coordinate,
        Geodesic.distanceMetres(from: from, to: to) >= 5
      else { continue }
      for index in start...end { marks[index] = true }
    }
    return marks
  }
}
