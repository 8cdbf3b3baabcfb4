import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("The gate")
struct StandstillGateTests {
  private func stream(_ latitude: Double = 50, _ longitude: Double = 14) throws -> FixStream {
    FixStream(origin: try place(latitude, longitude))
  }

  private func verdicts(_ fixes: [Fix], _ policy: GatePolicy = GatePolicy()) -> [GateVerdict] {
    var gate = StandstillGate(policy: policy)
    return fixes.map { gate.accept($0) }
  }

  @Test(
    "A receiver at rest settles for the window and is then still, everywhere on Earth",
    arguments: placesOfTheWorld)
  func still(latitude: Double, longitude: Double) throws {
    var stream = try stream(latitude, longitude)
    for (hertz, first) in [(1.0, 8), (5, 40), (10, 80), (25, 200)] {
      stream.hertz = hertz
      let verdicts = verdicts(stream.fixes(seconds: 20) { _ in (0, 0) })
      #expect(verdicts.firstIndex { $0.state == .still } == first, "\(hertz) Hz")
      #expect(verdicts[..<first].allSatisfy { $0.state == .settling }, "\(hertz) Hz")
      #expect(verdicts[first...].allSatisfy { $0.state == .still && $0.reasons.isEmpty })
      #expect(verdicts[first - 1].reasons.first?.code == "window-filling")
    }
  }

  @Test(
    "A walk is never still, in any direction, with and without Doppler",
    arguments: placesOfTheWorld)
  func walking(latitude: Double, longitude: Double) throws {
    var stream = try stream(latitude, longitude)
    forEachSeed(0..<8) { seed, generator in
      let azimuth = Double.random(in: 0..<(2 * .pi), using: &generator)
      let speed = Double.random(in: 0.6...2, using: &generator)
      stream.saysSpeed = seed % 2 == 0
      stream.hertz = [1, 1, 5, 10][Int(seed % 4)]
      stream.noiseMetres = 0.15
      stream.noiseSeconds = 20
      let verdicts = verdicts(
        stream.fixes(seconds: 60, seed: seed) {
          (sin(azimuth) * speed * $0, cos(azimuth) * speed * $0)
        })
      #expect(!verdicts.contains { $0.state == .still }, "seed \(seed): \(speed) m/s")
      let moving = verdicts.filter { $0.state == .moving }.count
      #expect(Double(moving) > 0.8 * Double(verdicts.count), "seed \(seed): \(speed) m/s")
    }
  }

  @Test("a walker is told the speed from the first fixes on, and not only how long to stand")
  func walkerIsTold() throws {
    var stream = try stream()
    stream.saysSpeed = true
    let verdicts = verdicts(stream.fixes(seconds: 20) { (1.4 * $0, 0) })
    for verdict in verdicts.dropFirst() {
      #expect(verdict.reasons.first?.text.contains("m/s") == true, "\(verdict)")
    }
    stream.saysSpeed = false
    let silent = self.verdicts(stream.fixes(seconds: 20) { (1.4 * $0, 0) })
    #expect(silent[2...].allSatisfy { $0.reasons.first?.text.contains("m/s") == true })
  }

  @Test("The speed limit is a limit: just under it opens, just over it does not")
  func speedLimit() throws {
    var stream = try stream()
    stream.saysSpeed = false
    // The standard error of nine fixes a second apart and 6 cm: 2 · 0.06 / √60 = 0.0155 m/s.
    let margin = 1.645 * 2 * 0.06 / 60.0.squareRoot()
    for (speed, state) in [
      (0.20 - margin - 0.002, GateVerdict.State.still), (0.20 - margin + 0.002, .settling),
      (0.20 + margin - 0.002, .settling), (0.20 + margin + 0.002, .moving),
    ] {
      let last = verdicts(stream.fixes(seconds: 12) { (speed * $0, 0) }).last
      #expect(last?.state == state, "\(speed) m/s")
    }
  }

  @Test("The Doppler limit closes the gate on its own")
  func dopplerLimit() throws {
    let standing = try stream().fixes(seconds: 12) { _ in (0, 0) }
    for (speed, state) in [(0.5, GateVerdict.State.still), (0.501, .moving)] {
      let fixes = standing.map {
        var fix = $0
        fix.speedMetresPerSecond = speed
        return fix
      }
      #expect(verdicts(fixes).last?.state == state)
      #expect(verdicts(fixes).last?.statistics?.dopplerMetresPerSecond == speed)
    }
  }

