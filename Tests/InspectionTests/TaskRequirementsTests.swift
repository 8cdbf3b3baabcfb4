import Geodesy
import Inspection
import Testing
import TimeAndText

@Suite("What a task lacks before it can be sent")
struct TaskRequirementsTests {
  private static let all = TaskRequirements(photos: 2, note: true, track: true)

  @Test("each thing is named that a task lacks, and none of those that it has")
  func missing() {
    #expect(
      Self.all.missing(in: TaskContents(photos: 1, tracks: 0, unfinishedTracks: 0), note: " \n")
        == [.photos(have: 1, need: 2), .note, .track])
    #expect(
      Self.all.missing(in: TaskContents(photos: 2, tracks: 1, unfinishedTracks: 0), note: "barley")
        .isEmpty)
    #expect(
      TaskRequirements.none.missing(
        in: TaskContents(photos: 0, tracks: 0, unfinishedTracks: 0), note: nil
      ).isEmpty)
  }

  @Test("a track without an end keeps every task from being sent, whatever its type needs")
  func unfinished() {
    #expect(
      TaskRequirements.none.missing(
        in: TaskContents(photos: 0, tracks: 3, unfinishedTracks: 1), note: nil)
        == [.endOfTrack])
    #expect(
      Self.all.missing(in: TaskContents(photos: 2, tracks: 0, unfinishedTracks: 1), note: "barley")
        == [.track, .endOfTrack])
  }

  @Test("a set counts if it is complete, of the kind that is needed, and has sectors enough")
  func sets() throws {
    var needed = TaskRequirements.none
    let (around, turn) = (
      NeededSet(kind: .around, sectors: 24),
      NeededSet(kind: .turn, sectors: 8)
    )
    needed.sets = [around, turn]
    let time = DeviceTime(millisecondsSince1970: 1_778_000_000_000)
    let place = try #require(Coordinate(latitudeDegrees: 50, longitudeDegrees: 14))
    func head(_ kind: FrameSetKind, _ sectors: Int, isComplete: Bool = true) -> FrameSetHead {
      FrameSetHead(
        id: Identifier(at: time), task: nil, kind: kind, started: time, ended: time, place: place,
        sectors: sectors, filled: sectors, isComplete: isComplete, isSimulated: false)
    }
    func missing(_ sets: [FrameSetHead]) -> [TaskRequirements.Missing] {
      needed.missing(
        in: TaskContents(photos: 0, tracks: 0, unfinishedTracks: 0, sets: sets), note: nil)
    }
    #expect(missing([]) == [.set(around), .set(turn)])
    #expect(missing([head(.around, 72), head(.turn, 12)]).isEmpty)
    #expect(missing([head(.around, 23), head(.turn, 8)]) == [.set(around)])
    #expect(missing([head(.around, 24, isComplete: false), head(.turn, 4)]).count == 2)
    #expect(needed.lacksSet(among: [head(.around, 24)]))
    #expect(!needed.lacksSet(among: [head(.around, 24), head(.turn, 8)]))
  }

  @Test("an order adds its sets to those that the type needs; of two of a kind the larger counts")
  func ordered() throws {
    var rules = CaptureRules()
    func needed(_ around: Int?, _ turn: Int?) throws -> [NeededSet] {
      var task = InspectionTask(
        id: Identifier(at: DeviceTime(millisecondsSince1970: 0)), agency: "example",
        inspector: "ada", name: "Heap", created: DeviceTime(millisecondsSince1970: 0))
      task.sets = try OrderedSets(aroundSectors: around, turnViews: turn)
      return rules.requirements(of: task).sets
    }
    let (walk, turn) = (
      NeededSet(kind: .around, sectors: 36), NeededSet(kind: .turn, sectors: 8)
    )
    #expect(try needed(nil, nil).isEmpty)
    #expect(try needed(36, 8) == [walk, turn])
    #expect(try needed(nil, 8) == [turn])
    rules[.aroundSectors] = .number(36)
    rules[.turnViews] = .number(4)
    #expect(try needed(nil, 8) == [walk, turn])
    #expect(try needed(24, 8) == [walk, turn])
    #expect(try needed(72, nil).map(\.sectors) == [72, 4])
  }

  @Test("an order asks for no set that its kind cannot have")
  func impossible() throws {
    for sectors in [-1, 0, 3, 121, 10_000] {
      #expect(throws: FrameSetRefusal.sectors(sectors, kind: .around)) {
        try OrderedSets(aroundSectors: sectors, turnViews: nil)
      }
    }
    for views in [0, 1, 5, 16] {
      #expect(throws: FrameSetRefusal.sectors(views, kind: .turn)) {
        try OrderedSets(aroundSectors: 72, turnViews: views)
      }
    }
    let both = try OrderedSets(aroundSectors: 4, turnViews: 12)
    #expect(try both.with(.around, 120).list.map(\.sectors) == [120, 12])
    #expect(try both.with(.turn, 0).list.map(\.kind) == [.around])
    #expect(try both.with(.turn, nil).with(.around, 0) == .none)
    #expect(throws: FrameSetRefusal.self) { try both.with(.turn, 6) }
  }

  @Test("sending is refused for the first thing that is missing, and allowed if none is")
  func refused() throws {
    let time = DeviceTime(millisecondsSince1970: 1_778_000_000_000)
    for (photos, note, tracks, unfinished) in [
      (1, "barley", 1, 0), (2, nil, 1, 0), (2, "barley", 0, 1), (2, "barley", 1, 1),
      (2, "barley", 1, 0),
    ] as [(Int, String?, Int, Int)] {
      var task = InspectionTask(
        id: Identifier(at: time), agency: "example", inspector: "ada", name: "Field 7",
        state: .open, created: time, note: note)
      var refusal: InspectionError?
      do {
        _ = try task.perform(
          .provide, by: Person(agency: "example", login: "ada", role: .inspector),
          id: Identifier(at: time), at: time,
          contents: TaskContents(photos: photos, tracks: tracks, unfinishedTracks: unfinished),
          requirements: Self.all)
      } catch {
        refusal = error
      }
      let missing = Self.all.missing(
        in: TaskContents(photos: photos, tracks: tracks, unfinishedTracks: unfinished), note: note)
      #expect(refusal == missing.first?.refusal, "\(missing)")
      #expect(task.state == (missing.isEmpty ? .dataProvided : .open))
    }
  }
}
