import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// The proofs that a reviewer makes years later: the sealed bytes, from where the proof begins,
/// give the same standpoint.
@Suite("Proofs")
struct ProofStartTests {
  /// Receivers that differ in what they send, in which order, and how steadily.
  private enum Receiver: Int, CaseIterable {
    case usual, ggaAlone, rmcFirstGSALast, changing, torn, sparse, leading, leadingTorn

    func epoch(
      _ body: [[String]], _ index: Int, using generator: inout SeededGenerator
    ) -> [UInt8] {
      var sentences = body[index]
      func keep(_ kinds: String...) {
        sentences = sentences.filter { sentence in kinds.contains { sentence.contains($0) } }
      }
      switch self {
      case .usual: break
      case .ggaAlone: keep("GGA")
      case .rmcFirstGSALast:
        keep("RMC", "GGA", "GSA", "GSV")
        let gsa = sentences.filter { $0.contains("GSA") }
        sentences = sentences.filter { !$0.contains("GSA") } + gsa
      case .changing:
        if index / 13 % 2 == 1 { keep("GGA", "RMC", "GSV") }
        if index / 7 % 3 == 1 { sentences.reverse() }
      case .torn:
        if Int.random(in: 0..<9, using: &generator) == 0 {
          sentences.remove(at: Int.random(in: sentences.indices, using: &generator))
        }
      case .leading, .leadingTorn:
        // Dilutions that differ tell which epoch the leading GSA belongs to.
        let dilution = "0.\(60 + index * 17 % 40)"
        sentences = sentences.map { $0.replacingOccurrences(of: "0.90", with: dilution) }
        let untimed = sentences.filter { $0.contains("GSA") }
        sentences = untimed + sentences.filter { !untimed.contains($0) }
        if self == .leadingTorn, Int.random(in: 0..<9, using: &generator) == 0 {
          sentences.remove(at: Int.random(in: sentences.indices, using: &generator))
        }
      case .sparse:
        if index % 5 != 0 { keep("GGA", "GST") }
      }
      return sentences.flatMap { framed($0) }
    }
  }

  private func stream(
    _ receiver: Receiver, seed: UInt64, using generator: inout SeededGenerator
  ) throws -> [[UInt8]] {
    let (latitude, longitude) = placesOfTheWorld[Int(seed) % placesOfTheWorld.count]
    let epochs = walk(
      seed: seed, stands: [30, 55, 25, 70], at: try place(latitude, longitude))
    let bodies = epochs.map { epoch in
      String(decoding: epoch, as: UTF8.self).split(whereSeparator: \.isNewline).map {
        String($0.dropFirst().dropLast(3))
      }
    }
    return bodies.indices.map { receiver.epoch(bodies, $0, using: &generator) }
  }

  private struct Shot {
    var judged: JudgedFix
    var chunks: Int
    var cycleEnd: CycleEnd?
  }

  /// Runs a field unit's pipeline, begins samples anew at random, and returns every moment at which
  /// the shutter could have fallen.
  private func shots(
    _ chunks: [RawChunk], _ policy: SamplerPolicy, using generator: inout SeededGenerator
  ) -> [Shot] {
    var pipeline = PositioningPipeline(gate: simulatedGate, sampler: policy)
    var shots: [Shot] = []
    for (number, chunk) in chunks.enumerated() {
      if Int.random(in: 0..<max(1, chunks.count / 8), using: &generator) == 0 {
        pipeline.restartSamples()
      }
      var heard: [JudgedFix] = []
      pipeline.accept(chunk.bytes, at: chunk.arrival) { event in
        if case .fix(let judged) = event { heard.append(judged) }
      }
      // Events of one read come together: the shutter sees the last of them.
      if let judged = heard.last, judged.standpoint != nil {
        shots.append(Shot(judged: judged, chunks: number + 1, cycleEnd: pipeline.cycleEnd))
      }
    }
    return shots
  }

