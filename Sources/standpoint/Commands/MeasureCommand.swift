import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Imagery
import Inspection
import Measures
import Office
import Receivers
import Telling
import TimeAndText

/// Measures the time that this machine needs for the work that has to be quick.
struct MeasureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measure how long sealing, previews and searching for similar photos take here.",
    discussion: """
      Use a release build. The floor is the least that sealing needs: SHA-256 of the picture, and
      one durable write of it. Nothing is kept.

      Example: standpoint measure --count 30
      """)

  @OptionGroup var common: CommonOptions
  @Option(help: "A JPEG to seal (default: a drawn picture of about 5 MB).") var image: String?
  @Option(help: "How many times, 1 to 1000.") var count = 30
  @Option(help: "The folder to write to: it chooses the disk to measure.") var folder: String?
  @Flag(help: "Keep the data directory, for example to verify it, and print its path.") var keep =
    false

  @Option(help: "Instead: how long the office searches for similar pictures among this many.")
  var similar: Int?

  @Option(help: "Instead: how long a look for photo points nearby takes among this many.")
  var nearby: Int?

  @Option(help: "Instead: how long previews of this many drawn photos of 12 megapixels take.")
  var thumbnails: Int?

  @Option(help: "Instead: how long this many composites of two drawn photos of 12 megapixels take.")
  var composites: Int?

  @Option(help: "Instead: how long sealing this many sets of 72 drawn frames takes.")
  var sets: Int?

  @Option(help: "Instead: how long a PDF of the photos (*.jpg) in this folder takes.")
  var pdf: String?

  @Option(
    help:
      "Instead: seal this many drawn photos of about 2 MB for the inspector who is signed in here, and send them."
  )
  var fill: Int?
  @OptionGroup var data: DataOptions

  func validate() throws {
    if let fill, !(1...100_000).contains(fill) {
      throw ValidationError("--fill must be 1 to 100000.")
    }
    if let similar, !(1...10_000_000).contains(similar) {
      throw ValidationError("--similar must be 1 to 10000000.")
    }
    if let nearby, !(1...10_000_000).contains(nearby) {
      throw ValidationError("--nearby must be 1 to 10000000.")
    }
    if let thumbnails, !(1...1000).contains(thumbnails) {
      throw ValidationError("--thumbnails must be 1 to 1000.")
    }
    if let composites, !(1...1000).contains(composites) {
      throw ValidationError("--composites must be 1 to 1000.")
    }
    if let sets, !(1...1000).contains(sets) {
      throw ValidationError("--sets must be 1 to 1000.")
    }
    guard (1...1000).contains(count) else { throw ValidationError("--count must be 1 to 1000.") }
  }

  func run() async throws {
    if let fill { return try send(fill) }
    if let pdf { return try document(URL(fileURLWithPath: pdf)) }
    if let composites { return try compose(composites) }
    let parent = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let place = parent.appendingPathComponent("standpoint-measure-\(UUID().uuidString)")
    defer { if !keep { try? FileManager.default.removeItem(at: place) } }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    if let sets { return try seal(sets: sets, in: place) }
    if let thumbnails { return try preview(thumbnails, in: place) }
    if let nearby { return try look(nearby, in: place) }
    if let similar {
      let result = try SimilarityMeasure.run(pictures: similar, folder: place)
      if common.isJSON {
        Terminal.say(
          .members([
            ("pictures", .integer(similar)), ("oneSeconds", .rounded(result.oneSeconds, 3)),
            ("twentySeconds", .rounded(result.twentySeconds, 3)), ("found", .integer(result.found)),
          ]))
      } else {
        Terminal.say(
          "similar pictures among \(similar): \(DecimalText.fixed(result.oneSeconds, places: 3)) s for"
            + " one, \(DecimalText.fixed(result.twentySeconds, places: 3)) s for a delivery of twenty;"
            + " found \(result.found)")
      }
      return
    }
    let frame: [UInt8]
    if let image {
      guard let data = FileManager.default.contents(atPath: image) else {
        throw FieldUnitError.unreadable(path: image, reason: "there is no such file")
      }
      frame = Array(data)
    } else {
      frame = try DemonstrationPicture.grainyJPEG(widthPixels: 4600, heightPixels: 3450, seed: 1)
    }
    let samples = try SealingMeasure.run(frame: frame, count: count, folder: place)
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] * 1000 }
    let sealing = median(samples.map(\.sealingSeconds))
    let floor = median(samples.map(\.floorSeconds))
    let looking = median(samples.map(\.lookingSeconds))
    if common.isJSON {
      Terminal.say(
        .members([
          ("bytes", .integer(frame.count)), ("sealingMilliseconds", .rounded(sealing, 3)),
          ("lookingMilliseconds", .rounded(looking, 3)), ("floorMilliseconds", .rounded(floor, 3)),
          ("ratio", .rounded(sealing / floor, 3)),
        ]))
    } else if keep {
      Terminal.say(place.path)
    } else {
      Terminal.say(
        "sealing \(DecimalText.fixed(Double(frame.count) / 1e6, places: 1)) MB:"
          + " \(DecimalText.fixed(sealing, places: 1)) ms,"
          + " \(DecimalText.fixed(sealing / floor, places: 2)) times the floor of"
          + " \(DecimalText.fixed(floor, places: 1)) ms; checking that it can be decoded:"
          + " \(DecimalText.fixed(looking, places: 1)) ms (medians of \(count))")
    }
  }

  /// Measures previews. With `--keep` the pictures stay, so that another program can be measured on them.
  private func preview(_ pictures: Int, in place: URL) throws {
    let samples = try ThumbnailMeasure.run(pictures: pictures, folder: place)
    let milliseconds = samples.map(\.seconds).sorted()[samples.count / 2] * 1000
    let bytes = samples.reduce(0) { $0 + $1.bytes } / samples.count
    let previewBytes = samples.reduce(0) { $0 + $1.previewBytes } / samples.count
    if common.isJSON {
      var members: [(String, JSONValue?)] = [
        ("pictures", .integer(samples.count)), ("bytes", .integer(bytes)),
        ("previewBytes", .integer(previewBytes)), ("milliseconds", .rounded(milliseconds, 3)),
      ]
      if keep { members.append(("folder", .string(place.path))) }
      Terminal.say(.members(members))
    } else {
      let size = DecimalText.fixed(Double(bytes) / 1e6, places: 1)
      let time = DecimalText.fixed(milliseconds, places: 1)
      Terminal.say(
        "a preview of a picture of 12 megapixels (\(size) MB): \(time) ms, \(previewBytes) bytes"
          + " (median of \(samples.count))")
      if keep { Terminal.say(place.path) }
    }
  }

  /// Measures looks for photo points nearby.
  private func look(_ points: Int, in place: URL) throws {
    let seconds = try NearbyMeasure.run(points: points, asked: 2000, folder: place)
    let (median, late) = (
      seconds[seconds.count / 2] * 1000, seconds[seconds.count * 99 / 100] * 1000
    )
    if common.isJSON {
      Terminal.say(
        .members([
          ("points", .integer(points)), ("medianMilliseconds", .rounded(median, 3)),
          ("p99Milliseconds", .rounded(late, 3)),
        ]))
    } else {
      Terminal.say(
        "photo points nearby among \(points): median \(DecimalText.fixed(median, places: 2)) ms, p99"
          + " \(DecimalText.fixed(late, places: 2)) ms")
    }
  }

  private func compose(_ count: Int) throws {
    let sample = try CompositeMeasure.run(count: count, at: MachineClock().deviceTime)
    let (median, slowest) = (sample.seconds[count / 2], sample.seconds[count - 1])
    if common.isJSON {
      Terminal.say(
        .members([
          ("composites", .integer(count)), ("medianSeconds", .rounded(median, 3)),
          ("slowestSeconds", .rounded(slowest, 3)),
          ("residentBytes", .integer(sample.residentBytes)),
        ]))
    } else {
      Terminal.say(
        "composites of two photos of 12 MP: median \(DecimalText.fixed(median, places: 2)) s, slowest"
          + " \(DecimalText.fixed(slowest, places: 2)) s (limit 1),"
          + " \(sample.residentBytes / 1_000_000) MB at most (limit 200)")
    }
  }

  /// Measures how long sealing sets takes.
  private func seal(sets: Int, in folder: URL) throws {
    let samples = try SetMeasure.run(count: sets, folder: folder)
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let (sealing, hashing) = (
      median(samples.map(\.sealingSeconds)), median(samples.map(\.hashingSeconds))
    )
    let deciding = median(samples.map(\.decidingSeconds))
    let bytes = samples.first?.bytes ?? 0
    if common.isJSON {
      Terminal.say(
        .members([
          ("sets", .integer(sets)), ("bytes", .integer(bytes)),
          ("sealingSeconds", .rounded(sealing, 4)), ("hashingSeconds", .rounded(hashing, 4)),
          ("decidingSeconds", .rounded(deciding, 7)),
        ]))
    } else {
      Terminal.say(
        "sets of 72 frames, \(bytes / 1_000_000) MB: sealed in \(DecimalText.fixed(sealing * 1000, places: 1)) ms, their hash"
          + " \(DecimalText.fixed(hashing * 1000, places: 1)) ms: \(DecimalText.fixed(sealing / hashing, places: 2)) times (limit 1.3);"
          + " deciding on a frame \(DecimalText.fixed(deciding * 1e6, places: 1)) µs (limit 1000)")
    }
  }

  /// Measures a task's PDF, which stays next to its pictures.
  private func document(_ folder: URL) throws {
    let sample = try DossierMeasure.run(folder: folder, at: MachineClock().deviceTime)
    if common.isJSON {
      Terminal.say(
        .members([
          ("pictures", .integer(sample.photos)), ("seconds", .rounded(sample.seconds, 3)),
          ("bytes", .integer(sample.bytes)), ("residentBytes", .integer(sample.residentBytes)),
          ("volumes", .array(sample.volumes.map { .string($0) })),
        ]))
    } else {
      let megabytes = DecimalText.fixed(Double(sample.bytes) / 1e6, places: 1)
      let memory = DecimalText.fixed(Double(sample.residentBytes) / 1e6, places: 0)
      Terminal.say(
        "a PDF of \(sample.photos) photos: \(DecimalText.fixed(sample.seconds, places: 2)) s,"
          + " \(megabytes) MB, at most \(memory) MB resident")
    }
  }

  /// Seals and sends drawn photos for measuring a delivery: a season's photos, all of them different.
  private func send(_ count: Int) throws {
    let unit = try data.unit()
    for number in 1...count {
      let frame = try DemonstrationPicture.grainyJPEG(
        widthPixels: 2900, heightPixels: 2175, seed: UInt64(number))
      let photos = try SealingMeasure.seal([frame], task: nil, in: unit)
      try unit.sendPhotos(photos.map(\.id))
      Terminal.progress("\(number) of \(count) photos sealed")
    }
    Terminal.endProgress()
  }
}
