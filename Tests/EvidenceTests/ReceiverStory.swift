import Foundation
import Geodesy
import Positioning
import TestSupport
import TimeAndText

@testable import Evidence

/// A receiver's bytes, heard by the same pipeline that a field unit has, up to a shutter.
struct ReceiverStory {
  /// How the bytes are cut into reads.
  enum Cut: CaseIterable {
    case epochs
    case lines
    case anywhere
    case severalEpochs
  }

  /// What the shutter gives.
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
  /// Whether its sentences say that a simulator made them.
  var saysSimulated = false
  var cut = Cut.epochs
  /// Which sentences it sends in the given epoch; all of them where this is nil.
  var sends: (@Sendable (_ sentence: Substring, _ epoch: Int) -> Bool)?

  /// Waits for gate and samples, counts down, and exposes; nil when the gate never opens for long
  /// enough.
  func exposure(
    sampler: SamplerPolicy?, countdownSeconds: Double, gate: GatePolicy
  ) -> Exposure? {
    var random = SeededGenerator(seed: seed ^ 0xC0FFEE)
    // The camera is opened while the receiver has long been running.
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
          // What is left of this second may come with the first bytes of the next one.
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

  /// The simulator's sentences, those that are sent; as an honest receiver would say them unless
  /// the simulator's marks are to stay.
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
