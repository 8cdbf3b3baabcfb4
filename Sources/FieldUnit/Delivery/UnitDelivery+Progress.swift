import AsyncHTTPClient
import Evidence
import Inspection
import NIOCore
import NIOHTTP1
import Store
import Sync

/// A link to an office that is told how far an inspector is. An older office is not.
package protocol ProgressLink: OfficeLink {
  /// Tells the office how far the inspector is.
  func tell(_ message: ProgressMessage, token: String) async throws
}

extension HTTPOfficeLink: ProgressLink {
  package func tell(_ message: ProgressMessage, token: String) async throws {
    let bytes = try WireJSON.bytes(message)
    _ = try await exchange(
      .POST, "/api/v1/progress", token: token, body: .bytes(.init(bytes: bytes)),
      mediaType: "application/json", digested: bytes)
  }
}

extension UnitDelivery {
  private static let progressSetting = "progress-told"

  /// Tells the office how far the items of the tasks in hand are, if that is other than what it was told
  /// last, and if the agency's rules allow it.
  package func tellProgress(over link: any ProgressLink) async throws {
    let office = try OfficeConversation(of: unit, over: link)
    let setting = Self.progressSetting + " " + office.signIn.office
    let (message, told) = try store.read(as: person) { session in
      (try Self.progress(session), try session.settings.value(of: setting))
    }
    let digest = Digest.hexadecimal(try WireJSON.bytes(message))
    guard digest != told, told != nil || !message.tasks.isEmpty else { return }
    do {
      try await office.asking { try await link.tell(message, token: $0) }
    } catch DeliveryError.olderOffice {
      return
    }
    try store.write(as: person) { try $0.settings.set(setting, to: digest) }
  }

  private static func progress(_ session: FieldSession) throws -> ProgressMessage {
    let policy = try InspectorUnit.policy(session)?.policy
    let inHand = try session.tasks.listings().filter { task in
      let rules = policy?.rules(forType: task.type) ?? CaptureRules()
      return task.state != .new && task.state.isEditable && rules.flag(.answersAhead)
    }
    return ProgressMessage(
      tasks: try inHand.prefix(ProgressMessage.tasksAtMost).compactMap { task in
        try TaskItems(ofTask: task.id, session).map { items in
          let order = items.order.items
          return .init(
            task: task.id,
            ItemProgress(
              answered: items.standing.answered(of: order), asked: items.standing.asked(of: order)))
        }
      })
  }
}
