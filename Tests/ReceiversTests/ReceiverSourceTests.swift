import Positioning
import Receivers
import Testing
import TimeAndText

@Suite("What stands after --gnss")
struct ReceiverSourceTests {
  @Test(
    "sources are read as the contract has them",
    arguments: [
      ("gpsd://", ReceiverSource.gpsd(host: "localhost", port: 2947, device: nil)),
      ("gpsd://gate:2950", .gpsd(host: "gate", port: 2950, device: nil)),
      ("gpsd://gate/dev/ttyACM0", .gpsd(host: "gate", port: 2947, device: "/dev/ttyACM0")),
      ("gpsd://[::1]:2950", .gpsd(host: "::1", port: 2950, device: nil)),
      ("tcp://10.0.0.1:9001", .tcp(host: "10.0.0.1", port: 9001)),
      ("serial:///dev/ttyACM0?baud=115200", .serial(path: "/dev/ttyACM0", baud: 115_200)),
      ("serial:///dev/ttyUSB1", .serial(path: "/dev/ttyUSB1", baud: 9600)),
      ("file:///a/b.nmea", .file(path: "/a/b.nmea", rate: 1)),
      ("file:///a/b.nmea?rate=max", .file(path: "/a/b.nmea", rate: .infinity)),
      ("file:///a/b.nmea?rate=20", .file(path: "/a/b.nmea", rate: 20)),
    ])
  func reads(text: String, source: ReceiverSource) throws {
    #expect(try ReceiverSource(text) == source)
    #expect(try ReceiverSource("\(source)") == source)
  }

  @Test("a Bluetooth receiver is named by its address, its channel and the adapter")
  func bluetooth() throws {
    let address = try #require(BluetoothAddress("aa:bb:cc:dd:ee:0f"))
    #expect(address.description == "AA:BB:CC:DD:EE:0F")
    for (text, channel, adapter) in [
      ("bluetooth://AA:BB:CC:DD:EE:0F", nil, nil), ("bluetooth://AA:BB:CC:DD:EE:0F/3", 3, nil),
      ("bluetooth://AA:BB:CC:DD:EE:0F?adapter=hci1", nil, "hci1"),
      ("bluetooth://AA:BB:CC:DD:EE:0F/30?adapter=hci0", 30, "hci0"),
    ] as [(String, Int?, String?)] {
      let source = try ReceiverSource(text)
      #expect(source == .bluetooth(address: address, channel: channel, adapter: adapter))
      #expect("\(source)" == text)
    }
  }

  @Test(
    "anything else is refused with the text and a reason",
    arguments: [
      "", "gpsd", "http://x", "tcp://host", "tcp://host:0", "tcp://host:70000", "gpsd://host:x",
      "file://relative", "file:///a?rate=0", "file:///a?rate=-1", "file:///a?rate=nan",
      "file:///a?speed=2", "bluetooth://", "bluetooth://AA:BB:CC:DD:EE",
      "bluetooth://AA:BB:CC:DD:EE:GG",
      "bluetooth://AA:BB:CC:DD:EE:+F", "bluetooth://AA:BB:CC:DD:EE:FF/0",
      "bluetooth://AA:BB:CC:DD:EE:FF/31", "bluetooth://AA:BB:CC:DD:EE:FF/1/2",
      "bluetooth://AA:BB:CC:DD:EE:FF?adapter=eth0", "bluetooth://AA:BB:CC:DD:EE:FF?channel=1",
      "serial://ttyACM0", "serial:///dev/ttyACM0?baud=115201", "serial:///",
    ])
  func refuses(text: String) throws {
    let error = #expect(throws: ReceiverError.self) { try ReceiverSource(text) }
    #expect(error?.description.contains(text) == true)
  }
}
