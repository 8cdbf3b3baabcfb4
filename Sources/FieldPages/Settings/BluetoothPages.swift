import FieldUnit
import Foundation
import Guide
import Receivers
import Web

/// The routes and parts of pages for finding and pairing a Bluetooth receiver.
struct BluetoothPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.receiver

  func add(to routes: inout Routes) {
    routes.post("/settings/scan") { request in
      try await reading(request) { reader in
        do {
          let devices = try await server.withBluetooth { try await $0.scan(seconds: 6) }
          return try await ReceiverPages(server: server).receiver(
            reader, below: list(devices, reader))
        } catch let error as BluetoothFailure {
          return try await ReceiverPages(server: server).receiver(reader, refusal: t(error.wording))
        }
      }
    }
    routes.post("/settings/pair") { request in
      try await reading(request) { reader in
        let form = try await request.form()
        guard let address = form["address"].flatMap({ BluetoothAddress($0) }) else {
          return try await ReceiverPages(server: server).receiver(
            reader, refusal: t("a Bluetooth address is AA:BB:CC:DD:EE:FF"))
        }
        do {
          try server.beginPairing(with: address, pin: form["pin"])
          return .redirect("/settings/receiver")
        } catch let error as BluetoothFailure {
          return try await ReceiverPages(server: server).receiver(reader, refusal: t(error.wording))
        }
      }
    }
    routes.post("/settings/pair/answer") { request in
      try await reading(request) { _ in
        let form = try await request.form()
        // A page that was left open must not answer another device's question.
        if let run = server.pairing, form["address"] == "\(run.address)" {
          run.answer(form["number"] ?? "", isSame: form["same"] == "yes")
        }
        return .redirect("/settings/receiver")
      }
    }
    routes.get("/live/pairing") { request in
      try await reading(request) { reader in
        .events(live(of: reader.unit) { pairingFragment(reader) })
      }
    }
  }

  /// True while a pairing goes on.
  var isPairing: Bool { server.pairing.map { $0.progress.ending == nil } ?? false }

  /// Returns the progress of the pairing that was begun here, or its outcome; nil if there was
  /// none.
  func pairing(_ reader: Reader) -> HTML? {
    guard server.pairing != nil else { return nil }
    let live: HTML? = isPairing ? " data-live=\"/live/pairing\"" : nil
    return "<section class=\"card\"\(live)>\(pairingFragment(reader))</section>"
  }

  private func pairingFragment(_ reader: Reader) -> HTML {
    guard let run = server.pairing else { return "" }
    let progress = run.progress
    let words = progress.words.map { line -> HTML in "<li>\(t(line))</li>" }
    let end: HTML
    switch progress.ending {
    case nil:
      end =
        progress.question.map { number in
          """
          <form method="post" action="/settings/pair/answer">\(reader.request.formField)
          <input type="hidden" name="address" value="\("\(run.address)")"><input type="hidden" name="number" value="\(number)">
          <p>\(t("Does the device show this number?"))</p><p class="code">\(number)</p>
          <p class="actions"><button class="button primary" name="same" value="yes">\(t("Yes, the same"))</button>
          <button class="button" name="same" value="no">\(t("No"))</button></p></form>
          """
        } ?? "<p class=\"muted\">\(t("This takes a few seconds …"))</p>"
    case .paired:
      end = "<p class=\"light light-good\">\(t("Paired"))</p>\(use(run.address, reader))"
    case .refused(let words):
      end = "<p class=\"light light-bad\">\(t(words))</p>\(pair(run.address, reader))"
    }
    return """
      <h2>\(t("Pairing"))</h2><p><code>\("\(run.address)")</code></p><ul>\(words)</ul>\(end)
      """
  }

  private func list(_ devices: [BluetoothDevice], _ reader: Reader) -> HTML {
    guard !devices.isEmpty else {
      return """
        <section class="card"><h2>\(t("Bluetooth"))</h2>
        <p class="light light-warn">\(t("No device in range: is the receiver switched on and visible?"))</p></section>
        """
    }
    let rows = devices.map { device -> HTML in
      let port =
        switch device.offersSerialPort {
        case true: t("serial port")
        case false: t("no serial port")
        default: t("services unknown")
        }
      let words = [
        device.kind.map { t($0) }, device.signalDecibelMilliwatts.map { "\($0) dBm" }, port,
      ]
      .compactMap(\.self).joined(separator: ", ")
      return """
        <li><h3>\(device.name ?? t("without a name"))</h3>
        <p class="muted"><code>\("\(device.address)")</code> \(words)</p>
        \(device.isPaired ? use(device.address, reader) : pair(device.address, reader))</li>
        """
    }
    return
      "<section class=\"card\"><h2>\(t("In range"))</h2><ul class=\"plain\">\(rows)</ul></section>"
  }

  private func pair(_ address: BluetoothAddress, _ reader: Reader) -> HTML {
    """
    <form class="fields" method="post" action="/settings/pair">\(reader.request.formField)
    <input type="hidden" name="address" value="\("\(address)")">
    <label>\(t("PIN, if it has one"))<input name="pin" inputmode="numeric" autocomplete="off" list="pins" maxlength="16"></label>
    <datalist id="pins"><option value="0000"><option value="1234"></datalist>
    <p class="actions"><button class="button">\(t("Pair"))</button></p></form>
    """
  }

  private func use(_ address: BluetoothAddress, _ reader: Reader) -> HTML {
    """
    <form method="post" action="/settings/receiver">\(reader.request.formField)
    <input type="hidden" name="receiver" value="bluetooth://\("\(address)")">
    <p class="actions"><button class="button primary">\(t("Use this receiver"))</button></p></form>
    """
  }
}
