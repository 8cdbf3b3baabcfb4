import Evidence
import FieldUnit
import Foundation
import Inspection
import MachineBus
import Positioning
import Store
import TestSupport
import Testing
import TimeAndText

@testable import PairedPhones

@Suite("The hotspot")
struct HotspotTests {
  private let access: HotspotAccess = {
    var random = SeededGenerator(seed: 7)
    return HotspotAccess(at: DeviceTime(millisecondsSince1970: 1_800_000_000_000), using: &random)
  }()

  private static let root = "/org/freedesktop/NetworkManager"
  private static let service = "org.freedesktop.NetworkManager"

  /// Returns a Wi-Fi as NetworkManager describes it.
  private func radio(
    _ name: String, state: Int64 = 30, capabilities: Int64 = 0x7F, connection: String = "/"
  ) -> BusValue {
    .dictionary([
      Self.service + ".Device": .dictionary([
        "Interface": .text(name), "State": .number(state), "ActiveConnection": .path(connection),
      ]),
      Self.service + ".Device.Wireless": .dictionary([
        "WirelessCapabilities": .number(capabilities)
      ]),
    ])
  }

  private func active(_ id: String, uuid: String, state: Int64 = 2) -> BusValue {
    .dictionary([
      Self.service + ".Connection.Active": .dictionary([
        "Id": .text(id), "Uuid": .text(uuid), "State": .number(state),
      ])
    ])
  }

  private func outlook(
    _ objects: [String: BusValue], isOn: Bool = true, radio: String? = nil
  ) throws(HotspotFailure) -> Hotspot.Outlook {
    var objects = objects
    objects[Self.root] = .dictionary([
      Self.service: .dictionary(["WirelessEnabled": .flag(isOn)])
    ])
    return try Hotspot.outlook(objects, access, radio: radio).outlook
  }

