import Benchmark
import Geodesy
import Positioning
import TimeAndText

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .cpuTotal, .throughput, .peakMemoryResident],
    warmupIterations: 2, maxDuration: .seconds(3), maxIterations: 2000)

  let log = walk(seconds: 20_000)
  Benchmark("decode \(log.count / 1_000_000) MB of sentences to fixes") { benchmark in
    for _ in benchmark.scaledIterations {
      var decoder = FixDecoder()
      var fixes = 0
      decoder.accept(log) { if case .fix = $0 { fixes += 1 } }
      blackHole(fixes)
    }
  }

  let fixes = fixes(of: log)
  Benchmark("gate \(fixes.count) fixes") { benchmark in
    for _ in benchmark.scaledIterations {
      var gate = StandstillGate(policy: simulated)
      for fix in fixes { blackHole(gate.accept(fix)) }
    }
  }

  Benchmark("a standpoint of 20 samples", configuration: .init(scalingFactor: .kilo)) { benchmark in
    var sampler = CentroidSampler()
    for fix in fixes.prefix(20) { sampler.acceptUngated(fix) }
    for _ in benchmark.scaledIterations { blackHole(sampler.standpoint()) }
  }

  for (count, factor) in [
    (20, BenchmarkScalingFactor.kilo), (500, .one), (10_000, .one), (100_000, .one),
  ] {
    let points = cloud(count)
    Benchmark("all layers of \(count) points", configuration: .init(scalingFactor: factor)) {
      benchmark in
      for _ in benchmark.scaledIterations { blackHole(ConvexLayers.peel(points)) }
    }
  }
}

private let simulated: GatePolicy = {
  var policy = GatePolicy()
  policy.allowsSimulated = true
  return policy
}()

private func walk(seconds: Int) -> [UInt8] {
  guard let origin = Coordinate(latitudeDegrees: 50, longitudeDegrees: 14.4) else { return [] }
  return WalkSimulator(
    origin: origin, start: DeviceTime(millisecondsSince1970: 1_780_000_000_000),
    legs: [.stand(seconds: seconds)], seed: 1
  ).epochs().flatMap { $0 }
}

private func fixes(of log: [UInt8]) -> [Fix] {
  var decoder = FixDecoder()
  var fixes: [Fix] = []
  decoder.accept(log) { if case .fix(let fix) = $0 { fixes.append(fix) } }
  return fixes
}

private func cloud(_ count: Int) -> [PlanePoint] {
  var generator = SeededGenerator(seed: UInt64(count))
  return (0..<count).map { _ in
    PlanePoint(
      eastMetres: Double.random(in: -10...10, using: &generator),
      northMetres: Double.random(in: -10...10, using: &generator))
  }
}
