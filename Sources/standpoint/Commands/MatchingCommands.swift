import ArgumentParser
import FieldUnit
import Foundation
import Inspection
import Matching
import Store

/// The worker that compares pictures: started by the program itself, never by people.
struct MatchPicturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match-pictures",
    abstract: "Compare the pictures that come in on standard input, for the program itself.",
    shouldDisplay: false)

  func run() { MatchingWorker.run() }
}

extension PhotoCommand {
  struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say how well one photo repeats another: place, attitude, picture.",
      discussion: """
        A and B are identifiers of photos on this device, their beginnings, or JPEG files; A is
        the earlier one. Of a file only the picture is compared: its place and attitude are in no
        record that this device holds.

        The displacement is the mean distance by which four marks of the earlier picture, at 20 and
        80 % of width and height, are moved in the later one, in per cent of the frame. It helps a
        reviewer and proves nothing. Pictures that share too little cannot be compared; that is an
        answer, too.
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The earlier photo: an identifier, its beginning, or a JPEG file.")
    var earlier: String
    @Argument(help: "The later photo.") var later: String

    private struct Picture {
      var digest: String
      var bytes: [UInt8]
      var stand: RepeatMeasure.Stand?
    }

    func run() async throws {
      let (one, other) = (try picture(earlier), try picture(later))
      // Nobody waits behind this one, so it gets more time than a page's.
      let matcher = PictureMatcher.ofThisProgram(patience: .init(comparison: .seconds(60)))
      let comparison = try await matcher.compare(
        PictureMatcher.Earlier(digest: one.digest, bytes: one.bytes), with: other.bytes)
      await matcher.end()
      var measure: RepeatMeasure?
      if let from = one.stand, let to = other.stand { measure = RepeatMeasure(from: from, to: to) }
      let lines = RepeatLines(measure: measure, comparison: comparison)
      if common.isJSON {
        Terminal.say(lines.json)
      } else {
        Terminal.say(lines.text)
      }
    }

    private func picture(_ named: String) throws -> Picture {
      if FileManager.default.fileExists(atPath: named) {
        guard let bytes = FileManager.default.contents(atPath: named) else {
          throw ExitStatus.explained(.badInput, "\(named) cannot be read")
        }
        return Picture(digest: named, bytes: [UInt8](bytes), stand: nil)
      }
      let unit = try data.unit()
      let photo = try unit.photo(try unit.photo(meant: named))
      return Picture(
        digest: photo.fileDigest,
        bytes: try DurableFile.read(unit.path(ofPhoto: photo.id)),
        stand: RepeatMeasure.Stand(of: photo))
    }
  }
}
