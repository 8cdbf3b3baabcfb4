import Evidence
import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

extension FieldPagesTests {
  /// Returns the fields of a group as a browser sends them: without boxes that are not ticked.
  private static func form(
    _ group: FieldSetting.Group, _ settings: FieldSettings, _ changes: [FieldSetting: String] = [:]
  ) -> [String: String] {
    var fields = ["group": group.rawValue]
    for setting in FieldSetting.allCases where setting.group == group {
      let text = changes[setting] ?? settings.shownText(setting)
      if setting.kind != .flag || text == "on" { fields[setting.rawValue] = text }
    }
    return fields
  }

  @Test("the page has each setting with its field, its default and what it means")
  func settingsPage() async throws {
    try await withField { site, _ in
      try await site.signIn()
      let page = try await site.browser.get("/settings")
      #expect(page.status == 200)
      for setting in FieldSetting.allCases {
        #expect(page.body.contains("name=\"\(setting.rawValue)\""), "\(setting)")
        #expect(page.body.contains("id=\"hint-\(setting.rawValue)\""), "\(setting)")
      }
      #expect(!page.body.contains("form=\"defaults\""), "everything is at its default")
      for words in ["standpoint backup FILE", "/settings/receiver", "name=\"theme\"", "Čeština"] {
        #expect(page.body.contains(words), "\(words)")
      }
      let style = try await site.browser.get("/assets/settings.css")
      #expect(style.status == 200 && style.type?.hasPrefix("text/css") == true)
    }
  }

  @Test("a group is kept as it is typed; what was left as it was shown sets nothing")
  func settingsKept() async throws {
    try await withField { site, _ in
      try await site.signIn()
      _ = try await site.browser.get("/settings")
      let unit = try site.unit()
      let none = try unit.settings()
      for group in FieldSetting.Group.allCases {
        let answer = try await site.browser.post("/settings/values", Self.form(group, none))
        #expect(answer.location == "/settings?done=rule")
      }
      #expect(try unit.settings() == none, "no field was touched")
      _ = try await site.browser.post(
        "/settings/values", Self.form(.tracks, none, [.mapFollows: "off"]))
      _ = try await site.browser.post(
        "/settings/values", Self.form(.capture, none, [.samples: "35", .method: "mean"]))
      _ = try await site.browser.post(
        "/settings/values", Self.form(.delivery, none, [.removeDeliveredAfterDays: "14"]))
      let settings = try unit.settings()
      #expect(settings[own: .samples] == .number(35) && settings[own: .method] == .method(.mean))
      #expect(settings[own: .countdownSeconds] == nil && settings[own: .usesCentroid] == nil)
      #expect(!settings.mapFollows && settings.tonesOnPoint)
      #expect(settings.removalRule.ownDays == 14)
      let page = try await site.browser.get("/settings?done=rule")
      #expect(page.body.contains("value=\"35\"") && page.body.contains("Default: 20"))
      // One setting gets its default; then all do, after a question.
      let one = try await site.browser.post("/settings/default", ["setting": "samples"])
      #expect(one.location == "/settings?done=default")
      #expect(try unit.settings()[own: .samples] == nil)
      #expect(try await site.browser.post("/settings/default", ["setting": "x"]).status == 400)
      let question = try await site.browser.get("/settings/defaults")
      #expect(question.body.contains("never instead of 14 d"))
      #expect(try unit.settings().removalRule.ownDays == 14, "a question changes nothing")
      _ = try await site.browser.post("/settings/defaults")
      #expect(try unit.settings() == FieldSettings())
    }
  }

  @Test("what cannot be is said beside its field, what was typed stays, and nothing is kept")
  func settingsRefused() async throws {
    try await withField { site, _ in
      try await site.signIn()
      _ = try await site.browser.get("/settings")
      let unit = try site.unit()
      let none = try unit.settings()
      let wrong = try await site.browser.post(
        "/settings/values",
        Self.form(.capture, none, [.samples: "501", .countdownSeconds: "9"]))
      #expect(wrong.status == 422 && wrong.body.contains("value=\"501\""))
      #expect(wrong.body.contains("id=\"error-samples\"") && wrong.body.contains("value=\"9\""))
      #expect(wrong.body.contains("aria-invalid=\"true\""))
      let loose = try await site.browser.post(
        "/settings/values", Self.form(.gate, none, [.speedLimitMetresPerSecond: "0.4"]))
      #expect(loose.status == 422 && loose.body.contains("you can only be stricter"))
      let hostile = try await site.browser.post(
        "/settings/values", Self.form(.capture, none, [.samples: hostileText]))
      #expect(hostile.status == 422)
      #expect(try await site.browser.post("/settings/values", ["group": "x"]).status == 400)
      #expect(try unit.settings() == none)
    }
  }
}