  @Test(
    "The bytes from where a proof begins give the same standpoint, whatever reads they came in",
    arguments: 0..<8)
  func recomputation(kind: Int) throws {
    let receiver = try #require(Receiver(rawValue: kind))
    var compared = 0
    try forEachSeed(0..<16) { seed, generator in
      let policy = try #require(
        SamplerPolicy(
          samples: [1, 5, 20][Int(seed % 3)],
          method: CentroidMethod.allCases[Int(seed / 3) % 3]))
      let epochs = try stream(receiver, seed: seed, using: &generator)
      let chunks = chunked(
        epochs, sizes: 1...[12, 60, 300, 2000][Int(seed % 4)], using: &generator)
      let shots = shots(chunks, policy, using: &generator)
      for _ in 0..<min(12, shots.count) {
        guard let shot = shots.randomElement(using: &generator) else { continue }
        let start = try #require(shot.judged.sampling, "seed \(seed)")
        let live = try #require(shot.judged.standpoint)
        var pipeline = PositioningPipeline(
          gate: simulatedGate, sampler: policy, leads: shot.cycleEnd?.leads ?? false,
          from: start.from,
          samplesFrom: start.firstStill)
        var again: JudgedFix?
        for chunk in chunks[start.firstChunk..<shot.chunks] {
          pipeline.accept(chunk.bytes, at: chunk.arrival) { event in
            if case .fix(let judged) = event, again?.fix.time != shot.judged.fix.time {
              again = judged
            }
          }
        }
        if again?.fix.time != shot.judged.fix.time, let last = chunks[..<shot.chunks].last {
          pipeline.finish(at: last.arrival) { event in
            if case .fix(let judged) = event, again?.fix.time != shot.judged.fix.time {
              again = judged
            }
          }
        }
        let here = "\(receiver) seed \(seed) at \(shot.judged.fix.time.timeOfDay)"
        #expect(again?.fix.time == shot.judged.fix.time, "\(here)")
        #expect(again?.verdict.state == .still, "\(here)")
        let standpoint = try #require(again?.standpoint, "\(here)")
        #expect(standpoint.samples == live.samples, "\(here)")
        #expect(standpoint.firstTime.timeOfDay == live.firstTime.timeOfDay, "\(here)")
        for (recomputed, original) in [
          (standpoint.coordinate, live.coordinate), (standpoint.mean, live.mean),
          (standpoint.median, live.median),
        ] {
          #expect(
            Geodesic.distanceMetres(from: recomputed, to: original) < 0.0001, "\(here)")
        }
        compared += 1
      }
    }
    #expect(compared >= 120, "\(receiver): \(compared)")
    print("\(receiver): \(compared) standpoints recomputed")
  }

  @Test("The window of a single fix is proven the same way")
  func windows() throws {
    try forEachSeed(0..<12) { seed, generator in
      let epochs = try stream(
        Receiver.allCases[Int(seed) % Receiver.allCases.count], seed: seed, using: &generator)
      let chunks = chunked(epochs, sizes: 1...200, using: &generator)
      var live = PositioningPipeline(gate: simulatedGate)
      var open: [(JudgedFix, Int, CycleEnd?)] = []
      for (number, chunk) in chunks.enumerated() {
        var heard: [JudgedFix] = []
        live.accept(chunk.bytes, at: chunk.arrival) { event in
          if case .fix(let judged) = event { heard.append(judged) }
        }
        if let judged = heard.last, judged.window != nil {
          open.append((judged, number + 1, live.cycleEnd))
        }
      }
      for _ in 0..<10 {
        guard let (judged, end, cycleEnd) = open.randomElement(using: &generator),
          let start = judged.window
        else { continue }
        var pipeline = PositioningPipeline(
          gate: simulatedGate, leads: cycleEnd?.leads ?? false, from: start.from,
          samplesFrom: start.firstStill)
        var heard: [JudgedFix] = []
        func take(_ event: PositioningEvent) {
          if case .fix(let judged) = event { heard.append(judged) }
        }
        for chunk in chunks[start.firstChunk..<end] {
          pipeline.accept(chunk.bytes, at: chunk.arrival, take)
        }
        pipeline.finish(at: chunks[end - 1].arrival, take)
        let again = heard.first { $0.fix.time.timeOfDay == judged.fix.time.timeOfDay }
        #expect(again?.fix.coordinate == judged.fix.coordinate, "seed \(seed)")
        #expect(again?.verdict.state == judged.verdict.state, "seed \(seed)")
        #expect(
          again?.verdict.statistics?.speedMetresPerSecond
            == judged.verdict.statistics?.speedMetresPerSecond, "seed \(seed)")
        #expect(heard.first?.fix.time.timeOfDay == start.from.timeOfDay, "seed \(seed)")
      }
    }
  }

  @Test("A proof begins a few epochs before its window, not at the beginning of the day")
  func bounded() throws {
    var generator = SeededGenerator(seed: 1)
    let epochs = try stream(.usual, seed: 3, using: &generator)
    let chunks = epochs.enumerated().map {
      RawChunk(arrival: ElapsedTime(milliseconds: Int64($0.offset) * 1000), bytes: $0.element)
    }
    var pipeline = PositioningPipeline(gate: simulatedGate)
    var windows = 0
    for (number, chunk) in chunks.enumerated() {
      pipeline.accept(chunk.bytes, at: chunk.arrival) { event in
        guard case .fix(let judged) = event, let window = judged.window else { return }
        windows += 1
        #expect(window.firstChunk >= number - 14)
      }
    }
    #expect(windows > 50)
  }
}
