import CodeDrawing
import Foundation
import Inspection
import Office
import OfficeFrame
import OfficePages
import Store
import Sync
import TimeAndText
import Web

// The parts of the page of the phones' service.
extension PhonePages {
  /// The number of days for which the page counts what phones have sent.
  private static let arrivalDays = 7.0

  /// Returns the page.
  /// - Parameter state: the state to show in addition to the saved service, such as faults.
  func phones(_ reader: Reader, _ state: PhonePageState = PhonePageState()) async throws
    -> WebResponse
  {
    let agreed = try await office.phones.phoneService(of: reader.agency)
    let form = PhoneForm(reader: reader, service: agreed, state: state, t: t)
    var notices: [PageFrame.Notice] = []
    if let refusal = state.refusal {
      notices.append(PageFrame.Notice(kind: .error, text: refusal))
    }
    if !state.faults.isEmpty {
      notices.append(
        PageFrame.Notice(
          kind: .error, text: t("Nothing was saved: see the messages at the fields.")))
    }
    if !service.isServed {
      notices.append(
        PageFrame.Notice(
          kind: .warning,
          text: t(
            "This office was started without --egnss4cap and does not answer phones. What you set here applies once its operator starts it with that option."
          )))
    }
    if !reader.request.origin.hasPrefix("https://") {
      notices.append(
        PageFrame.Notice(
          kind: .warning,
          text: t(
            "This page came without TLS. Phones send passwords and numbers: anyone who can read them can pose as that phone. Serve phones over https only."
          )))
    }
    let main: HTML =
      if let agreed {
        """
        \(form.secrets)
        \(try await people(agreed, reader))
        \(form.address(agreed))
        \(form.rules(agreed))
        \(form.credentials)
        \(form.off(agreed))
        """
      } else {
        "\(form.teaching)\(form.credentials)"
      }
    return page(
      t("Phones"), reader, current: "/phones", notices: notices, status: state.status,
      """
      <h1>\(t("Phones"))</h1>
      <p>\(t("Phones with the EGNSS4CAP and EGNSS4ALL apps can send photos and paths here, as field units do. Their data are not sealed by a device key: the office keeps them as they arrive, checks them, and never calls them intact."))</p>
      \(main)
      """)
  }

  // MARK: inspectors

  private func people(_ agreed: PhoneService, _ reader: Reader) async throws -> HTML {
    let names = await Dictionary(
      try office.people.accounts(ofAgency: reader.agency).map { ($0.login, $0.title) },
      uniquingKeysWith: { first, _ in first })
    let rows = try await office.phones.phonePeople(of: agreed, service.desk).map { person -> HTML in
      let places = person.places.map { place in
        """
        <li><code>\(place.network ?? t("not known"))</code> \(t.html("since {1}", t.time(place.began)))</li>
        """ as HTML
      }
      let name = names[person.login]
      let login: HTML? =
        name == person.login ? nil : "<br><span class=\"muted\">\(person.login)</span>"
      let heard = person.places.map { max($0.began, $0.heard ?? $0.began) }.max()
      return """
        <tr><td data-label="\(t("Inspector"))">\(name ?? person.login)\(login)</td>
        <td data-label="\(t("Logged in from"))"><ul>\(places)</ul></td>
        <td class="time" data-label="\(t("Last contact"))">\(heard.map(Self.time) ?? "—")</td>
        <td><details><summary>\(t("Log out of all phones"))</summary>
        <p>\(t("{1} must log in again on each phone. Unsent data stay on the phones.", person.login))</p>
        <form method="post" action="/phones/inspectors/\(AddressText.escaped(person.login))/end">\(reader.request.formField)
        <button class="button danger">\(t("Log {1} out of all phones", person.login))</button></form></details></td></tr>
        """
    }
    let table: HTML =
      rows.isEmpty
      ? "<div class=\"empty\"><p>\(t("No inspector is logged in on a phone. Inspectors log in there with their login and password for this office."))</p></div>"
      : """
      <table class="list"><thead><tr><th scope="col">\(t("Inspector"))</th><th scope="col">\(t("Logged in from"))</th>
      <th scope="col">\(t("Last contact"))</th><th scope="col"><span class="unseen">\(t("Actions"))</span></th></tr></thead>
      <tbody>\(rows)</tbody></table>
      <p class="hint">\(t("The last contact is known only since this office was started; logins stay."))</p>
      """
    let arrivals = try await office.phones.phoneArrivals(in: reader.agency, days: Self.arrivalDays)
    func count(_ number: Int) -> String {
      number > PhoneAccess.phoneArrivalsCounted
        ? t("more than {1}", PhoneAccess.phoneArrivalsCounted) : "\(number)"
    }
    return """
      <h2>\(t("Logged in on phones"))</h2>\(table)
      <p>\(t("In the last 7 days phones sent: photos {1}, paths {2}.", count(arrivals.photos), count(arrivals.tracks)))</p>
      """
  }
}

