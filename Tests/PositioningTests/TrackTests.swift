import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Tracks")
struct TrackTests {
  private func stream(hertz: Double) throws -> FixStream {
    var stream = FixStream(origin: try place(50, 14))
    stream.hertz = hertz
    return stream
  }

  private func points(_ fixes: [Fix]) -> [TrackPoint] {
    var recorder = TrackRecorder()
    return fixes.compactMap { recorder.accept($0) }
  }

  @Test("One point a second, however fast the receiver is", arguments: [1.0, 4, 5, 10, 25])
  func oneASecond(hertz: Double) throws {
    let points = points(try stream(hertz: hertz).fixes(seconds: 20) { (1.2 * $0, 0) })
    #expect(points.count == 20)
    for (earlier, later) in zip(points, points.dropFirst()) {
      #expect(later.time.seconds(since: earlier.time) == 1)
      #expect(later.gapBefore == nil)
    }
    #expect(points.first?.gapBefore == nil)
    #expect(points.first?.ellipsoidalHeightMetres == 100)
    #expect(points.first?.horizontalUncertaintyMetres95 == 5)
  }

  @Test("Corners are set by hand also while paused, and each hole is named")
  func corners() throws {
    let fixes = try stream(hertz: 1).fixes(seconds: 30) { (1.2 * $0, 0) }
    var recorder = TrackRecorder()
    #expect(recorder.accept(fixes[0])?.gapBefore == nil)
    recorder.pause()
    #expect(recorder.accept(fixes[1]) == nil)
    let first = recorder.vertex(at: fixes[10])
    let corner = try #require(first)
    #expect(corner.kind == .vertex)
    #expect(corner.coordinate == fixes[10].coordinate)
    #expect(corner.gapBefore == .paused)
    let second = recorder.vertex(at: fixes[20])
    #expect(second?.gapBefore == .paused)
    recorder.resume()
    #expect(recorder.accept(fixes[21])?.gapBefore == .paused, "it was paused until then")
    let third = recorder.vertex(at: fixes[21])
    #expect(third?.gapBefore == nil, "set within the second")
    var nowhere = fixes[22]
    nowhere.coordinate = nil
    let none = recorder.vertex(at: nowhere)
    #expect(none == nil)
    var sampler = CentroidSampler()
    for fix in fixes[3...22] { sampler.acceptUngated(fix) }
    let standpoint = try #require(sampler.standpoint())
    let centroid = recorder.vertex(at: standpoint, time: fixes[22].time)
    #expect(centroid.kind == .centroidVertex)
    #expect(centroid.coordinate == standpoint.coordinate)
    #expect(centroid.horizontalUncertaintyMetres95 == standpoint.uncertaintyMetres95)
  }

  @Test("A deleted point leaves a hole that is named so")
  func deleted() throws {
    let fixes = try stream(hertz: 1).fixes(seconds: 10) { (1.2 * $0, 0) }
    var recorder = TrackRecorder()
    var points: [TrackPoint] = []
    for fix in fixes[..<5] { if let point = recorder.accept(fix) { points.append(point) } }
    recorder.forgetLast(now: points[3])
    #expect(recorder.accept(fixes[5])?.gapBefore == .deleted)
    recorder.forgetLast(now: nil)
    #expect(recorder.accept(fixes[6])?.gapBefore == nil, "there is nothing before it")
  }

