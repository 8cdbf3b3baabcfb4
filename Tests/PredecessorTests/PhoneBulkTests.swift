import Foundation
import Inspection
import OfficeScenes
import Receivers
import Store
import TestSupport
import Testing
import TimeAndText

@testable import BulkActs
@testable import Office
@testable import Predecessor

@Suite("Acts on many tasks, and phones", .timeLimit(.minutes(3)))
struct PhoneBulkTests {
  private func perform(
    _ kind: BulkAct.Kind, _ task: Identifier, _ value: String?, _ phones: PhoneScene
  ) async throws -> Identifier {
    let (bulk, otto) = (BulkService(of: phones.office), phones.scene.person("otto"))
    let act = try await bulk.plan(kind, [task], list: "", by: otto)
    try await bulk.perform(act, BulkService.Order(value: value, reason: nil), by: otto)
    return act
  }

  private func state(_ task: Identifier, _ phones: PhoneScene) async throws -> TaskState {
    try await phones.office.review.view(of: task, in: "north").task.state
  }

  private func undo(_ act: Identifier, _ phones: PhoneScene) async throws -> BulkStep.State? {
    let (bulk, otto) = (BulkService(of: phones.office), phones.scene.person("otto"))
    try await bulk.undo(act, by: otto)
    return try await bulk.act(act, of: otto).counts.keys.first
  }

  private func minute(_ phones: PhoneScene) {
    phones.later(hours: (BulkAct.heldSeconds + 1) / 3600)
  }

  @Test("a phone that looks within the minute hears of nothing, and nothing is then called told")
  func held() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order()
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      #expect(try await app.tasks(user: user).count == 1)
      let act = try await perform(.withdraw, order.id, nil, phones)
      #expect(try await app.tasks(user: user).count == 1)
      minute(phones)
      #expect(try await undo(act, phones) == .undone)
      #expect(try await state(order.id, phones) == .new)

      let second = try await perform(.withdraw, order.id, nil, phones)
      minute(phones)
      #expect(try await app.tasks(user: user).isEmpty)
      #expect(try await undo(second, phones) == .kept)
      #expect(try await state(order.id, phones) == .withdrawn)
    }
  }

  @Test("an order that a phone's inspector gets from another one is listed after the minute")
  func reassigned() async throws {
    try await withPhones { phones, site in
      let order = try await phones.scene.order("Upper field", for: "igor")
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      #expect(try await app.tasks(user: user).isEmpty)
      let act = try await perform(.reassign, order.id, "ines", phones)
      #expect(try await app.tasks(user: user).isEmpty)
      #expect(try await undo(act, phones) == .undone)
      minute(phones)
      #expect(try await app.tasks(user: user).isEmpty)
      let second = try await perform(.reassign, order.id, "ines", phones)
      minute(phones)
      #expect(try await app.tasks(user: user).count == 1)
      #expect(try await undo(second, phones) == .kept)
      #expect(try await state(order.id, phones) == .withdrawn)
    }
  }
}