  @Test("It opens within 10 s of stopping, and closes within 3 s of setting off at 1.3 m/s")
  func promptness() throws {
    var stream = try stream()
    forEachSeed(0..<40) { seed, generator in
      stream.saysSpeed = seed % 2 == 0
      stream.hertz = [1, 5, 10, 25][Int(seed / 2 % 4)]
      stream.noiseMetres = 0.08
      stream.noiseSeconds = 30
      let azimuth = Double.random(in: 0..<(2 * .pi), using: &generator)
      func way(_ time: Double) -> (east: Double, north: Double) {
        let metres = 1.3 * (min(time, 20) + max(0, time - 50))
        return (sin(azimuth) * metres, cos(azimuth) * metres)
      }
      let fixes = stream.fixes(seconds: 70, seed: seed, place: way)
      let verdicts = verdicts(fixes)
      func index(_ second: Double) -> Int { Int(second * stream.hertz) }
      #expect(!verdicts[..<index(20)].contains { $0.state == .still }, "seed \(seed)")
      let opening = verdicts[index(20)...].firstIndex { $0.state == .still }
      #expect((opening ?? .max) <= index(30), "seed \(seed): opened at \(opening ?? -1)")
      #expect(verdicts[index(53)].state == .moving, "seed \(seed)")
      #expect(!verdicts[index(53)...].contains { $0.state == .still }, "seed \(seed)")
    }
  }

  @Test("Each reason to refuse, on both sides of its limit, closes the gate at once")
  func refusals() throws {
    let fixes = try stream().fixes(seconds: 14) { _ in (0, 0) }
    func judge(_ policy: GatePolicy = GatePolicy(), _ change: (inout Fix) -> Void) -> [GateVerdict]
    {
      var all = fixes
      change(&all[10])
      return verdicts(all, policy)
    }
    func check(
      _ code: String?, _ policy: GatePolicy = GatePolicy(), _ change: (inout Fix) -> Void
    ) {
      let all = judge(policy, change)
      if let code {
        #expect(all[9].state == .still)
        #expect(all[10].state == .refused)
        #expect(all[10].reasons.map(\.code) == [code])
        #expect(all[11].state == .settling, "\(code): the window begins anew")
        #expect(all[10].reasons.allSatisfy { $0.text.count > 5 })
      } else {
        #expect(all[10].state == .still)
      }
    }
    check("no-fix") { $0.coordinate = nil }
    check("no-fix") { $0.mode = .none }
    check("no-fix") { $0.quality = .invalid }
    check("not-measured") { $0.quality = .manual }
    check("not-measured") { $0.quality = .estimated }
    check("two-dimensional") { $0.mode = .twoDimensional }
    check("simulated") { $0.quality = .simulated }
    check("dilution") { $0.horizontalDilution = 10.1 }
    check(nil) { $0.horizontalDilution = 10 }
    check("uncertain") { $0.horizontalUncertaintyMetres95 = 50.1 }
    check(nil) { $0.horizontalUncertaintyMetres95 = 50 }
    check(nil) {
      // gpsd makes its uncertainty up: the receiver's dilution decides.
      $0.horizontalUncertaintyMetres95 = 60
      $0.uncertaintySource = .gpsd
      $0.horizontalDilution = 2
    }
    check("uncertain") {
      // Without a dilution there is nothing else to go by.
      $0.horizontalUncertaintyMetres95 = 60
      $0.uncertaintySource = .gpsd
      $0.horizontalDilution = nil
    }
    check(nil) { $0.horizontalUncertaintyMetres95 = nil }
    var lax = GatePolicy()
    lax.allowsSimulated = true
    lax.requiresThreeDimensions = false
    check(nil, lax) { $0.quality = .simulated }
    check(nil, lax) { $0.mode = .twoDimensional }
  }

  @Test("A fix too old by elapsed time closes the gate, one at the limit does not")
  func stale() throws {
    var gate = StandstillGate()
    let fixes = try stream().fixes(seconds: 20) { _ in (0, 0) }
    for fix in fixes[..<10] { _ = gate.accept(fix) }
    #expect(gate.expire(ageSeconds: 2) == nil)
    #expect(gate.accept(fixes[10]).state == .still)
    let verdict = gate.expire(ageSeconds: 2.001)
    #expect(verdict?.state == .refused)
    #expect(verdict?.reasons.first?.code == "stale")
    #expect(gate.accept(fixes[11]).state == .settling)
  }