  @Test("Midnight is no gap")
  func midnight() throws {
    var stream = try stream(hertz: 5)
    stream.startMilliseconds = 86_395_000
    #expect(
      points(stream.fixes(seconds: 20) { _ in (0, 0) }).map(\.gapBefore)
        == Array(
          repeating: nil, count: 20))
  }

  @Test("A hole has its reason: no position, or silence; a second is no hole")
  func gaps() throws {
    var fixes = try stream(hertz: 1).fixes(seconds: 20) { _ in (0, 0) }
    for index in 5..<8 {
      fixes[index].coordinate = nil
      fixes[index].mode = .none
    }
    fixes.removeSubrange(12..<15)
    let points = points(fixes)
    #expect(points.count == 14)
    #expect(points.map(\.gapBefore).compactMap(\.self) == [.noFix, .silence])
    #expect(points[5].gapBefore == .noFix)
    let quick = try stream(hertz: 5).fixes(seconds: 4) { _ in (0, 0) }
    var recorder = TrackRecorder()
    var broken = quick
    broken[7].coordinate = nil
    #expect(broken.compactMap { recorder.accept($0) }.allSatisfy { $0.gapBefore == nil })
  }

  @Test("A pause takes no points and is named, however short it was")
  func pause() throws {
    let fixes = try stream(hertz: 1).fixes(seconds: 30) { _ in (0, 0) }
    var recorder = TrackRecorder()
    var points: [TrackPoint] = []
    for (index, fix) in fixes.enumerated() {
      if index == 5 { recorder.pause() }
      if index == 15 { recorder.resume() }
      if index == 20 {
        recorder.pause()
        recorder.resume()
      }
      if let point = recorder.accept(fix) { points.append(point) }
      #expect(recorder.isPaused == (5..<15).contains(index))
    }
    #expect(points.count == 20)
    #expect(points.map(\.gapBefore).compactMap(\.self) == [.paused, .paused])
    #expect(points[5].gapBefore == .paused)
    #expect(points[10].gapBefore == .paused)
  }

  @Test("Before the first point nothing is missing")
  func beforeFirst() throws {
    var recorder = TrackRecorder()
    recorder.pause()
    recorder.resume()
    #expect(recorder.accept(Fix(time: try time(0))) == nil)
    let fixes = try stream(hertz: 1).fixes(seconds: 1) { _ in (0, 0) }
    #expect(recorder.accept(try #require(fixes.first))?.gapBefore == nil)
  }

  @Test("After the program was stopped, the hole says so")
  func interrupted() throws {
    let fixes = try stream(hertz: 1).fixes(seconds: 10) { _ in (0, 0) }
    var recorder = TrackRecorder(continuingAfter: fixes[3].time)
    #expect(recorder.accept(fixes[3]) == nil)
    #expect(recorder.accept(fixes[7])?.gapBefore == .interrupted)
    #expect(recorder.accept(fixes[8])?.gapBefore == nil)
  }

  @Test("Time that goes back a little gives no point, by hours it begins anew and says so")
  func backwards() throws {
    let fixes = try stream(hertz: 1).fixes(seconds: 100) { _ in (0, 0) }
    var recorder = TrackRecorder()
    #expect(recorder.accept(fixes[70]) != nil)
    #expect(recorder.accept(fixes[60]) == nil)
    #expect(recorder.accept(fixes[5])?.gapBefore == .silence)
  }

  // MARK: measures

  private func square(
    at origin: Coordinate, metres: Double, uncertainty: Double? = 5, secondsApart: Int = 1,
    pointsASide: Int = 1
  ) throws -> [TrackPoint] {
    let plane = LocalPlane(origin: origin)
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)]
    var points: [TrackPoint] = []
    for side in 0..<4 {
      let (from, to) = (corners[side], corners[(side + 1) % 4])
      for step in 0..<pointsASide {
        let part = Double(step) / Double(pointsASide)
        points.append(
          TrackPoint(
            kind: .recorded, time: try time(points.count * secondsApart * 1000),
            coordinate: plane.coordinate(
              of: PlanePoint(
                eastMetres: metres * (from.0 + (to.0 - from.0) * part),
                northMetres: metres * (from.1 + (to.1 - from.1) * part))),
            horizontalUncertaintyMetres95: uncertainty))
      }
    }
    return points
  }

  @Test("A square of a hectare has a hectare, everywhere on Earth", arguments: placesOfTheWorld)
  func area(latitude: Double, longitude: Double) throws {
    let measures = TrackMeasures(
      try square(at: place(latitude, longitude), metres: 100, pointsASide: 10))
    let area = try #require(measures.areaSquareMetres)
    #expect(abs(area - 10_000) < 0.5, "\(area)")
    #expect(abs(measures.lengthMetres - 390) < 0.01)
    #expect(measures.durationSeconds == 39)
    #expect(measures.points == 40)
    let backwards = TrackMeasures(
      try square(at: place(latitude, longitude), metres: 100).reversed())
    #expect(abs((backwards.areaSquareMetres ?? 0) - 10_000) < 0.5)
  }

  @Test("Under three points there is no area, and without a point's uncertainty none of it")
  func fewPoints() throws {
    let all = try square(at: place(50, 14), metres: 100)
    for count in 0...2 {
      let measures = TrackMeasures(Array(all[..<count]))
      #expect(measures.areaSquareMetres == nil)
      #expect(measures.areaUncertaintySquareMetres95 == nil)
      #expect(measures.lengthMetres.isFinite)
    }
    #expect(TrackMeasures([]).durationSeconds == 0)
    #expect(TrackMeasures(Array(all[..<3])).areaSquareMetres != nil)
    var unknown = all
    unknown[2].horizontalUncertaintyMetres95 = nil
    #expect(TrackMeasures(unknown).areaUncertaintySquareMetres95 == nil)
    #expect(TrackMeasures(unknown).areaSquareMetres != nil)
  }

  @Test(
    "The area's uncertainty is what errors that wander make of it",
    arguments: [(1, 40), (1, 10), (10, 10), (60, 4), (600, 2)])
  func uncertainty(secondsApart: Int, pointsASide: Int) throws {
    let origin = try place(50, 14)
    let truth = try square(
      at: origin, metres: 120, secondsApart: secondsApart, pointsASide: pointsASide)
    let claimed = try #require(TrackMeasures(truth).areaUncertaintySquareMetres95)
    let plane = LocalPlane(origin: origin)
    let sigma = 5 / 2.448
    let keep = exp(-Double(secondsApart) / 60)
    var squares = 0.0
    let runs: UInt64 = 400
    forEachSeed(0..<runs) { _, generator in
      var error = (east: sigma * normal(&generator), north: sigma * normal(&generator))
      let fresh = sigma * (1 - keep * keep).squareRoot()
      let walked = truth.map { point in
        error = (
          error.east * keep + fresh * normal(&generator),
          error.north * keep + fresh * normal(&generator)
        )
        let here = plane.project(point.coordinate)
        var point = point
        point.coordinate = plane.coordinate(
          of: PlanePoint(
            eastMetres: here.eastMetres + error.east, northMetres: here.northMetres + error.north))
        return point
      }
      let area = TrackMeasures(walked).areaSquareMetres ?? 0
      squares += (area - 14_400) * (area - 14_400) / Double(runs)
    }
    let observed = 1.96 * squares.squareRoot()
    #expect(claimed < observed * 1.5 && observed < claimed * 1.5, "\(claimed) \(observed)")
  }
}
