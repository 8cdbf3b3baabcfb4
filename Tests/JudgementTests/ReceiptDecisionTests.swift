import Inspection
import Positioning
import Testing
import TimeAndText

@testable import Judgement

@Suite("Whether a delivery is receipted")
struct ReceiptDecisionTests {
  private static let record = Identifier(at: DeviceTime(millisecondsSince1970: 1_780_000_000_000))
  private static let full = RoomFacts(storedBytes: 90, quotaBytes: 100, arrivingBytes: 20)
  private static let free = RoomFacts(storedBytes: 90, quotaBytes: nil, arrivingBytes: 20)

  /// A row of the table: the facts, and the decision that follows.
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var facts = DeliveryFacts(key: .valid)
    var arrival: ArrivalFacts?
    var expected: ReceiptDecision

    var testDescription: String { name }

    init(
      _ name: String, _ expected: ReceiptDecision, _ arrival: ArrivalFacts? = nil,
      _ change: (inout DeliveryFacts) -> Void = { _ in }
    ) {
      (self.name, self.expected, self.arrival) = (name, expected, arrival)
      change(&facts)
    }
  }

  private static func arrival(
    damaged: String? = nil, taken: String? = nil, isDiskLow: Bool = false, room: RoomFacts = free
  ) -> ArrivalFacts {
    ArrivalFacts(damaged: damaged, taken: taken, isDiskLow: isDiskLow, room: room)
  }

  /// The rows in the order of the decisions. Most also hold facts of rows below them, so that the
  /// table tests the order with the outcome.
  static let rows: [Row] = [
    Row("another identifier", .refuses(.otherIdentifier)) {
      $0.isUnderOwnIdentifier = false
      $0.key = .notEnrolled
    },
    Row("a key that is nobody's", .refuses(.keyNotEnrolled)) {
      $0.key = .notEnrolled
      $0.earlier = .another
    },
    Row("a revoked key", .refuses(.keyRevoked("lost"))) {
      $0.key = .revoked("lost")
      $0.earlier = .another
      $0.missing = ["a"]
    },
    Row(
      "a record of another",
      .refuses(.recordOfAnother(record, login: "igor", agency: "north"))
    ) {
      $0.recordOfAnother = .init(record: record, login: "igor", agency: "north")
      $0.earlier = .another
      $0.missing = ["a"]
    },
    Row("another message under the identifier", .refuses(.batchChanged)) {
      $0.earlier = .another
      $0.missing = ["a"]
    },
    Row("files that are not here", .lacks(["a", "b"])) {
      $0.earlier = .same
      $0.missing = ["a", "b"]
    },
    Row("the same message again", .repeats) { $0.earlier = .same },
    Row(
      "a damaged file", .refuses(.fileDamaged("a")),
      arrival(damaged: "a", taken: "n", isDiskLow: true, room: full)),
    Row(
      "a name that is taken", .refuses(.nameTaken("n")),
      arrival(taken: "n", isDiskLow: true, room: full)),
    Row("a full disk", .refuses(.diskLow), arrival(isDiskLow: true, room: full)),
    Row("a share that is used up", .refuses(.quotaFull(full)), arrival(room: full)),
    Row("everything is here", .receipts, arrival()),
  ]

  @Test("each case of the table, before all that stand below it", arguments: rows)
  func table(row: Row) {
    let decision = ReceiptDecision.of(row.facts, row.arrival ?? Self.arrival())
    #expect(decision == row.expected)
    // The files are read only if they decide.
    #expect((ReceiptDecision.beforeFiles(row.facts) == nil) == (row.arrival != nil))
  }

  @Test(
    "a share of the disk is full beyond its last byte, and nothing is never too much",
    arguments: [
      (90, 100, 0, 10, false), (90, 100, 0, 11, true), (90, 100, 5, 6, true),
      (200, 100, 0, 0, false), (Int.max, Int.max, 1, 1, true), (0, Int.max, 0, Int.max, false),
      (Int.max, Int.max - 1, 0, 1, true),
    ])
  func room(stored: Int, quota: Int, unclaimed: Int, arriving: Int, isFull: Bool) {
    let room = RoomFacts(
      storedBytes: stored, quotaBytes: quota, unclaimedBytes: unclaimed, arrivingBytes: arriving)
    #expect(room.isFull == isFull)
    #expect(
      !RoomFacts(
        storedBytes: stored, quotaBytes: nil, unclaimedBytes: unclaimed, arrivingBytes: arriving
      ).isFull)
  }
}
