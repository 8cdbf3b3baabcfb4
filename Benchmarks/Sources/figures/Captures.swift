import ArgumentParser
import Foundation
import Geodesy
import Positioning
import TimeAndText

/// How long an inspector waits for a photo.
struct Captures: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "From each second of a stationary log: seconds to 20 samples and a 5 s countdown.")

  @Argument(help: "Stationary logs.") var logs: [String]

  func run() throws {
    print("| recording | begun | within 90 s | median | slowest |")
    print("| --- | --- | --- | --- | --- |")
    for log in logs {
      let all = try fixes(ofFile: log)
      let starts = 0..<max(0, all.count - 90)
      let seconds = starts.map { Self.seconds(all[$0...]) ?? .infinity }
      let share = Double(seconds.filter { $0 <= 90 }.count) / Double(seconds.count)
      let slowest = seconds.max() ?? .nan
      print(
        "| \((log as NSString).lastPathComponent) | \(seconds.count) times |"
          + " \(cell(share * 100, places: 1)) % | \(cell(median(seconds))) s |"
          + " \(slowest.isFinite ? cell(slowest) + " s" : "never") |")
    }
  }

  static func seconds(_ fixes: ArraySlice<Fix>) -> Double? {
    var gate = StandstillGate(policy: policy())
    var sampler = CentroidSampler()
    var complete: GNSSTime?
    guard let first = fixes.first else { return nil }
    for fix in fixes {
      let verdict = gate.accept(fix)
      sampler.accept(fix, verdict: verdict)
      guard sampler.isComplete else {
        complete = nil
        continue
      }
      let begun = complete ?? fix.time
      complete = begun
      if fix.time.seconds(since: begun) >= 5 { return fix.time.seconds(since: first.time) }
    }
    return nil
  }
}

/// Whether the stated radius is honest.
struct Radius: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "How often the stated 95 % radius holds the true place, on simulation.")

  @Option(help: "How many standpoints for each receiver and method.") var standpoints = 2000

  func run() throws {
    print(
      "| receiver | method | error, root mean square | stated radius, median | holds the truth |")
    print("| --- | --- | --- | --- | --- |")
    for receiver in SimulatedReceiver.all {
      for method in CentroidMethod.allCases {
        var held = 0
        var squares = 0.0
        var radii: [Double] = []
        for seed in 0..<UInt64(standpoints) {
          guard let (error, radius) = Self.one(receiver, method, seed: seed) else { continue }
          squares += error * error
          radii.append(radius)
          if error <= radius { held += 1 }
        }
        print(
          "| \(receiver.name) | \(method.rawValue) |"
            + " \(cell((squares / Double(radii.count)).squareRoot(), places: 2)) m |"
            + " \(cell(median(radii), places: 2)) m |"
            + " \(cell(100 * Double(held) / Double(radii.count), places: 1)) % of"
            + " \(radii.count) |")
      }
    }
  }

  private static func one(
    _ receiver: SimulatedReceiver, _ method: CentroidMethod, seed: UInt64
  ) -> (error: Double, radius: Double)? {
    let heard = receiver.fixes([.stand(seconds: 60)], seed: seed)
    var rules = SamplerPolicy()
    rules.method = method
    var gate = StandstillGate(policy: policy())
    var sampler = CentroidSampler(policy: rules)
    for fix in heard.fixes where !sampler.isComplete {
      sampler.accept(fix, verdict: gate.accept(fix))
    }
    guard sampler.isComplete, let standpoint = sampler.standpoint(),
      let radius = standpoint.uncertaintyMetres95,
      let origin = Coordinate(latitudeDegrees: 50.06, longitudeDegrees: 14.42)
    else { return nil }
    return (Geodesic.distanceMetres(from: origin, to: standpoint.coordinate), radius)
  }
}