  @Test("its name and password fit a Wi-Fi, differ from device to device, and survive a file")
  func credentials() throws {
    var random = SeededGenerator(seed: 8)
    let other = HotspotAccess(
      at: DeviceTime(millisecondsSince1970: 1_800_000_000_000), using: &random)
    #expect(access.isUsable && other.isUsable)
    #expect(access.password != other.password && access.id != other.id)
    #expect(access.password.wholeMatch(of: /([a-z2-9]{4}-){3}[a-z2-9]{4}/) != nil)
    try withTemporaryDirectory { folder in
      let keys = folder.path + "/keys"
      let book = HotspotBook(keys: keys)
      #expect(try book.known() == nil)
      let made = try book.access(at: DeviceTime(millisecondsSince1970: 0))
      #expect(try book.access(at: DeviceTime(millisecondsSince1970: 1)) == made)
      let file = keys + "/hotspot.json"
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      for damaged in ["", "[]", #"{"name":"","password":"x","id":"y"}"#] {
        try Data(damaged.utf8).write(to: URL(filePath: file))
        #expect(throws: FieldUnitError.self) {
          _ = try book.access(at: DeviceTime(millisecondsSince1970: 2))
        }
      }
    }
  }

  @Test("the QR code's text marks what a phone would take for the end of a value")
  func joiningText() throws {
    #expect(
      access.joiningText == "WIFI:T:WPA;S:\(access.name);P:\(access.password);;")
    let text = #"{"name":"a;b:c\\d\"e,f","password":"12345678","id":"\#(access.id)"}"#
    let odd = try JSONDecoder().decode(HotspotAccess.self, from: Data(text.utf8))
    #expect(odd.joiningText == #"WIFI:T:WPA;S:a\;b\:c\\d\"e\,f;P:12345678;;"#)
  }

  @Test("a Wi-Fi that is in no network is taken first, and one that is in a network is named")
  func choice() throws {
    let objects = [
      "/d/0": radio("wlan0", state: 100, connection: "/a/1"), "/d/1": radio("wlan1"),
      "/a/1": active("Barley", uuid: "x"),
    ]
    #expect(try outlook(objects) == Hotspot.Outlook(radio: "wlan1", isUp: false))
    #expect(
      try outlook(objects, radio: "wlan0")
        == Hotspot.Outlook(radio: "wlan0", isUp: false, ends: "Barley"))
    let own = [
      "/d/0": radio("wlan0", state: 100, connection: "/a/2"), "/d/1": radio("wlan1"),
      "/a/2": active(access.name, uuid: access.id),
    ]
    #expect(try outlook(own) == Hotspot.Outlook(radio: "wlan0", isUp: true))
    let going = own.merging(["/a/2": active(access.name, uuid: access.id, state: 3)]) { $1 }
    #expect(try outlook(going).isUp == false, "it is going down")
    let coming = own.merging(["/a/2": active(access.name, uuid: access.id, state: 1)]) { $1 }
    #expect(
      try outlook(coming) == Hotspot.Outlook(radio: "wlan0", isUp: false, isRising: true))
    #expect(throws: HotspotFailure.upElsewhere(name: "wlan0")) {
      _ = try outlook(own, radio: "wlan1")
    }
  }

  @Test("a look moves the page's stage only by what was seen")
  func stages() {
    let up = HotspotDesk.Stage.up(access)
    let down = Hotspot.Outlook(radio: "wlan0", isUp: false)
    let rising = Hotspot.Outlook(radio: "wlan0", isUp: false, isRising: true)
    let isUp = Hotspot.Outlook(radio: "wlan0", isUp: true)
    let failed = HotspotDesk.Stage.failed("x")
    let ended = HotspotDesk.Stage.failed(HotspotFailure.ended.wording)
    for (stage, seen, next) in [
      (HotspotDesk.Stage.down, isUp, up), (.down, rising, .down), (.down, down, .down),
      (.rising, isUp, .rising), (.rising, down, .rising), (up, isUp, up), (up, rising, up),
      (up, down, ended), (failed, down, failed), (failed, isUp, up),
    ] {
      #expect(stage.seen(seen, access) == next, "\(stage), \(seen)")
    }
    let gone = HotspotFailure.noRadio(name: nil)
    #expect(up.lost(gone) == .failed(gone.wording))
    #expect(HotspotDesk.Stage.down.lost(gone) == .down && failed.lost(gone) == failed)
  }

  @Test("the settings are those of a closed network, for phones alone, that nothing keeps")
  func settings() {
    let settings = Hotspot.settings(access)
    #expect(settings["connection"]?["autoconnect"] == .flag(false))
    #expect(settings["802-11-wireless"]?["ssid"] == .bytes(Array(access.name.utf8)))
    #expect(settings["802-11-wireless"]?["ap-isolation"] == .signed(1))
    #expect(settings["802-11-wireless-security"]?["psk"] == .text(access.password))
    #expect(settings["ipv4"] == ["method": .text("shared"), "may-fail": .flag(false)])
  }

  @Test("each reason for no hotspot is its own")
  func reasons() {
    func reason(
      _ objects: [String: BusValue], isOn: Bool = true, radio: String? = nil
    ) -> HotspotFailure? {
      do {
        _ = try outlook(objects, isOn: isOn, radio: radio)
        return nil
      } catch {
        return error
      }
    }
    let one = ["/d/0": radio("wlan0")]
    #expect(reason([:]) == .noRadio(name: nil))
    #expect(reason(one, radio: "wlan7") == .noRadio(name: "wlan7"))
    #expect(reason(one, isOn: false) == .switchedOff)
    #expect(reason(["/d/0": radio("wlan0", state: 20)]) == .notReady(name: "wlan0"))
    #expect(reason(["/d/0": radio("wlan0", state: 10)]) == .unmanaged(name: "wlan0"))
    #expect(
      reason(["/d/0": radio("wlan0", capabilities: 0x3F)]) == .joinsOnly(name: "wlan0"))
    #expect(reason(one) == nil)
    for (name, failure) in [
      ("org.freedesktop.DBus.Error.ServiceUnknown", HotspotFailure.noService),
      ("org.freedesktop.DBus.Error.FileNotFound", .noService),
      ("org.freedesktop.DBus.Error.NoReply", .noAnswer),
      ("org.freedesktop.NetworkManager.PermissionDenied", .forbidden),
      ("org.freedesktop.NetworkManager.UnknownDevice", .refused(words: "no")),
    ] {
      #expect(HotspotFailure(BusFailure(name: name, words: "no")) == failure, "\(name)")
    }
  }

  @Test("objects that no NetworkManager gives are no trap")
  func hostile() {
    let odd: [BusValue] = [
      .text(""), .number(.min), .list([]), .dictionary([:]),
      .dictionary([
        Self.service + ".Device": .text("x"), Self.service + ".Device.Wireless": .flag(true),
      ]),
    ]
    for value in odd {
      #expect(throws: HotspotFailure.self) { _ = try outlook(["/d/0": value]) }
    }
  }
}
