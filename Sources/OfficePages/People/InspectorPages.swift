import Attestation
import Evidence
import Guide
import Inspection
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The page of the agency's inspectors, for the people who give them work: the tasks of each, those
/// that wait for a decision, the last delivery, and the devices.
struct InspectorPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.inspectors

  func add(to routes: inout Routes) {
    routes.get("/inspectors") { request in try await reading(request) { try await inspectors($0) } }
  }

  private func inspectors(_ reader: Reader) async throws -> WebResponse {
    let accounts = try await office.people.accounts(ofAgency: reader.agency).filter {
      $0.role == .inspector
    }
    let (tallies, devices, deliveries) = try await office.database.read(in: reader.agency) {
      session in
      let devices = try session.devices.devices(of: nil)
      return (
        try session.tasks.inspectorTallies(at: office.clock.deviceTime),
        Dictionary(grouping: devices, by: \.inspector),
        try session.deliveries.lastDeliveries(ofKeys: devices.map(\.key))
      )
    }
    let rows = try accounts.map { account in
      try row(
        account, tallies[account.login] ?? InspectorTally(), devices[account.login] ?? [],
        deliveries)
    }
    let table: HTML =
      rows.isEmpty
      ? "<div class=\"empty\"><p>\(t("No inspectors yet. An administrator can add them."))</p></div>"
      : """
      <table class="list"><thead><tr><th scope="col">\(t("Inspector"))</th>
      <th scope="col" class="number">\(t("Assigned"))</th><th scope="col" class="number">\(t("Overdue"))</th>
      <th scope="col" class="number">\(t("Waiting for a decision"))</th>
      <th scope="col" class="number">\(t("Photos without a task"))</th>
      <th scope="col" class="number">\(t("Tracks"))</th><th scope="col">\(t("Last delivery"))</th>
      <th scope="col">\(t("Devices"))</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return page(
      t("Inspectors"), reader, current: "/inspectors",
      """
      <h1>\(t("Inspectors"))</h1>
      <p class="muted">\(t("Only delivered data count: the office cannot see what is still on a device."))
      \(t("Whoever owns a device with its key in a file can sign anything with it; that a key is in a token is the device's word, unless its TPM has proven it."))</p>
      \(table)
      """)
  }

  private func row(
    _ account: Account, _ tally: InspectorTally, _ devices: [EnrolledDevice],
    _ deliveries: [String: DeviceTime]
  ) throws -> HTML {
    let whose = "inspector=\(AddressText.escaped(account.login))"
    func count(_ label: String, _ number: Int, _ address: String?) -> HTML {
      // A count of 0 is no link, since the list would be empty.
      let shown: HTML =
        number > 0 && address != nil
        ? "<a href=\"\(address ?? "")\">\(number)</a>" : "\(number)"
      return "<td class=\"number\" data-label=\"\(label)\">\(shown)</td>"
    }
    let last = devices.compactMap { deliveries[$0.key] }.max()
    let disabled: HTML? = account.disabled.map {
      "<br><span class=\"muted\">\(t.html("disabled since {1}", t.time($0)))</span>"
    }
    let overdue: HTML =
      tally.overdue > 0
      ? """
      <td class="number" data-label="\(t("Overdue"))"><a href="/tasks?\(whose)&amp;due=overdue"><strong>⚠ \(tally.overdue)</strong></a></td>
      """ : count(t("Overdue"), 0, nil)
    return """
      <tr><td data-label="\(t("Inspector"))"><a href="/tasks?\(whose)">\(account.title)</a><br>
      <span class="muted">\(account.login)</span>\(disabled)</td>
      \(count(t("Assigned"), tally.open, "/tasks?\(whose)&sort=due"))\(overdue)
      \(count(t("Waiting for a decision"), tally.waiting, "/tasks?\(whose)&state=dataProvided"))
      \(count(t("Photos without a task"), tally.photos, "/photos?\(whose)"))
      \(count(t("Tracks"), tally.tracks, "/tracks?\(whose)"))
      <td class="time" data-label="\(t("Last delivery"))">\(last.map(Self.time) ?? "—")</td>
      <td data-label="\(t("Devices"))">\(try devices.isEmpty ? "—" : lines(devices, deliveries))</td></tr>
      """
  }

  /// Says where a device's key is: by its TPM, or by its own word.
  private func keeping(of key: String) throws -> String {
    if let shown = try office.core.photos.attestation(ofKey: key)?.shown {
      let maker = (try? EndorsementKey(der: shown.makersCertificate))?.maker ?? ""
      return shown.root.map { t("key in a TPM, proven ({1}; {2} vouches for it)", maker, $0) }
        ?? t("key in a TPM, not proven ({1}; this office does not know its maker)", maker)
    }
    return switch try office.core.photos.keeping(ofKey: key) {
    case .file: t("key in a file")
    case .token(let maker, let model, _):
      t("key in a token: {1}", "\(maker) \(model)")
    }
  }

  private func lines(
    _ devices: [EnrolledDevice], _ deliveries: [String: DeviceTime]
  ) throws -> HTML {
    let items = try devices.map { device -> HTML in
      let keeping = try keeping(of: device.key)
      let state =
        device.revokedReason.map { t.html("revoked: {1}", $0) }
        ?? device.signedOut.map { t.html("signed out on {1}", t.time($0)) }
        ?? deliveries[device.key].map { t.html("last delivery {1}", t.time($0)) }
        ?? .text(t("nothing delivered yet"))
      return """
        <li><code>\(device.key.prefix(8))…</code> \(t("since")) \(t.day(of: device.enrolled))<br>
        <span class="muted">\(device.software ?? ""), \(keeping), \(state)</span></li>
        """
    }
    return "<ul>\(items)</ul>"
  }
}
