import Evidence
import FieldUnit
import Foundation
import Guide
import Inspection
import Positioning
import TimeAndText
import Web

// The page follows the table of settings. Each group of settings has one form: if one of its fields
// cannot be kept, no field of the group is. A field left as it was shown sets nothing: a value that
// the agency asks for today must not become the inspector's own choice for tomorrow.

/// The page of the inspector's settings.
struct SettingsPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldSettings

  func add(to routes: inout Routes) {
    routes.get("/settings") { request in try await reading(request) { try settings($0) } }
    routes.post("/settings/values") { request in
      try await reading(request) { reader in
        try keep(try await request.form(), reader)
      }
    }
    routes.post("/settings/default") { request in
      try await reading(request) { reader in
        let name = try await request.form()["setting"] ?? ""
        guard let setting = FieldSetting(rawValue: name) else { throw WebProblem.malformedRequest }
        try reader.unit.reset([setting])
        return .redirect("/settings?done=default")
      }
    }
    routes.get("/settings/defaults") { request in try await reading(request) { try defaults($0) } }
    routes.post("/settings/defaults") { request in
      try await reading(request) { reader in
        try reader.unit.reset(FieldSetting.allCases)
        return .redirect("/settings?done=default")
      }
    }
    routes.get(SettingsStyle.asset.path) { SettingsStyle.asset.response(to: $0) }
    ReceiverPages(server: server).add(to: &routes)
    SurroundingsPages(server: server).add(to: &routes)
  }

  private func keep(_ form: WebForm, _ reader: Reader) throws -> WebResponse {
    guard let group = form["group"].flatMap(FieldSetting.Group.init(rawValue:)) else {
      throw WebProblem.malformedRequest
    }
    let settings = try reader.unit.settings()
    var given: [FieldSetting: String] = [:]
    var faults: [FieldSetting: Wording] = [:]
    for setting in FieldSetting.allCases where setting.group == group {
      // Browsers do not send an unticked box.
      let text = form[setting.rawValue] ?? (setting.kind == .flag ? "off" : "")
      given[setting] = String(text.prefix(100))
      guard !settings.isUnchanged(text, for: setting) else { continue }
      do {
        _ = try settings.value(text, for: setting)
      } catch let error as FieldUnitError {
        faults[setting] = error.wording
      }
    }
    guard faults.isEmpty else {
      return try self.settings(
        reader, given: given, faults: faults, refusal: t("Nothing was changed: see below."))
    }
    try reader.unit.set(
      given.filter { !settings.isUnchanged($0.value, for: $0.key) }
        .map { (setting: $0.key, text: $0.value) })
    return .redirect("/settings?done=rule")
  }

  // MARK: the page

  func settings(
    _ reader: Reader, given: [FieldSetting: String] = [:], faults: [FieldSetting: Wording] = [:],
    refusal: String? = nil, above: HTML = ""
  ) throws -> WebResponse {
    let settings = try reader.unit.settings()
    let groups = FieldSetting.Group.allCases.map { group -> HTML in
      let rows = FieldSetting.allCases.filter { $0.group == group }.map {
        row($0, settings, given: given[$0], fault: faults[$0])
      }
      return """
        <section class="card"><h2>\(t(group.title))</h2>
        <form class="fields settings" method="post" action="/settings/values">\(reader.request.formField)
        <input type="hidden" name="group" value="\(group.rawValue)">\(rows)
        <p class="actions"><button class="button primary">\(t("Save"))</button></p></form>\
        \(group == .delivery ? backup : nil)</section>
        """
    }
    return page(
      t("Settings"), reader, current: "/",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [],
      status: refusal == nil ? 200 : 422, styles: [SettingsStyle.asset.href],
      """
      <div class="heading"><h1>\(t("Settings"))</h1>
      <p class="actions"><a class="button" href="/settings/defaults">\(t("Set default values"))</a></p></div>\
      \(above)
      <p>\(t("They apply to you, on this device. You can be stricter than your agency, never looser."))</p>
      <form id="defaults" method="post" action="/settings/default">\(reader.request.formField)</form>
      <div class="groups">\(appearance(reader))\(groups)
      <section class="card"><h2>\(t("Receiver"))</h2>
      <p>\(server.follower.map { "<code>\("\($0.source)")</code>" as HTML } ?? .text(t("none")))</p>
      <p class="actions"><a class="button" href="/settings/receiver">\(t("Choose, test or pair a receiver"))</a></p></section>
      <section class="card"><h2>\(t("Phones"))</h2>
      <p>\(t("A phone in your hand can show these pages and take the photos."))</p>
      <p class="actions"><a class="button" href="/phones">\(t("Pair a phone, or end one"))</a></p></section>
      \(try rules(reader))\(try SurroundingsPages(server: server).surroundings(reader))</div>
      """)
  }

  /// Returns the choice of theme and language. A page that answers a form has none: the choice
  /// leads back to the address of its page, which such a page does not have.
  private func appearance(_ reader: Reader) -> HTML? {
    guard reader.request.method == "GET" else { return nil }
    return """
      <section class="card appearance" id="appearance"><h2>\(t("Appearance"))</h2>
      \(PageFrame.ThemeChoice.sections(for: reader.request))
      <p class="muted">\(t("For this browser only."))</p></section>
      """
  }

  /// Returns one setting: its field, its meaning, the value in force, and the way back to the
  /// default.
  private func row(
    _ setting: FieldSetting, _ settings: FieldSettings, given: String?, fault: Wording?
  ) -> HTML {
    let name = setting.rawValue
    let own = settings[own: setting]
    let shown = given ?? t.form.decimal(settings.shownText(setting))
    let words = t(FieldSettings.words(setting.standard, of: setting))
    let standard: HTML =
      own == nil
      ? "<span class=\"standard muted\">\(t("default"))</span>"
      : """
      <button class="button standard" form="defaults" name="setting" value="\(name)" aria-describedby="label-\(name)">\(t("Default: {1}", words))</button>
      """
    let error: HTML? = fault.map { "<p class=\"field-error\" id=\"error-\(name)\">\(t($0))</p>" }
    return """
      <div class="setting">\(field(setting, shown, isWrong: fault != nil))\(standard)\(error)
      <p class="hint" id="hint-\(name)">\(t(setting.meaning))\(range(of: setting).map { " \($0)" })</p>\
      \(agency(setting, settings))</div>
      """
  }

  /// Returns the value that the agency asks for, and says if it overrides the one in the field; nil
  /// if the agency asks for none.
  private func agency(_ setting: FieldSetting, _ settings: FieldSettings) -> HTML? {
    guard let asked = settings.agencyValue(setting) else { return nil }
    let words = t(FieldSettings.words(asked, of: setting))
    guard settings.isOverridden(setting) else {
      return "<p class=\"muted\">\(t("Your agency asks for {1}.", words))</p>"
    }
    return """
      <p><span class="light light-warn">\(t("Your agency asks for {1}: that applies.", words))</span></p>
      """
  }

  private func field(_ setting: FieldSetting, _ shown: String, isWrong: Bool) -> HTML {
    let name = setting.rawValue
    let title: HTML =
      "<span id=\"label-\(name)\">\(t(setting.title))\(setting.unit.map { ", \($0)" })</span>"
    let about: HTML = """
      id="\(name)" name="\(name)" aria-describedby="\(isWrong ? "error-\(name) " : "")hint-\(name)"\(raw: isWrong ? " aria-invalid=\"true\"" : "")
      """
    switch setting.kind {
    case .flag:
      return """
        <label><input type="checkbox" \(about) value="on"\(raw: shown == "on" ? " checked" : "")>\(title)</label>
        """
    case .method:
      let options = CentroidMethod.allCases.map { method -> HTML in
        """
        <option value="\(method.rawValue)"\(raw: method.rawValue == shown ? " selected" : "")>\(t(method.rawValue))</option>
        """
      }
      return "<label>\(title)<select \(about)>\(options)</select></label>"
    // No setting of an inspector is a list of receivers.
    case .receivers: return title
    case .number(_, let places):
      let never: HTML? = setting.canBeNever ? " placeholder=\"\(t("never"))\"" : nil
      return """
        <label>\(title)<input class="number" \(about) inputmode="\(places == 0 ? "numeric" : "decimal")" maxlength="10" autocomplete="off" value="\(shown)"\(never)></label>
        """
    }
  }

  private func range(of setting: FieldSetting) -> String? {
    guard case .number(let range, let places) = setting.kind else { return nil }
    let least = t.decimal(range.lowerBound, places: places)
    let most =
      t.decimal(range.upperBound, places: places)
      + (setting.unit.map { " \($0)" } ?? "")
    return setting.canBeNever
      ? t("From {1} to {2}. Leave empty for never.", least, most)
      : t("From {1} to {2}.", least, most)
  }

  /// Asks for confirmation before all settings go back to their defaults.
  private func defaults(_ reader: Reader) throws -> WebResponse {
    let settings = try reader.unit.settings()
    let changes = FieldSetting.allCases.compactMap { setting -> (String, HTML?)? in
      guard let own = settings[own: setting], own != setting.standard else { return nil }
      let words = t(
        "{1} instead of {2}", t(FieldSettings.words(setting.standard, of: setting)),
        t(FieldSettings.words(own, of: setting)))
      return (t(setting.title), .text(words))
    }
    let title = t("Set default values")
    return page(
      title, reader, current: "/",
      """
      <section class="card"><h1>\(title)</h1>
      \(changes.isEmpty
        ? "<p>\(t("All settings already have their defaults."))</p>" as HTML
        : "<p>\(t("This will change:"))</p>\(HTML.facts(changes))" as HTML)
      <p class="muted">\(t("The receiver, language and theme stay as they are."))</p>
      <form method="post" action="/settings/defaults">\(reader.request.formField)
      <p class="actions"><button class="button danger">\(title)</button>
      <a class="button" href="/settings">\(t("Cancel"))</a></p></form></section>
      """)
  }

  // MARK: parts

  /// The words on how to back up this device. The backup holds the device's keys: no browser can
  /// download it.
  private var backup: HTML {
    """
    <h3>\(t("Backup"))</h3>
    <p>\(t("Before a repair, and before somebody else gets this device: run this command in a terminal. It saves everything on the device in one file, including what other inspectors have not delivered. The program can keep running."))</p>
    <p><code>\("standpoint backup FILE")</code></p>
    <p>\(t("Anyone with the file can pose as this device: keep it in a safe place. After a restore on another device, do not use this one any more."))</p>
    """
  }

  /// Returns the rules that the agency's policy sets, for all tasks and for types of tasks; empty
  /// without a policy.
  private func rules(_ reader: Reader) throws -> HTML {
    guard let policy = try reader.unit.policy()?.policy else { return "" }
    func facts(_ rules: CaptureRules) -> HTML {
      HTML.facts(
        rules.rules.map { rule in
          (t(rule.title), rules[rule].map { .text(rule.words(of: $0, in: t.form) { t($0) }) })
        })
    }
    let types = policy.types.sorted { $0.key < $1.key }.map { type, rules -> HTML in
      "<h3>\(t("Tasks of type \"{1}\"", type))</h3>\(facts(rules))"
    }
    return """
      <section class="card"><h2>\(t("Your agency's rules"))</h2>
      <p class="muted">\(t.html("Revision {1} of {2}.", policy.revision, t.time(policy.issued)))</p>
      \(policy.general.isEmpty ? "<p>\(t("The defaults apply to all tasks."))</p>" as HTML : facts(policy.general))\(HTML.joined(types, separator: ""))</section>
      """
  }
}