  @Test("A hole begins a new window, a shorter one does not, and nor does midnight")
  func gaps() throws {
    var fixes = try stream().fixes(seconds: 40) { _ in (0, 0) }
    fixes.removeSubrange(10..<11)
    #expect(verdicts(fixes)[8...].allSatisfy { $0.state == .still }, "2 s")
    fixes.removeSubrange(10..<11)
    #expect(verdicts(fixes)[10].state == .settling, "3 s")
    var midnight = try stream()
    midnight.startMilliseconds = 86_400_000 - 10_000
    #expect(
      verdicts(midnight.fixes(seconds: 30) { _ in (0, 0) })[8...].allSatisfy { $0.state == .still })
  }

  @Test("Time that runs backwards begins a new window")
  func backwards() throws {
    var fixes = try stream().fixes(seconds: 20) { _ in (0, 0) }
    fixes.swapAt(10, 11)
    let verdicts = verdicts(fixes)
    #expect(verdicts[9].state == .still)
    #expect(verdicts[11].state == .settling)
  }

  @Test("The same epoch told again changes nothing, unless it is told from elsewhere")
  func duplicates() throws {
    let fixes = try stream().fixes(seconds: 20) { _ in (0, 0) }
    let once = verdicts(fixes)
    let twice = verdicts(fixes.flatMap { [$0, $0] })
    for (index, verdict) in once.enumerated() {
      #expect(twice[2 * index] == verdict)
      #expect(twice[2 * index + 1] == verdict)
    }
    var elsewhere = fixes[15]
    elsewhere.coordinate = Coordinate(latitudeDegrees: 50.01, longitudeDegrees: 14)
    let moved = verdicts(fixes[...15] + [elsewhere])
    #expect(moved[15].state == .still)
    #expect(moved[16].state != .still)
  }

  @Test("Faster than 50 Hz each fix is judged all the same", arguments: [60.0, 100, 200])
  func fast(hertz: Double) throws {
    var stream = try stream()
    stream.hertz = hertz
    stream.saysSpeed = false
    let fixes = stream.fixes(seconds: 10) { _ in (0, 0) }
    let standing = verdicts(fixes)
    let opened = try #require(standing.firstIndex { $0.state == .still })
    #expect(standing[opened...].allSatisfy { $0.state == .still })
    #expect(standing.allSatisfy { ($0.statistics?.fixes ?? 0) <= 402 }, "thinned out")
    for offset in 1...8 {
      var all = fixes
      let index = fixes.count - offset
      all[index].coordinate = Coordinate(latitudeDegrees: 51, longitudeDegrees: 14)
      #expect(verdicts(all)[index].state != .still, "\(offset) before the last")
    }
  }

  @Test("Places that are equal by quantisation are still, not proof of perfection")
  func quantised() throws {
    let verdicts = verdicts(try stream().fixes(seconds: 10) { _ in (0, 0) })
    let upper = try #require(verdicts.last?.statistics?.speedUpperMetresPerSecond95)
    #expect(upper > 0.02)
  }

  @Test("A verdict depends on its window alone: begun at its first fix it comes out the same")
  func windowAlone() throws {
    var stream = try stream()
    stream.noiseMetres = 0.4
    stream.noiseSeconds = 25
    forEachSeed(0..<12) { seed, generator in
      stream.hertz = [1, 4, 10, 60][Int(seed % 4)]
      let pause = Double.random(in: 5...15, using: &generator)
      let fixes = stream.fixes(seconds: 40, seed: seed) { (1.2 * max(0, $0 - pause - 15), 0) }
        .filter { _ in Int.random(in: 0..<40, using: &generator) > 0 }
      let whole = verdicts(fixes)
      for _ in 0..<6 {
        let index = Int.random(in: 3..<fixes.count, using: &generator)
        guard let first = whole[index].statistics?.firstTime,
          let start = fixes.firstIndex(where: { $0.time == first })
        else { continue }
        #expect(verdicts(Array(fixes[start...index])).last == whole[index], "seed \(seed)")
      }
    }
  }

  @Test("Limits that make no sense stop nothing", arguments: [0, -1, 1e30, .infinity, .nan])
  func hostilePolicy(value: Double) throws {
    var policy = GatePolicy()
    policy.windowSeconds = value
    policy.shortWindowSeconds = value
    policy.maximumGapSeconds = value
    policy.speedLimitMetresPerSecond = value
    _ = verdicts(try stream().fixes(seconds: 10) { _ in (0, 0) }, policy)
  }
}
