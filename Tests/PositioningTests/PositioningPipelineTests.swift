import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// Cuts bytes as a receiver's driver hands them over: pieces of random size, each with its arrival.
func chunked(
  _ epochs: [[UInt8]], sizes: ClosedRange<Int>, using generator: inout SeededGenerator
) -> [RawChunk] {
  var chunks: [RawChunk] = []
  for (second, epoch) in epochs.enumerated() {
    var start = 0
    var milliseconds = Int64(second) * 1000
    while start < epoch.count {
      let end = min(epoch.count, start + Int.random(in: sizes, using: &generator))
      chunks.append(
        RawChunk(
          arrival: ElapsedTime(milliseconds: milliseconds), bytes: Array(epoch[start..<end])))
      milliseconds = min(Int64(second) * 1000 + 900, milliseconds + 3)
      start = end
    }
  }
  return chunks
}

/// Returns the epochs of a walk with stops.
func walk(seed: UInt64, stands: [Int] = [40, 60], at origin: Coordinate) -> [[UInt8]] {
  var legs: [WalkSimulator.Leg] = []
  for (number, seconds) in stands.enumerated() {
    legs.append(
      .walk(
        to: PlanePoint(eastMetres: Double(number + 1) * 15, northMetres: Double(number % 2) * 9),
        metresPerSecond: 1.3))
    legs.append(.stand(seconds: seconds))
  }
  return WalkSimulator(
    origin: origin, start: DeviceTime(millisecondsSince1970: 1_718_000_000_000), legs: legs,
    seed: seed
  ).epochs()
}

/// The gate that lets a simulator's fixes in.
var simulatedGate: GatePolicy {
  var policy = GatePolicy()
  policy.allowsSimulated = true
  return policy
}

@Suite("From bytes to standpoints")
struct PositioningPipelineTests {
  private func judged(
    _ chunks: [RawChunk], _ sampler: SamplerPolicy = SamplerPolicy()
  ) -> [JudgedFix] {
    var pipeline = PositioningPipeline(gate: simulatedGate, sampler: sampler)
    var judged: [JudgedFix] = []
    func take(_ event: PositioningEvent) { if case .fix(let fix) = event { judged.append(fix) } }
    for chunk in chunks { pipeline.accept(chunk.bytes, at: chunk.arrival, take) }
    if let last = chunks.last { pipeline.finish(at: last.arrival, take) }
    return judged
  }

  @Test("The same bytes in other reads give the same judged fixes", arguments: placesOfTheWorld)
  func chunking(latitude: Double, longitude: Double) throws {
    let epochs = walk(seed: 5, at: try place(latitude, longitude))
    let whole = judged(
      epochs.enumerated().map {
        RawChunk(arrival: ElapsedTime(milliseconds: Int64($0.offset) * 1000), bytes: $0.element)
      })
    #expect(whole.contains { $0.verdict.state == .still })
    #expect(whole.contains { $0.verdict.state == .moving })
    #expect(whole.contains { $0.standpoint != nil })
    forEachSeed(0..<12) { seed, generator in
      let other = judged(
        chunked(epochs, sizes: 1...[5, 40, 300, 900][Int(seed % 4)], using: &generator))
      #expect(other.map(\.fix) == whole.map(\.fix), "seed \(seed)")
      #expect(other.map(\.verdict) == whole.map(\.verdict), "seed \(seed)")
      #expect(other.map(\.samples) == whole.map(\.samples), "seed \(seed)")
      #expect(other.map(\.standpoint) == whole.map(\.standpoint), "seed \(seed)")
      #expect(other.map(\.window?.from) == whole.map(\.window?.from), "seed \(seed)")
    }
  }

  @Test("Without leave a simulator's walk gives no sample")
  func simulatedRefused() throws {
    var pipeline = PositioningPipeline()
    var codes: Set<String> = []
    for epoch in walk(seed: 1, at: try place(50, 14)) {
      pipeline.accept(epoch, at: ElapsedTime(milliseconds: 0)) { event in
        if case .fix(let judged) = event { codes.formUnion(judged.verdict.reasons.map(\.code)) }
      }
    }
    #expect(codes == ["simulated"])
    #expect(pipeline.sampler.count == 0)
  }