/// The forms of the page of the phones' service.
private struct PhoneForm {
  let reader: PageReader
  let service: PhoneService?
  let state: PhonePages.PhonePageState
  let t: Texts

  /// The hidden fields of each form: the form's token, and the time of the state that the
  /// administrator looked at.
  private var hidden: HTML {
    """
    \(reader.request.formField)
    <input type="hidden" name="seen" value="\("\(service?.changed.millisecondsSince1970 ?? 0)")">
    """
  }

  // MARK: secrets, shown once

  /// The addresses and credentials that were drawn just now.
  var secrets: HTML {
    guard state.prefix != nil || state.credentials != nil else { return .empty }
    let origin = reader.request.origin
    let addresses = state.prefix.map { prefix in
      [
        ("EGNSS4CAP (Android, iOS)", "\(origin)/\(prefix)/ws/"),
        ("EGNSS4ALL (Android, iOS)", "\(origin)/\(prefix)/"),
      ]
      .map { app, address in
        """
        <figure class="secret"><figcaption>\(app)<br><code class="digest">\(address)</code></figcaption>
        \(CodePicture.svg(address, label: t("QR Code of the address for {1}", app)))</figure>
        """ as HTML
      }
    }
    let credentials = state.credentials.map { credentials in
      HTML.facts([
        (t("Name"), "<code>\(credentials.login)</code>"),
        (t("Password"), "<code class=\"digest\">\(credentials.password)</code>"),
      ])
    }
    return """
      <section class="card"><h2>\(state.prefix == nil ? t("The new credentials") : t("The new address"))</h2>
      <p class="notice notice-warning">\(t("Write it down or enter it in the phones now: it is not stored and cannot be shown again."))</p>
      \(addresses.map { "<div class=\"secrets\">\($0)</div>" as HTML })\(credentials)
      \(state.prefix == nil ? nil : "<p class=\"hint\">\(t("Enter it in the app's settings, as its server. Anyone who knows it still needs an inspector's login."))</p>" as HTML)
      </section>
      """
  }

  // MARK: no service yet

  var teaching: HTML {
    """
    <div class="empty"><h2>\(t("Phones are disabled"))</h2>
    <p>\(t("Generate an address to enable phones: its secret part tells your agency's phones from all others."))</p></div>
    <section class="card"><h2>\(t("Enable phones"))</h2>
    <ol><li>\(t("Generate an address. It is shown once, as text and as a QR Code."))</li>
    <li>\(t("Enter it in each phone, as the app's server."))</li>
    <li>\(t("Inspectors log in there with their login and password for this office."))</li></ol>
    <p>\(t("The apps send no token: anyone who has the address and an inspector's number, and is in a network where that inspector has logged in, can pose as that inspector. Use field units if that matters."))</p>
    <form class="fields" method="post" action="/phones/address">\(hidden)
    \(zone("UTC"))
    <p class="actions"><button class="button primary">\(t("Generate address and enable phones"))</button></p></form></section>
    """
  }

  // MARK: the address

