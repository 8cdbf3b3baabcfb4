import Imports
import Positioning
import Testing
import TimeAndText

@Suite("What an order says")
struct TaskOrderTests {
  @Test("a date alone means its last second, a time counts with its offset")
  func dates() {
    #expect(TaskOrder.due("2026-06-30") == DeviceTime(rfc3339: "2026-06-30T23:59:59Z"))
    #expect(
      TaskOrder.due("2026-06-30T12:00:00+02:00") == DeviceTime(rfc3339: "2026-06-30T10:00:00Z"))
  }

  @Test(
    "what no message to a device could carry is no due date",
    arguments: ["9999-12-31T23:59:59-14:00", "soon", "2026-02-30", "30.6.2026", ""])
  func none(text: String) {
    #expect(TaskOrder.due(text) == nil)
  }
}