  @Test("Silence closes the gate once, forgets the samples, and ends with the next fix")
  func silence() throws {
    let epochs = walk(seed: 5, stands: [40], at: try place(50, 14))
    var pipeline = PositioningPipeline(gate: simulatedGate)
    var silences = 0
    var fixes: [JudgedFix] = []
    func take(_ event: PositioningEvent) {
      switch event {
      case .fix(let judged): fixes.append(judged)
      case .silence(let verdict):
        silences += 1
        #expect(verdict.state == .refused)
        #expect(verdict.reasons.first?.code == "stale")
      case .gpsd: break
      }
    }
    pipeline.notice(ElapsedTime(milliseconds: 100_000), take)
    #expect(silences == 0, "before the first fix there is nothing to be old")
    for (second, epoch) in epochs.prefix(40).enumerated() {
      pipeline.accept(epoch, at: ElapsedTime(milliseconds: Int64(second) * 1000), take)
    }
    #expect(pipeline.sampler.count > 0)
    #expect(fixes.last?.sampling != nil)
    let last = fixes.last?.arrival ?? ElapsedTime(milliseconds: 0)
    pipeline.notice(last.advanced(bySeconds: 2), take)
    #expect(silences == 0)
    pipeline.notice(last.advanced(bySeconds: 2.001), take)
    pipeline.notice(last.advanced(bySeconds: 9), take)
    #expect(silences == 1)
    #expect(pipeline.sampler.count == 0)
    pipeline.accept(epochs[40], at: last.advanced(bySeconds: 10), take)
    #expect(silences == 1)
    #expect(fixes.last?.verdict.state == .settling)
    #expect(fixes.last?.sampling == nil)
    #expect(fixes.last?.standpoint == nil)
    pipeline.notice(last.advanced(bySeconds: 13), take)
    #expect(silences == 2)
  }

  @Test("Fixes before `from` are passed over, samples are not taken before `samplesFrom`")
  func from() throws {
    let epochs = walk(seed: 5, stands: [60], at: try place(50, 14))
    let whole = judged(
      epochs.map { RawChunk(arrival: ElapsedTime(milliseconds: 0), bytes: $0) })
    let from = try #require(whole.dropFirst(20).first?.fix.time)
    let samplesFrom = try #require(whole.dropFirst(40).first?.fix.time)
    var pipeline = PositioningPipeline(
      gate: simulatedGate, from: from, samplesFrom: samplesFrom)
    var heard: [JudgedFix] = []
    for epoch in epochs {
      pipeline.accept(epoch, at: ElapsedTime(milliseconds: 0)) { event in
        if case .fix(let judged) = event { heard.append(judged) }
      }
    }
    #expect(heard.first?.fix.time == from)
    #expect(heard.first { $0.samples > 0 }?.fix.time == samplesFrom)
    #expect(heard.contains { $0.samples == 0 && $0.verdict.state == .still })
  }

  @Test("Samples begun anew give a new standpoint, even a single one after 300 s")
  func anew() throws {
    let epochs = walk(seed: 5, stands: [400], at: try place(50, 14))
    let one = try #require(SamplerPolicy(samples: 1))
    let all = judged(
      epochs.map { RawChunk(arrival: ElapsedTime(milliseconds: 0), bytes: $0) }, one)
    let open = all.filter { $0.standpoint != nil }
    let first = try #require(open.first?.standpoint?.firstTime)
    let last = try #require(open.last?.standpoint?.firstTime)
    #expect(last.seconds(since: first) == 301)
    for judged in open {
      #expect(judged.sampling?.firstStill == judged.standpoint?.firstTime)
    }
  }