  func address(_ service: PhoneService) -> HTML {
    let stand =
      service.prefixDigest == nil
      ? t("No address is set: phones use the credentials.")
      : t("An address is set. It cannot be shown again, only replaced by a new one.")
    let draw: HTML =
      service.prefixDigest == nil
      ? """
      <form method="post" action="/phones/address">\(hidden)
      <p class="actions"><button class="button">\(t("Generate address"))</button></p></form>
      """
      : """
      <details><summary>\(t("Generate new address"))</summary>
      <p>\(t("Phones cannot send until you enter the new address in them. Unsent data stay on the phones."))</p>
      <form method="post" action="/phones/address">\(hidden)
      <button class="button danger">\(t("Generate new address"))</button></form></details>
      """
    // Address or credentials must be left, so that phones can still be let in.
    let remove: HTML? =
      service.prefixDigest == nil || service.basicLogin == nil
      ? nil
      : """
      <details><summary>\(t("Stop using the address"))</summary>
      <p>\(t("Only phones with the credentials can then send, no longer those that use the address."))</p>
      <form method="post" action="/phones/address/remove">\(hidden)
      <button class="button danger">\(t("Remove the address"))</button></form></details>
      """
    return """
      <section class="card"><h2>\(t("Secret address"))</h2>
      <p>\(stand) <span class="muted">\(t("Last changed {1}.", PhonePages.time(service.changed)))</span></p>\(draw)\(remove)</section>
      """
  }

  // MARK: credentials

  var credentials: HTML {
    let known = service?.basicLogin
    let remove: HTML? =
      known == nil || service?.prefixDigest == nil
      ? nil
      : """
      <details><summary>\(t("Stop using the credentials"))</summary>
      <p>\(t("Only phones with the address can then send, no longer those that use the credentials."))</p>
      <form method="post" action="/phones/credentials/remove">\(hidden)
      <button class="button danger">\(t("Remove the credentials"))</button></form></details>
      """
    let stand =
      known.map { t("Credentials are set for the name {1}.", $0) } ?? t("No credentials are set.")
    let question: HTML? = known.map { _ in
      "<p>\(t("Phones that use the credentials cannot send until you enter the new ones in them."))</p>"
    }
    let isOpen = state.faults[.credentials] != nil || state.faults[.password] != nil
    return """
      <section class="card"><h2>\(t("Credentials"))</h2>
      <p>\(stand) \(t("For apps with a built-in name and password (HTTP Basic). You can use an address and credentials at the same time."))</p>
      <details\(raw: isOpen ? " open" : "")><summary>\(t("New credentials"))</summary>\(question)
      <form class="fields" method="post" action="/phones/credentials">\(hidden)
      \(input("basicLogin", t("Name"), known ?? "", .credentials, nil, more: "required maxlength=\"64\" autocomplete=\"off\""))
      \(password)
      <p class="actions"><button class="button">\(t("Save the credentials"))</button></p></form></details>\(remove)</section>
      """
  }

  /// The field of the password, which is never shown again, not even if it was refused.
  private var password: HTML {
    let fault = error(.password)
    return """
      <label>\(t("Password"))<input name="basicPassword" type="password" autocomplete="new-password"
      aria-describedby="hint-basicPassword\(raw: fault == nil ? "" : " error-password")"\(raw: fault == nil ? "" : " aria-invalid=\"true\"")></label>
      \(fault)<p class="hint" id="hint-basicPassword">\(t("At least 10 characters. Leave it empty to generate a password; it is shown once."))</p>
      """
  }

  // MARK: rules

