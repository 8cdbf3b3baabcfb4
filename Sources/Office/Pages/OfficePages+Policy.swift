import Evidence
import Inspection
import Positioning
import Web

extension OfficePages {
  func addPolicy(to routes: inout Routes) {
    routes.get("/policy") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        return try policy(reader)
      }
    }
    routes.post("/policy") { request in
      try await reading(request) { reader in
        try requireRole(.administrator, reader)
        let form = try await request.form()
        guard let seen = form["seen"].flatMap({ Int($0) }) else {
          throw OfficeRefusal(.inputInvalid, "the form does not say which revision it changes")
        }
        let given = form["days"] ?? ""
        let days = Int(given)
        guard given.isEmpty || days.map(CapturePolicy.removalDays.contains) == true else {
          throw OfficeRefusal(
            .inputInvalid, "\(given) is no number of days from 0 to 3650; empty is never")
        }
        do {
          try office.setPolicy(
            of: reader.agency, by: reader.visitor.account.login, seen: seen
          ) {
            $0.readsSurroundings = form["surroundings"] == "on"
            $0.deliversAhead = form["ahead"] == "on"
            $0.removesDeliveredAfterDays = days
          }
        } catch let refusal as OfficeRefusal where refusal.kind == .policyChanged {
          return try policy(reader, refusal: t(refusal.wording))
        }
        return .redirect("/policy?done=policy")
      }
    }
  }

  private func policy(_ reader: Reader, refusal: String? = nil) throws -> WebResponse {
    let known = try office.policy(of: reader.agency)
    let isOn = known?.policy.readsSurroundings == true
    let isAhead = known?.policy.deliversAhead == true
    let days = (known?.policy.removesDeliveredAfterDays).map(String.init) ?? ""
    let stand =
      known.map { t("Revision {1} of {2}.", $0.policy.revision, Self.time($0.policy.issued)) }
      ?? t("Nothing was laid down yet: what the programs have by default holds.")
    return page(
      t("Policy"), reader, current: "/policy",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [],
      status: refusal == nil ? 200 : 409,
      """
      <h1>\(t("Policy"))</h1><p>\(t("What your agency lays down for its field units. It is signed, comes to them with their tasks, and each photo's record names it."))</p>
      <p class="muted">\(stand)</p>
      <section class="card"><form class="fields" method="post" action="/policy">\(reader.request.formField)
      <input type="hidden" name="seen" value="\("\(known?.policy.revision ?? 0)")">
      <label class="choice"><input type="checkbox" name="surroundings" value="on"\(isOn ? " checked" as HTML : nil)>
      \(t("Photos tell which mobile cells and Wi-Fi access points were heard"))</label>
      <p class="hint">\(t("A second witness of the place, which knows nothing of the GNSS receiver. These are personal data of the inspector: they come to this office with the photo's record, and go with it to whomever you give a bundle. Tell your inspectors before you turn it on."))</p>
      <label class="choice"><input type="checkbox" name="ahead" value="on"\(isAhead ? " checked" as HTML : nil)>
      \(t("Photos of a task are delivered as soon as they are taken"))</label>
      <p class="hint">\(t("Otherwise with their task, when the inspector sends it. What was delivered ahead cannot be deleted on the field unit any more."))</p>
      <label>\(t("Delivered photos leave the field unit after so many days"))
      <input name="days" inputmode="numeric" pattern="[0-9]{0,4}" value="\(days)"></label>
      <p class="hint">\(t("Empty is never. They leave only when their task is decided, and when this office has read them again and found them whole."))</p>
      <p class="actions"><button class="button primary">\(t("Save the policy"))</button></p></form></section>
      """)
  }
}
