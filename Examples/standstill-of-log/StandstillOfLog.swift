// When did the receiver of a recorded log stand still, and where?
import Foundation
import Geodesy
import Positioning
import Receivers
import TimeAndText

@main
struct StandstillOfLog {
  static func main() throws {
    let log = try LogFile.timeline(path: CommandLine.arguments.dropFirst().first ?? "walk.nmea")
    var pipeline = PositioningPipeline(sampler: SamplerPolicy(samples: 20) ?? SamplerPolicy())
    var last: Standpoint?
    for piece in log.pieces {
      let arrival = ElapsedTime(milliseconds: Int64(piece.seconds * 1000))
      pipeline.accept(piece.bytes, at: arrival) { event in
        guard case .fix(let judged) = event, let standpoint = judged.standpoint,
          standpoint != last
        else { return }
        last = standpoint
        let place = standpoint.coordinate
        print(judged.fix.time.timeOfDay, place.latitudeDegrees, place.longitudeDegrees)
      }
    }
  }
}