  func rules(_ service: PhoneService) -> HTML {
    let standard = PhoneService(agency: "", changed: service.changed)
    func rate(
      _ legend: String, _ names: (String, String), _ setting: PhoneSetting,
      _ now: (Double, Double), _ otherwise: (Double, Double)
    ) -> HTML {
      """
      <fieldset><legend>\(legend)</legend>
      \(input(names.0, t("Requests per second"), text(now.0), setting, t("Default: {1}", text(otherwise.0)), saysFault: false))
      \(input(names.1, t("Burst"), text(now.1), setting, t("Default: {1}", text(otherwise.1))))
      </fieldset>
      """
    }
    let networks = error(.networks)
    let given = shown("networks", service.networks.joined(separator: "\n"))
    return """
      <section class="card"><h2>\(t("Rules"))</h2>
      <form class="fields" method="post" action="/phones/rules">\(hidden)
      <label>\(t("Allowed networks"))<textarea name="networks" rows="3" spellcheck="false"
      aria-describedby="hint-networks\(raw: networks == nil ? "" : " error-networks")"\(raw: networks == nil ? "" : " aria-invalid=\"true\"")>\(given)</textarea></label>
      \(networks)<p class="hint" id="hint-networks">\(t("One per line, such as 192.0.2.0/24 or 2001:db8::/32. Leave empty for any, and always behind a proxy: every phone then has the proxy's address."))</p>
      \(zone(service.zone))
      \(input("loginHours", t("Hours until a login expires"), text(service.loginSeconds / 3600), .loginHours, "\(t("More than 0, at most 10,000. Then phones ask for the password again.")) \(t("Default: {1}", text(standard.loginSeconds / 3600)))"))
      <fieldset><legend>\(t("Leading bits of the login's network"))</legend>
      \(input("networkBits4", t("IPv4, 0 to 32"), "\(service.networkBits4)", .sameNetwork, t("Default: {1}", standard.networkBits4), saysFault: false))
      \(input("networkBits6", t("IPv6, 0 to 128"), "\(service.networkBits6)", .sameNetwork, t("Default: {1}", standard.networkBits6)))
      <p class="hint">\(t("A login is valid only in the network where it was made. Fewer bits mean a larger network; 0 means any network. If you change these numbers, everybody must log in again."))</p></fieldset>
      \(rate(t("Requests per inspector"), ("requestsPerSecond", "requestBurst"), .requests, (service.requestsPerSecond, service.requestBurst), (standard.requestsPerSecond, standard.requestBurst)))
      \(rate(t("Login attempts per address"), ("loginsPerSecond", "loginBurst"), .logins, (service.loginsPerSecond, service.loginBurst), (standard.loginsPerSecond, standard.loginBurst)))
      <p class="actions"><button class="button primary">\(t("Save the rules"))</button></p></form></section>
      """
  }

  private func zone(_ now: String) -> HTML {
    input(
      "zone", t("Time zone"), now, .zone,
      t(
        "For times without a zone: iOS sends such times, and phones get them. For example Europe/Prague; leave empty for UTC."
      ),
      more: "maxlength=\"64\" spellcheck=\"false\" autocomplete=\"off\"")
  }

  // MARK: no phones

  func off(_ service: PhoneService) -> HTML {
    """
    <section class="card"><h2>\(t("Disable phones"))</h2>
    <details><summary>\(t("Turn off"))</summary>
    <p>\(t("This ends all logins on phones and deletes the address, the credentials and the rules. To enable phones again, you must enter a new address in each of them. Data that arrived are kept."))</p>
    <form method="post" action="/phones/off">\(hidden)
    <button class="button danger">\(t("Disable phones"))</button></form></details></section>
    """
  }

  // MARK: fields

  private func error(_ setting: PhoneSetting) -> HTML? {
    state.faults[setting].map {
      "<p class=\"field-error\" id=\"error-\(setting.rawValue)\">\($0)</p>"
    }
  }

  /// Returns a field's text: input that was not taken is shown again, wrong or not.
  private func shown(_ name: String, _ now: String) -> String { state.given?.exact(name) ?? now }

  /// Draws a field with its error and its hint. Of two fields of one setting only the second shows
  /// the error.
  private func input(
    _ name: String, _ label: String, _ now: String, _ setting: PhoneSetting, _ hint: String?,
    more: String = "maxlength=\"20\" inputmode=\"decimal\" autocomplete=\"off\"",
    saysFault: Bool = true
  ) -> HTML {
    let fault = error(setting)
    let described = [
      hint.map { _ in "hint-\(name)" }, fault.map { _ in "error-\(setting.rawValue)" },
    ].compactMap(\.self).joined(separator: " ")
    return """
      <label>\(label)<input name="\(name)" value="\(shown(name, now))" \(raw: more)\
      \(described.isEmpty ? nil : " aria-describedby=\"\(described)\"" as HTML)\
      \(raw: fault == nil ? "" : " aria-invalid=\"true\"")></label>
      \(saysFault ? fault : nil)\(hint.map { "<p class=\"hint\" id=\"hint-\(name)\">\($0)</p>" as HTML })
      """
  }

  /// Returns a number as people write it.
  private func text(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
