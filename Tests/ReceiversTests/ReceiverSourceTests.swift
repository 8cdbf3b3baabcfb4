import Receivers
import Testing

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
      ("file:///a/b.nmea", .file(path: "/a/b.nmea", rate: 1)),
      ("file:///a/b.nmea?rate=max", .file(path: "/a/b.nmea", rate: .infinity)),
      ("file:///a/b.nmea?rate=20", .file(path: "/a/b.nmea", rate: 20)),
    ])
  func reads(text: String, source: ReceiverSource) throws {
    #expect(try ReceiverSource(text) == source)
    #expect(try ReceiverSource("\(source)") == source)
  }

  @Test(
    "anything else is refused with the text and a reason",
    arguments: [
      "", "gpsd", "http://x", "tcp://host", "tcp://host:0", "tcp://host:70000", "gpsd://host:x",
      "file://relative", "file:///a?rate=0", "file:///a?rate=-1", "file:///a?rate=nan",
      "file:///a?speed=2", "bluetooth://AA:BB:CC:DD:EE:FF", "serial:///dev/ttyACM0",
    ])
  func refuses(text: String) throws {
    let error = #expect(throws: ReceiverError.self) { try ReceiverSource(text) }
    #expect(error?.description.contains(text) == true)
  }
}
