import TestSupport
import Testing

@testable import Web

@Suite("Connections that ask for nothing")
struct ConnectionGateTests {
  @Test("an address has its share of silent and of all connections, and gets it back")
  func counts() {
    let counts = ConnectionCounts(openAtMost: 5, silentAtMost: 2)
    #expect(counts.enter("a") && counts.enter("a"))
    #expect(!counts.enter("a"))
    #expect(counts.enter("b"))
    counts.asked("a")
    #expect(counts.enter("a"))
    #expect(!counts.enter("a"))
    counts.asked("a")
    counts.asked("a")
    #expect(counts.enter("a") && counts.enter("a"))
    // Five are open now, two of them silent.
    counts.leave("a", hasAsked: false)
    #expect(counts.enter("a"))
    #expect(!counts.enter("a"))
    for _ in 0..<3 { counts.leave("a", hasAsked: true) }
    for _ in 0..<2 { counts.leave("a", hasAsked: false) }
    counts.leave("b", hasAsked: false)
    #expect(counts.addresses == 0)
  }

  @Test("half a head is waited for no longer than the deadline, and others are answered meanwhile")
  func deadline() async throws {
    var configuration = testConfiguration()
    configuration.headSeconds = 0.3
    try await withServer(sampleRoutes(), configuration: configuration) { server in
      // Only the deadline can end this connection: an idle one lasts for an hour.
      let silent = try await RawConnection.exchange(
        port: server.port, ["GET / HTTP/1.1\r\nHost: 127.0"])
      #expect(silent == "")
      #expect(try await server.get("/form").status == 200)
    }
  }

  @Test("one address cannot hold the connections of all others")
  func halfOpen() async throws {
    var configuration = testConfiguration()
    configuration.headSeconds = 600
    configuration.silentConnectionsPerAddressAtMost = 20
    try await withServer(sampleRoutes(), configuration: configuration) { server in
      var held: [RawConnection.Silent] = []
      for _ in 0..<20 { held.append(try RawConnection.Silent(port: server.port)) }
      // The first connection that is not let in shows that all the others were counted.
      let surplus = try await RawConnection.exchange(
        port: server.port, ["GET / HTTP/1.1\r\nHost: 127.0"])
      #expect(surplus == "")
      let other = try await RawConnection.exchange(
        port: server.port,
        ["GET /form HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n"],
        from: "127.0.0.2")
      #expect(other.hasPrefix("HTTP/1.1 200"))
      held.removeAll()
    }
  }

  @Test("only a named proxy is believed about who asks, and of its list the last entry")
  func proxies() async throws {
    var routes = sampleRoutes()
    routes.get("/who") { request in .json(Array("\"\(request.remoteAddress ?? "-")\"".utf8)) }
    for (proxies, sent, expected) in [
      ([], "192.0.2.1", "127.0.0.1"), (["127.0.0.1"], "192.0.2.1", "192.0.2.1"),
      (["127.0.0.1"], "192.0.2.1, 198.51.100.2", "198.51.100.2"),
      (["127.0.0.1"], "nonsense", "127.0.0.1"), (["127.0.0.9"], "192.0.2.1", "127.0.0.1"),
    ] as [(Set<String>, String, String)] {
      var configuration = testConfiguration()
      configuration.proxies = proxies
      try await withServer(routes, configuration: configuration) { server in
        let answer = try await server.get("/who", [("X-Forwarded-For", sent)])
        #expect(answer.body == "\"\(expected)\"", "\(proxies) \(sent)")
      }
    }
  }
}
