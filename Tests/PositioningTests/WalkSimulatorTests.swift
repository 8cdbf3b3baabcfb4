import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("The simulated walk")
struct WalkSimulatorTests {
  private func simulator(
    seed: UInt64 = 7, at origin: Coordinate, start: String = "2024-06-10T11:59:00Z"
  ) throws -> WalkSimulator {
    WalkSimulator(
      origin: origin, start: try #require(DeviceTime(rfc3339: start)),
      legs: [
        .stand(seconds: 20),
        .walk(to: PlanePoint(eastMetres: 30, northMetres: 40), metresPerSecond: 1),
        .stand(seconds: 10),
      ], seed: seed)
  }

  @Test("The same seed gives the same bytes, another one others")
  func seeds() throws {
    let origin = try place(50, 14)
    let first = try simulator(at: origin)
    #expect(first.epochs() == first.epochs())
    #expect(try simulator(at: origin).epochs() == first.epochs())
    #expect(try simulator(seed: 8, at: origin).epochs() != first.epochs())
  }

  @Test(
    "Every checksum holds, and every epoch is a fix that says it is simulated",
    arguments: placesOfTheWorld)
  func sentences(latitude: Double, longitude: Double) throws {
    let simulator = try simulator(at: place(latitude, longitude))
    let bytes = simulator.epochs().flatMap(\.self)
    let counted = counts(bytes)
    #expect(counted.sentences > 0)
    #expect(counted.badChecksums == 0)
    #expect(counted.missingChecksums == 0)
    #expect(counted.otherBytes == 0)
    let all = fixes(bytes)
    #expect(all.count == 80)
    #expect(all.count == simulator.truePlaces.count)
    #expect(all.allSatisfy { $0.isSimulated && $0.mode == .threeDimensional })
  }

  @Test(
    "The places heard lie about the true ones, exactly where there is no noise",
    arguments: placesOfTheWorld)
  func places(latitude: Double, longitude: Double) throws {
    let origin = try place(latitude, longitude)
    let plane = LocalPlane(origin: origin)
    var simulator = try simulator(at: origin)
    for (noisy, limit) in [(true, 5.0), (false, 2e-4)] {
      if !noisy {
        simulator.slowSigmaMetres = 0
        simulator.fastSigmaMetres = 0
        simulator.whiteSigmaMetres = 0
      }
      for (fix, truth) in zip(fixes(simulator.epochs().flatMap(\.self)), simulator.truePlaces) {
        let heard = plane.project(try #require(fix.coordinate))
        #expect(
          hypot(
            heard.eastMetres - truth.eastMetres, heard.northMetres - truth.northMetres) < limit)
      }
    }
  }

  @Test("The walk goes at its speed and ends at its goal")
  func pace() throws {
    let places = try simulator(at: place(50, 14)).truePlaces
    #expect(places.count == 20 + 50 + 10)
    #expect(places.last == PlanePoint(eastMetres: 30, northMetres: 40))
    for (from, to) in zip(places[19..<69], places[20..<70]) {
      let step = hypot(to.eastMetres - from.eastMetres, to.northMetres - from.northMetres)
      #expect(abs(step - 1) < 1e-9)
    }
  }

  @Test("Dates are in it and run over midnight and the year's end")
  func dates() throws {
    let all = fixes(
      try simulator(at: place(50, 14), start: "2024-12-31T23:59:30Z").epochs().flatMap(\.self))
    #expect(all.first?.time.rfc3339 == "2024-12-31T23:59:30.000Z")
    #expect(all.last?.time.rfc3339 == "2025-01-01T00:00:49.000Z")
    for (earlier, later) in zip(all, all.dropFirst()) {
      #expect(later.time.seconds(since: earlier.time) == 1)
    }
  }

  @Test("The generator is SplitMix64")
  func generator() {
    // Reference values of Vigna's splitmix64.c for the seed 1234567.
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    #expect(generator.next() == 9_817_491_932_198_370_423)
  }
}
