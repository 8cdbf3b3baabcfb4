import Evidence
import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Positioning
import TimeAndText
import Web

/// The page of the policy that an agency sets for its captures, for its administrators.
struct PolicyPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.policy

  func add(to routes: inout Routes) {
    routes.get("/policy") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        return try await policy(
          reader, type: request.query["type"].flatMap { $0.isEmpty ? nil : $0 })
      }
    }
    routes.post("/policy") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        return try await layDown(reader, try await request.form())
      }
    }
    routes.post("/policy/reasons") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        return try await setReasons(reader, try await request.form())
      }
    }
  }

  private func setReasons(_ reader: Reader, _ form: WebForm) async throws -> WebResponse {
    let text = form["reasons"] ?? ""
    do {
      try await office.policies.setReturnReasons(
        text, of: reader.agency, by: reader.visitor.account.login)
    } catch let refusal as OfficeRefusal where refusal.kind == .inputInvalid {
      return try await policy(
        reader, problems: [t(refusal.wording)], written: text, status: refusal.kind.status)
    }
    return .redirect("/policy?done=reasons")
  }

  /// Returns the form of the agency's usual reasons to return or decline a task.
  private func reasons(_ given: String?, _ reader: Reader) async throws -> HTML {
    let text: String
    if let given {
      text = given
    } else {
      text = try await office.policies.returnReasons(of: reader.agency).joined(separator: "\n")
    }
    return """
      <section class="card"><h2>\(t("Usual reasons"))</h2>
      <form class="fields" method="post" action="/policy/reasons">\(reader.request.formField)
      <label>\(t("Reasons to return or decline a task, one a line"))<textarea name="reasons" rows="5" aria-describedby="hint-reasons">\(text)</textarea></label>
      <p class="hint" id="hint-reasons">\(t("Officers choose one and can change its words. At most {1} reasons of {2} characters.", Policies.reasonsAtMost.count, Policies.reasonsAtMost.characters))</p>
      <p class="actions"><button class="button primary">\(t("Save the reasons"))</button></p></form></section>
      """
  }

  private func layDown(_ reader: Reader, _ form: WebForm) async throws -> WebResponse {
    guard let seen = form["seen"].flatMap({ Int($0) }) else {
      throw OfficeRefusal(.inputInvalid, "the form does not say which revision it changes")
    }
    let type = form["type"].flatMap { $0.isEmpty ? nil : $0 }
    let (rules, faults) = Self.rules(from: form)
    let given = form["days"] ?? ""
    let days = Int(given)
    var problems = faults.map { rule, text in
      t("{1}: \"{2}\" is not allowed. {3}.", t(rule.title), text, range(of: rule))
    }
    if !given.isEmpty, days.map(CapturePolicy.removalDays.contains) != true {
      problems.append(
        t("\"{1}\" is not a number of days from 0 to 3650. Leave it empty for never.", given))
    }
    guard problems.isEmpty else {
      return try await policy(reader, type: type, given: form, problems: problems, status: 422)
    }
    var isTaken = true
    do {
      try await office.policies.setPolicy(
        of: reader.agency, by: reader.visitor.account.login, seen: seen
      ) {
        if let type {
          isTaken = $0.set(rules, forType: type)
        } else {
          $0.general = rules
          $0.removesDeliveredAfterDays = days
        }
      }
    } catch let refusal as OfficeRefusal where refusal.kind == .policyChanged {
      return try await policy(reader, type: type, problems: [t(refusal.wording)], status: 409)
    }
    guard isTaken else {
      throw OfficeRefusal(
        .inputInvalid,
        "a type's name has 1 to \(CapturePolicy.typeByteLimit) bytes, and at most"
          + " \(CapturePolicy.typeLimit) types can have their own rules")
    }
    let address = type.map { "&type=" + AddressText.escaped($0) } ?? ""
    return .redirect("/policy?done=policy" + address)
  }

  /// Returns the rules that a form sets, and the faults: the texts that their rules cannot have. An
  /// empty field sets no rule.
  private static func rules(
    from form: WebForm
  ) -> (CaptureRules, faults: [(CaptureRule, String)]) {
    var rules = CaptureRules()
    var faults: [(CaptureRule, String)] = []
    for rule in CaptureRule.allCases {
      let text = (form[rule.rawValue] ?? "").trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty else { continue }
      // Half of Europe writes a decimal comma.
      let written = rule.kind == .receivers ? text : text.replacing(",", with: ".")
      if let value = rule.value(from: written) {
        rules[rule] = value
      } else {
        faults.append((rule, String(text.prefix(100))))
      }
    }
    return (rules, faults)
  }

  // MARK: the page

  private func policy(
    _ reader: Reader, type: String? = nil, given: WebForm? = nil,
    problems: [String] = [], written: String? = nil, status: Int = 200
  ) async throws -> WebResponse {
    let known = try await office.policies.policy(of: reader.agency)?.policy
    let stand =
      known.map { t.html("Revision {1} of {2}.", $0.revision, t.time($0.issued)) }
      ?? .text(t("No rules set yet. Defaults apply."))
    let own =
      type.map { known?.ownRules(ofType: $0) ?? CaptureRules() } ?? known?.general
      ?? CaptureRules()
    let general = known?.general ?? CaptureRules()
    let fields = CaptureRule.Topic.allCases.map { topic -> HTML in
      let rules = CaptureRule.allCases.filter {
        $0.topic == topic && (type == nil || $0.isOfTypes)
      }
      let items = rules.map { rule in
        field(
          rule,
          given: given.map { $0[rule.rawValue] ?? "" } ?? own[rule].map {
            rule.kind == .receivers ? rule.text(of: $0) : t.form.decimal(rule.text(of: $0))
          } ?? "",
          otherwise: type == nil ? rule.standard : general[rule] ?? rule.standard,
          isGeneral: type != nil && general[rule] != nil)
      }
      return
        "<fieldset><legend>\(t(topic.title))</legend>\(HTML.joined(items, separator: ""))</fieldset>"
    }
    let ofAgency = type == nil ? removal(after: given?["days"], known) : nil
    let title = type.map { t("Policy for tasks of type \"{1}\"", $0) } ?? t("Policy")
    let intro =
      type == nil
      ? t(
        "These are your agency's rules for its field units. The rules are signed and reach the field units with their tasks; each photo's record names them. Inspectors can be stricter with themselves, never looser."
      )
      : t(
        "These rules apply only to tasks of this type. Leave a field empty to use the agency's rule for all tasks."
      )
    return page(
      title, reader, current: "/policy",
      notices: problems.map { PageFrame.Notice(kind: .error, text: $0) }, status: status,
      """
      \(type == nil ? nil : "<p><a href=\"/policy\">\(t("All tasks"))</a></p>" as HTML)
      <h1>\(title)</h1><p>\(intro)</p>
      <p class="muted">\(stand)</p>
      \(await type == nil ? try types(known, reader) : nil)
      <section class="card"><form class="fields" method="post" action="/policy">\(reader.request.formField)
      <input type="hidden" name="seen" value="\("\(known?.revision ?? 0)")">\
      \(type.map { "<input type=\"hidden\" name=\"type\" value=\"\($0)\">" as HTML })
      \(HTML.joined(fields, separator: ""))\(ofAgency)
      <p class="actions"><button class="button primary">\(t("Save the policy"))</button></p></form></section>
      \(await type == nil ? try reasons(written, reader) : nil)
      """)
  }

  /// Returns the field of the days after which field units remove delivered photos.
  private func removal(after given: String?, _ known: CapturePolicy?) -> HTML {
    let days = given ?? (known?.removesDeliveredAfterDays).map(String.init) ?? ""
    return """
      <fieldset><legend>\(t("Delivered photos"))</legend>
      <label>\(t("Remove delivered photos from the field unit after this many days"))
      <input name="days" inputmode="numeric" pattern="[0-9]{0,4}" value="\(days)" aria-describedby="hint-days"></label>
      <p class="hint" id="hint-days">\(t("Leave empty for never. Photos are removed only after their task is decided and this office has read them again and found them undamaged."))</p></fieldset>
      """
  }

  /// Returns the field of a rule. If it is empty, the value `otherwise` is in force, which a hint
  /// shows.
  private func field(
    _ rule: CaptureRule, given: String, otherwise: CaptureRule.Value, isGeneral: Bool
  ) -> HTML {
    let hint = "hint-\(rule.rawValue)"
    let holds = rule.words(of: otherwise, in: t.form) { t($0) }
    let empty =
      isGeneral ? t("As for all tasks: {1}", holds) : t("Default: {1}", holds)
    func option(_ value: String, _ words: String) -> HTML {
      "<option value=\"\(value)\"\(raw: value == given ? " selected" : "")>\(words)</option>"
    }
    let input: HTML
    var scope: String?
    switch rule.kind {
    case .flag:
      input = """
        <select name="\(rule.rawValue)" aria-describedby="\(hint)">\(option("", "–"))\(option("on", t("yes")))\(option("off", t("no")))</select>
        """
    case .method:
      let methods = CentroidMethod.allCases.map { option($0.rawValue, t($0.rawValue)) }
      input = """
        <select name="\(rule.rawValue)" aria-describedby="\(hint)">\(option("", "–"))\(methods)</select>
        """
    case .receivers:
      input = """
        <input name="\(rule.rawValue)" maxlength="4000" autocapitalize="none" spellcheck="false" value="\(given)" aria-describedby="\(hint)">
        """
    case .number:
      input = """
        <input name="\(rule.rawValue)" inputmode="decimal" maxlength="10" value="\(given)" aria-describedby="\(hint)">
        """
      scope = range(of: rule) + "."
    }
    let advice = [rule.advice.map { t($0) }, scope, empty].compactMap(\.self)
    return """
      <label>\(t(rule.title))\(rule.unit.map { ", \($0)" })\(input)</label>
      <p class="hint" id="\(hint)">\(advice.joined(separator: " "))</p>
      """
  }

  private func range(of rule: CaptureRule) -> String {
    guard case .number(let range, let places) = rule.kind else {
      return rule.kind == .receivers
        ? t("Write any, or kinds and addresses with spaces between them") : rule.range
    }
    let (least, most) = (range.lowerBound, range.upperBound)
    func short(_ limit: Double) -> String {
      t.form.decimal(DecimalText.fixed(limit, places: places).replacing(#/\.0+$/#, with: ""))
    }
    return t("From {1} to {2}", short(least), short(most) + (rule.unit.map { " \($0)" } ?? ""))
  }

  /// Returns the list of the types of tasks with their own rules, and the links to them.
  private func types(_ known: CapturePolicy?, _ reader: Reader) async throws -> HTML {
    let used = try await office.database.read(in: reader.agency) { try $0.tasks.types() }
    let own = known?.types ?? [:]
    let items = Set(used).union(own.keys).sorted().map { type -> HTML in
      let words =
        own[type].map { rules in rules.rules.map { t($0.title) }.joined(separator: "; ") }
        ?? t("as for all tasks")
      return """
        <tr><th scope="row"><a href="/policy?type=\(AddressText.escaped(type))">\(type)</a></th>
        <td data-label="\(t("Own rules"))">\(words)</td></tr>
        """
    }
    let table: HTML =
      items.isEmpty
      ? "<p class=\"muted\">\(t("No task has a type yet."))</p>"
      : """
      <table class="list"><thead><tr><th scope="col">\(t("Type"))</th><th scope="col">\(t("Own rules"))</th></tr></thead>
      <tbody>\(HTML.joined(items, separator: ""))</tbody></table>
      """
    return """
      <section class="card"><h2>\(t("Types of tasks"))</h2>\(table)
      <form class="filter" method="get" action="/policy">
      <label>\(t("Another type"))<input name="type" required maxlength="200"></label>
      <button class="button">\(t("Edit rules"))</button></form></section>
      """
  }
}