  @Test("Where no line ever ends a proof is as short, and a log is cut at its epochs")
  func noLineEnds() throws {
    let epochs = walk(seed: 2, at: try place(50, 14)).map { $0.filter { $0 != 10 && $0 != 13 } }
    var pipeline = PositioningPipeline(gate: simulatedGate)
    var windows = 0
    for (number, epoch) in epochs.enumerated() {
      let arrival = ElapsedTime(milliseconds: Int64(number) * 1000)
      pipeline.accept(epoch, at: arrival) { event in
        guard case .fix(let judged) = event, let window = judged.window else { return }
        windows += 1
        #expect(window.firstChunk >= number - 14)
      }
    }
    #expect(windows > 30)
    for end in [[], [13], [10], [13, 10]] as [[UInt8]] {
      let log = epochs.flatMap { epoch in
        epoch.split(separator: UInt8(ascii: "$")).flatMap { [UInt8(ascii: "$")] + $0 + end }
      }
      let timeline = LogTimeline(log)
      #expect(timeline.pieces.count == epochs.count, "\(end)")
      #expect(timeline.pieces.flatMap(\.bytes) == log)
      #expect(timeline.fixCount == epochs.count)
    }
  }

  @Test("When a receiver turns out to lead with what has no time, the judging begins anew")
  func leading() throws {
    let epochs = walk(seed: 3, stands: [200], at: try place(50, 14)).enumerated().map {
      index, epoch in
      let sentences = String(decoding: epoch, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map { String($0.dropFirst().dropLast(3)) }
        .filter { $0.contains("RMC") || $0.contains("GGA") || $0.contains("GSA") }
      // The dilution stays the same for a minute: the order can be told only after that.
      let dilution = index < 60 ? "0.90" : "0.\(60 + index * 17 % 40)"
      return framed(
        (sentences.filter { $0.contains("GSA") } + sentences.filter { !$0.contains("GSA") })
          .map { $0.replacingOccurrences(of: "0.90", with: dilution) })
    }
    var pipeline = PositioningPipeline(gate: simulatedGate)
    var open: [Bool] = []
    for (number, epoch) in epochs.enumerated() {
      let arrival = ElapsedTime(milliseconds: Int64(number) * 1000)
      pipeline.accept(epoch, at: arrival) { event in
        guard case .fix(let judged) = event else { return }
        open.append(judged.verdict.state == .still)
        #expect(judged.verdict.state != .still || judged.window != nil)
        #expect(judged.samples == 0 || judged.sampling != nil)
      }
    }
    #expect(open[55])
    #expect(open[60..<80].contains(false))
    #expect(open[80...].allSatisfy { $0 })
    #expect(pipeline.cycleEnd?.text == "GNGGA/1>")
  }

  @Test(
    "What a broken connection leaves unfinished is as old as its bytes, and closes nothing anew")
  func lateEnd() throws {
    let epochs = walk(seed: 4, stands: [40], at: try place(50, 14)).suffix(30)
    var pipeline = PositioningPipeline(gate: simulatedGate)
    var last: JudgedFix?
    var silences = 0
    func take(_ event: PositioningEvent) {
      switch event {
      case .fix(let judged): last = judged
      case .silence: silences += 1
      case .gpsd: break
      }
    }
    for (second, epoch) in epochs.enumerated() {
      // Only the first sentence of the last epoch comes.
      let bytes = second == 29 ? Array(epoch.prefix { $0 != 10 }) + [10] : epoch
      pipeline.accept(bytes, at: ElapsedTime(milliseconds: Int64(second) * 1000), take)
    }
    #expect(last?.verdict.state == .still)
    pipeline.notice(ElapsedTime(milliseconds: 32_000), take)
    #expect(silences == 1)
    pipeline.finish(at: ElapsedTime(milliseconds: 44_000), take)
    #expect(last?.arrival.milliseconds == 29_000, "not of the moment at which the loss was noticed")
    #expect(silences == 2, "it is silence again at once")
    #expect(pipeline.sampler.count == 0)
  }
}
