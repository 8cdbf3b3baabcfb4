import Testing

@testable import Inspection

@Suite("The receivers that a policy allows")
struct AllowedReceiversTests {
  private func list(_ text: String) throws -> AllowedReceivers {
    try #require(AllowedReceivers(text: text), "\(text)")
  }

  @Test("kinds and addresses are read, written again as they are, and nothing else is taken")
  func reading() throws {
    for text in [
      "any", "gpsd", "gpsd bluetooth serial", "tcp",
      "bluetooth://00:11:22:33:44:55 serial:///dev/ttyACM0",
    ] {
      #expect(try list(text).text == text)
    }
    #expect(try list(" GPSD,  serial;gpsd ").text == "gpsd serial")
    for text in [
      "", "  ", "usb", "gpsd any", "any gpsd", "http://a", "gpsd://", "serial", "://x",
      "tcp://a\"b",
      "file:///a.nmea", "tcp://" + String(repeating: "a", count: 200),
      (1...40).map { "tcp://10.0.0.\($0):1" }.joined(separator: " "),
    ] where text != "serial" {
      #expect(AllowedReceivers(text: text) == nil, "\(text)")
    }
  }

  /// A receiver, the devices that its gpsd names, and the kind that it counts as.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String { "\(source) \(devices ?? [])" }
    var source: String
    var devices: Set<String>? = nil
    var kind: AllowedReceivers.Kind?
  }

  static let cases = [
    Case(source: "tcp://192.168.1.7:9000", kind: .tcp),
    Case(source: "bluetooth://00:11:22:33:44:55", kind: .bluetooth),
    Case(source: "serial:///dev/ttyACM0?baud=9600", kind: .serial),
    Case(source: "serial:///dev/pts/3?baud=9600", kind: nil),
    Case(source: "serial:///dev/ptyp0?baud=9600", kind: nil),
    Case(source: "gpsd://localhost:2947", kind: .gpsd),
    Case(source: "gpsd://127.0.0.1:2947", devices: ["/dev/ttyACM0"], kind: .gpsd),
    Case(source: "gpsd://[::1]:2947/dev/ttyUSB0", kind: .gpsd),
    Case(source: "gpsd://localhost:2947", devices: ["/dev/pts/4"], kind: nil),
    Case(source: "gpsd://localhost:2947/dev/pts/4", kind: nil),
    Case(source: "gpsd://localhost:10110", devices: [], kind: nil),
    Case(source: "gpsd://127.evil.example:2947", devices: ["/dev/ttyACM0"], kind: .tcp),
    Case(source: "gpsd://localhost:2947", devices: ["tcp://127.0.0.1:9000"], kind: .tcp),
    Case(
      source: "gpsd://localhost:2947", devices: ["/dev/ttyACM0", "udp://0.0.0.0:1"], kind: .tcp),
    Case(source: "gpsd://10.0.0.5:2947", kind: .tcp),
    Case(source: "gpsd://localhost.example.org:2947", kind: .tcp),
    Case(source: "carrier-pigeon://coop", kind: nil), Case(source: "", kind: nil),
  ]

  @Test("a receiver counts as what it really is connected by", arguments: cases)
  func kinds(_ one: Case) throws {
    #expect(AllowedReceivers.kind(of: one.source, devices: one.devices) == one.kind)
    for kind in AllowedReceivers.Kind.allCases {
      #expect(
        try list(kind.rawValue).allows(one.source, devices: one.devices) == (one.kind == kind))
    }
    #expect(AllowedReceivers.any.allows(one.source, devices: one.devices))
  }

  @Test("an address allows that receiver and what lies below it, and no other with a longer name")
  func addresses() throws {
    let bluetooth = try list("bluetooth://00:11:22:33:44:aa")
    #expect(bluetooth.allows("bluetooth://00:11:22:33:44:AA/3?adapter=hci0", devices: nil))
    #expect(!bluetooth.allows("bluetooth://00:11:22:33:44:AB", devices: nil))
    let serial = try list("serial:///dev/ttyACM1")
    #expect(serial.allows("serial:///dev/ttyACM1?baud=4800", devices: nil))
    #expect(!serial.allows("serial:///dev/ttyACM10?baud=4800", devices: nil))
    // A link that is allowed by its name must not lead to a pseudo-terminal.
    let link = try list("serial:///dev/gps")
    let path = "serial:///dev/gps?baud=9600"
    #expect(link.allows(path, resolved: "serial:///dev/ttyACM0?baud=9600", devices: nil))
    #expect(!link.allows(path, resolved: "serial:///dev/pts/3?baud=9600", devices: nil))
    #expect(try list("serial:///dev/pts/3").allows("serial:///dev/pts/3?baud=9600", devices: nil))
    let gpsd = try list("gpsd://localhost:2947")
    #expect(gpsd.allows("gpsd://localhost:2947/dev/ttyACM0", devices: nil))
    #expect(!gpsd.allows("gpsd://localhost:2947", devices: ["/dev/pts/1"]))
    #expect(!gpsd.allows("gpsd://localhost:2947", devices: []))
    #expect(!gpsd.allows("gpsd://localhost:29470", devices: nil))
    #expect(try list("gpsd://10.0.0.5:2947").allows("gpsd://10.0.0.5:2947", devices: []))
    #expect(
      try list("serial").allows("file:///walk.nmea?rate=max", devices: nil),
      "its photos say so themselves")
  }
}
