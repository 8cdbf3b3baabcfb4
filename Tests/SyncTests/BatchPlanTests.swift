import Evidence
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Sync

@Suite("What goes into a batch, and when both sides are compared")
struct BatchPlanTests {
  private static let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  @Test("tasks and what was refused go alone, the rest in groups of fifty, what failed not at all")
  func groups() {
    let ids = (0..<60).map { _ in Identifier(at: Self.now) }
    let standing = ids.map { BatchPlan.Waiting(id: $0, isAlone: false) }
    #expect(BatchPlan.next(of: [], except: []).isEmpty)
    #expect(BatchPlan.next(of: standing, except: []) == Array(ids.prefix(50)))
    #expect(BatchPlan.next(of: standing, except: Set(ids.prefix(55))) == Array(ids.suffix(5)))
    #expect(BatchPlan.next(of: standing, except: Set(ids)).isEmpty)
    let task = BatchPlan.Waiting(id: Identifier(at: Self.now), isAlone: true)
    #expect(BatchPlan.next(of: [task] + standing, except: []) == [task.id])
    #expect(BatchPlan.next(of: [task] + standing, except: [task.id]) == Array(ids.prefix(50)))
    #expect(BatchPlan.next(of: [standing[0], task, standing[1]], except: []) == [ids[0], ids[1]])
  }

  /// Makes the links of a key, in the order of its chain.
  private func chain(
    _ kinds: [RecordKind], with key: SoftwareDeviceKey
  ) throws -> [SealFile] {
    var files: [SealFile] = []
    let context = RecordContext(
      person: Person(agency: "north", login: "ines", role: .inspector), device: "d",
      key: key.publicKey.thumbprint, software: "test", isSimulated: true)
    for (place, kind) in kinds.enumerated() {
      let id = Identifier(at: Self.now)
      // A deletion deletes the record before it.
      let record =
        kind == .deletion
        ? Record.deletion(
          id: id, of: files[place - 1].seal.link.id,
          recordDigest: files[place - 1].seal.link.record,
          reason: "blurred", at: Self.now, in: context)
        : Record.note(id: id, task: nil, photo: nil, text: "\(place)", at: Self.now, in: context)
      let link = Link(
        key: key.publicKey.thumbprint, sequence: place + 1, previous: files.last?.seal.digest,
        kind: kind, id: id, record: Digest.hexadecimal(record.canonicalBytes), file: nil, raw: nil)
      files.append(SealFile(record: record, seal: try Seal(link, with: key)))
    }
    return files
  }

  @Test("two hundred captures go at a time, with their deletions, and the task's own steps last")
  func parts() throws {
    let key = SoftwareDeviceKey()
    let files = try chain(
      [.transition, .capture, .deletion] + Array(repeating: .capture, count: 200)
        + [.note, .transition], with: key)
    let (first, isLast) = BatchPlan.part(of: files, key: key.publicKey.thumbprint)
    #expect(!isLast && first.count == 201)
    #expect(first.filter { $0.seal.link.kind == .capture }.count == 200)
    #expect(first.contains { $0.seal.link.kind == .deletion })
    let rest = files.filter { file in !first.contains { $0.seal.digest == file.seal.digest } }
    let (second, isEnd) = BatchPlan.part(of: rest, key: key.publicKey.thumbprint)
    #expect(isEnd && second.map(\.seal.link.kind) == [.transition, .capture, .note, .transition])
    // A record that another key has sealed is a part of its own.
    let other = try chain([.note], with: SoftwareDeviceKey())
    let (mine, isAll) = BatchPlan.part(of: rest + other, key: key.publicKey.thumbprint)
    #expect(mine.count == 4 && !isAll)
  }

  @Test(
    "compared once a day, at once where something is missing, hourly where that is known",
    arguments: [
      (nil, 5, 0, false, false), (60, 5, 5, false, false), (60, 5, 9, false, false),
      (71_999, 5, 5, true, false), (72_000, 5, 5, true, true), (-72_000, 5, 5, true, true),
      (60, 5, 4, false, true), (60, 5, 4, true, false), (3600, 5, 4, true, true),
    ] as [(Double?, Int, Int, Bool, Bool)])
  func pace(seconds: Double?, delivered: Int, held: Int, isKnown: Bool, isDue: Bool) {
    #expect(
      ReconciliationPace.isDue(
        secondsSinceLast: seconds, delivered: delivered, held: held, isKnown: isKnown) == isDue)
  }
}
