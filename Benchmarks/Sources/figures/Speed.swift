import ArgumentParser
import Foundation
import Geodesy
import Positioning
import TimeAndText

/// Convex layers of growing sets.
struct Layers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time of all convex layers of random points, best of several runs.")

  func run() {
    print("| points | all layers | a point |")
    print("| --- | --- | --- |")
    for count in [20, 100, 500, 2000, 10_000, 50_000, 100_000, 200_000] {
      var generator = SeededGenerator(seed: UInt64(count))
      let points = (0..<count).map { _ in
        PlanePoint(
          eastMetres: Double.random(in: -10...10, using: &generator),
          northMetres: Double.random(in: -10...10, using: &generator))
      }
      var best = Double.infinity
      for _ in 0..<5 {
        let rounds = max(1, 20_000 / count)
        let taken = ContinuousClock().measure {
          for _ in 0..<rounds { precondition(!ConvexLayers.peel(points).isEmpty) }
        }
        best = min(best, taken / .seconds(1) / Double(rounds))
      }
      print(
        "| \(count) | \(cell(best * 1e6, places: 1)) µs |"
          + " \(cell(best / Double(count) * 1e9)) ns |")
    }
  }
}

/// A log to fixes, and nothing else.
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Decodes a log to fixes and counts them.")

  @Argument(help: "The log.") var log: String

  func run() throws {
    let file = open(log, O_RDONLY)
    guard file >= 0 else { throw ValidationError("\(log) cannot be read.") }
    defer { close(file) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { buffer.deallocate() }
    var decoder = FixDecoder()
    while true {
      let count = read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { break }
      let bytes = UnsafeRawBufferPointer(buffer)[..<count]
      decoder.accept(UnsafeRawBufferPointer(rebasing: bytes).assumingMemoryBound(to: UInt8.self)) {
        _ in
      }
    }
    decoder.finish { _ in }
    print("\(decoder.fixCount) fixes in \(decoder.counts.sentences) sentences")
  }
}

/// A long log of a simulated receiver.
struct WriteLog: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a log of at least so many bytes.")

  @Argument(help: "Where to.") var path: String
  @Option(help: "At least so many bytes.") var bytes = 200_000_000
  @Flag(help: "GGA and RMC alone, and no satellites.") var plain = false

  func run() throws {
    guard let origin = Coordinate(latitudeDegrees: 50.06, longitudeDegrees: 14.42) else { return }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw ValidationError("\(path) cannot be written.")
    }
    var written = 0
    var start = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
    var seed: UInt64 = 0
    while written < bytes {
      let walk = WalkSimulator(
        origin: origin, start: start, legs: [.stand(seconds: 3600)], seed: seed)
      var piece = Data(walk.epochs().joined())
      if plain {
        let lines = piece.split(separator: 0x0A).filter {
          $0.dropFirst(3).starts(with: "GGA".utf8) || $0.dropFirst(3).starts(with: "RMC".utf8)
        }
        piece = Data(lines.joined(separator: [0x0A])) + [0x0A]
      }
      try file.write(contentsOf: piece)
      written += piece.count
      seed += 1
      start = start.advanced(bySeconds: 3600)
    }
  }
}

/// For valgrind: what gate and sampler allocate once warm.
struct Allocations: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Gives gate and sampler so many fixes, for valgrind to count allocations.")

  @Argument(help: "How many fixes.") var count: Int

  func run() throws {
    // One hour, over and over: the fixes themselves shall cost the same however many are judged.
    let hour = SimulatedReceiver.all[0].fixes(
      [
        .stand(seconds: 600),
        .walk(to: PlanePoint(eastMetres: 600, northMetres: 0), metresPerSecond: 1),
        .stand(seconds: 2400),
      ], seed: 1
    ).fixes
    var gate = StandstillGate(policy: policy())
    var sampler = CentroidSampler()
    var still = 0
    for index in 0..<count {
      let fix = hour[index % hour.count]
      let verdict = gate.accept(fix)
      sampler.accept(fix, verdict: verdict)
      if verdict.state == .still { still += 1 }
      if sampler.isComplete { sampler.discard() }
    }
    print("\(still) of \(count) fixes still")
  }
}
