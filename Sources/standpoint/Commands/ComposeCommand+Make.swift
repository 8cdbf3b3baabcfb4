import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Imagery
import Store

extension ComposeCommand {
  /// Makes a composite.
  struct Make: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "make", abstract: "Make a composite; `make` may be left out.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The earlier photo, which is laid over the later one.") var old: String
    @Argument(help: "The later photo.") var new: String
    @Option(name: [.customShort("o"), .long], help: "The JPEG to write.") var output: String
    @Option(help: "The window's shape: ellipse or rectangle.") var shape = "rectangle"
    @Option(help: "The window's left and upper side, width and height: X,Y,W,H.")
    var window: String?
    @Option(parsing: .unconditional, help: "The window's turn about its centre, degrees.")
    var angle = 0.0
    @Option(help: "How softly the edges fade, 0 (hard) to 1.") var softness = 0.0
    @Option(help: "How much of the photo below shines through, 0 to 1.") var transparency = 0.0
    @Flag(help: "Lay the new photo over the old one instead.") var swap = false
    @Option(help: "The part of the result to keep: X,Y,W,H.") var crop: String?
    @Option(
      parsing: .unconditional,
      help: "The photo above: the place of its centre, its scale and turn: X,Y,SCALE,ANGLE."
    ) var place: String?
    @Flag(help: "Also keep it on this device.") var keep = false

    func run() async throws {
      let unit = try data.unit()
      var (above, below) = (try source(old, unit), try source(new, unit))
      if swap { (above, below) = (below, above) }
      let plan = try plan(below: below, above: above)
      let made: (record: CompositeRecord, file: [UInt8])
      do {
        made = try unit.composites.made(nil, plan, below: below, above: above)
      } catch let problem as CompositeProblem {
        throw ExitStatus.explained(.badInput, "\(problem.wording)")
      }
      try ComposeCommand.write(made.file, to: output)
      if keep { try unit.composites.keep(made.record, file: made.file) }
      ComposeCommand.say(made.record, common)
    }

    private func source(_ named: String, _ unit: InspectorUnit) throws -> CompositeSource {
      do {
        guard FileManager.default.fileExists(atPath: named) else {
          return try unit.composites.source(try unit.photo(meant: named))
        }
        return try CompositeSource(sealed: try DurableFile.read(named))
      } catch let problem as CompositeProblem {
        throw ExitStatus.explained(.badInput, "\(named): \(problem.wording)")
      } catch let error as ImageryError {
        throw ExitStatus.explained(.badInput, "\(named) cannot be used: \(error)")
      }
    }

    private func plan(below: CompositeSource, above: CompositeSource) throws -> CompositePlan {
      guard let shape = CompositePlan.Shape(rawValue: shape) else {
        throw ExitStatus.explained(.badInput, "--shape must be ellipse or rectangle, not \(shape)")
      }
      let (base, upper) = (try below.size, try above.size)
      var plan = CompositePlan(
        layingWidth: upper.width, height: upper.height, overWidth: base.width, height: base.height,
        shape)
      if let window {
        let sides = try numbers(window, 4, "--window must be X,Y,W,H")
        plan.window.centreX = sides[0] + sides[2] / 2
        plan.window.centreY = sides[1] + sides[3] / 2
        (plan.window.halfWidth, plan.window.halfHeight) = (sides[2] / 2, sides[3] / 2)
      }
      plan.window.angleDegrees = angle
      (plan.softness, plan.transparency) = (softness, transparency)
      if let place {
        let given = try numbers(place, 4, "--place must be X,Y,SCALE,ANGLE")
        plan.placement = .byHand(
          centreX: given[0], centreY: given[1], scale: given[2], angleDegrees: given[3])
      }
      if let crop {
        let sides = try numbers(crop, 4, "--crop must be X,Y,W,H in whole pixels").map {
          Int(exactly: $0)
        }
        guard let x = sides[0], let y = sides[1], let width = sides[2], let height = sides[3]
        else { throw ExitStatus.explained(.badInput, "--crop must be X,Y,W,H in whole pixels") }
        plan.crop = CompositePlan.Crop(x: x, y: y, width: width, height: height)
      }
      return plan
    }

    private func numbers(_ text: String, _ count: Int, _ rule: String) throws -> [Double] {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        .compactMap { Double($0) }
      guard numbers.count == count, text.split(separator: ",").count == count,
        numbers.allSatisfy(\.isFinite)
      else { throw ExitStatus.explained(.badInput, "\(rule): \"\(text)\" is not that") }
      return numbers
    }
  }
}
