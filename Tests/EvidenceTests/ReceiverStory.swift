import Foundation
import Geodesy
import Positioning
import TestSupport
import TimeAndText

@testable import Evidence

/// The bytes of a receiver, read by the pipeline of a field unit, up to a shutter.
struct ReceiverStory {
  /// The cuts of the bytes into reads.
  enum Cut: CaseIterable {
    case epochs
    case lines
    case anywhere
    case severalEpochs
  }

  /// The state of the pipeline at the shutter.
  struct Exposure {
    var shutter: JudgedFix
    var start: ProofStart
    var chunks: [RawChunk]
    var cycleEnd: CycleEnd?
    var sky: [Satellite]
  }

  var origin: Coordinate
  var start: DeviceTime
  var seed: UInt64
  /// True if the sentences say that a simulator made them.
  var saysSimulated = false
  var cut = Cut.epochs
  /// A filter that is true for the sentences sent in an epoch; nil for all.
  var sends: (@Sendable (_ sentence: Substring, _ epoch: Int) -> Bool)?

  /// Waits for gate and samples, counts down, and exposes. Returns nil if the gate is not open long
  /// enough.
  func exposure(
    sampler: SamplerPolicy?, countdownSeconds: Double, gate: GatePolicy
  ) -> Exposure? {
    var random = SeededGenerator(seed: seed ^ 0xC0FFEE)
    // The camera opens after the receiver has run for some epochs.
    let opened = Int.random(in: 0...12, using: &random)
    var pipeline = PositioningPipeline(gate: gate)
    var ring: [RawChunk] = []
    var began: GNSSTime?
    for (epoch, chunk) in chunks(using: &random) {
      if epoch >= opened, began == nil, ring.count > 0, pipeline.sampler.policy != sampler {
        pipeline.use(sampler ?? SamplerPolicy())
      }
      ring.append(chunk)
      var shutter: JudgedFix?
      pipeline.accept(chunk.bytes, at: chunk.arrival) { event in
        guard case .fix(let judged) = event, epoch > opened, shutter == nil else { return }
        guard judged.verdict.state == .still, judged.samples >= sampler?.samples ?? 0 else {
          began = nil
          return
        }
        began = began ?? judged.fix.time
        if let began, judged.fix.time.seconds(since: began) >= countdownSeconds {
          shutter = judged
        }
      }
      guard let shutter else { continue }
      guard let start = sampler == nil ? shutter.window : shutter.sampling else { return nil }
      return Exposure(
        shutter: shutter, start: start, chunks: Array(ring[start.firstChunk...]),
        cycleEnd: pipeline.cycleEnd, sky: pipeline.sky)
    }
    return nil
  }

  private func chunks(
    using random: inout SeededGenerator
  ) -> [(epoch: Int, chunk: RawChunk)] {
    let walk = WalkSimulator(
      origin: origin, start: start, legs: [.stand(seconds: 240)], seed: seed)
    var result: [(Int, RawChunk)] = []
    var pending: [UInt8] = []
    for (epoch, bytes) in walk.epochs().enumerated() {
      let said = sentences(bytes, epoch)
      var pieces: [[UInt8]] = []
      switch cut {
      case .epochs: pieces = [said]
      case .lines: pieces = said.split(separator: 0x0A).map { Array($0) + [0x0A] }
      case .severalEpochs:
        pending += said
        guard epoch % 2 == 1 else { continue }
        pieces = [pending]
        pending = []
      case .anywhere:
        var rest = said[...]
        while !rest.isEmpty {
          let count = Int.random(in: 1...300, using: &random)
          // The rest of this second may come with the first bytes of the next one.
          if rest.count <= count, Bool.random(using: &random) { break }
          pieces.append(pending + rest.prefix(count))
          pending = []
          rest = rest.dropFirst(count)
        }
        pending += rest
      }
      for (index, piece) in pieces.enumerated() {
        let milliseconds = 86_400_000 + epoch * 1000 + 150 + index * 400 / pieces.count
        result.append(
          (epoch, RawChunk(arrival: ElapsedTime(milliseconds: Int64(milliseconds)), bytes: piece)))
      }
    }
    return result
  }

  /// Returns the simulator's sentences that `sends` accepts. The simulator's marks are removed
  /// unless `saysSimulated`.
  private func sentences(_ bytes: [UInt8], _ epoch: Int) -> [UInt8] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").flatMap { line -> [UInt8] in
      var body = String(line.dropFirst().prefix { $0 != "*" })
      if let sends, !sends(body.dropFirst(2).prefix(3), epoch) { return [] }
      if !saysSimulated {
        if body.hasPrefix("GNRMC"), body.hasSuffix(",S") { body = body.dropLast() + "A" }
        if body.hasPrefix("GNGGA") { body = body.replacing(",8,11,", with: ",1,11,") }
      }
      let sum = body.utf8.reduce(0, ^)
      let digits = String(sum, radix: 16, uppercase: true)
      return Array("$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n".utf8)
    }
  }
}
