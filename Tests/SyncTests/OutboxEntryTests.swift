import Inspection
import Positioning
import Testing
import TimeAndText

@testable import Sync

@Suite("The outbox")
struct OutboxEntryTests {
  @Test("a new entry was never tried, has not begun, and may go at once")
  func new() {
    let time = DeviceTime(millisecondsSince1970: 1_778_000_000_000)
    let entry = OutboxEntry(
      id: Identifier(at: time), kind: .photo, task: nil, digest: nil, bytes: 7, queued: time)
    #expect(entry.attempts == 0)
    #expect(!entry.hasBegun)
    #expect(entry.lastAnswer == nil)
    #expect(entry.nextAttempt == nil)
  }
}
