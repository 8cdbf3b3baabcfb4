import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@testable import Web

@Suite("Event streams") struct EventTests {
  @Test("each line of a piece is a line of its event")
  func format() {
    #expect(EventWriter.event("<p>a</p>") == "data: <p>a</p>\n\n")
    #expect(EventWriter.event("a\nb\r\nc\rd\n") == "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n")
    // A text that looks like a field of the protocol is no field.
    #expect(EventWriter.event("\(raw: "\n\nevent: x")") == "data: \ndata: \ndata: event: x\n\n")
  }

  @Test("a slow reader finds the latest piece and not every one")
  func latest() async {
    let mailbox = EventMailbox()
    for number in 0..<100 { mailbox.put("\(number)") }
    #expect(mailbox.take() == "99")
    #expect(mailbox.take() == nil)
    mailbox.nudge()
    mailbox.finish()
    var wakes = 0
    for await _ in mailbox.wakes { wakes += 1 }
    #expect(wakes == 1)
  }

  @Test("a sign of life takes no piece's place, and a script can see it")
  func sign() async throws {
    let mailbox = EventMailbox()
    mailbox.put("a")
    mailbox.put(.empty)
    #expect(mailbox.take() == "a" && mailbox.takeSign() && !mailbox.takeSign())
    let (pieces, source) = AsyncStream.makeStream(of: HTML.self)
    var routes = Routes()
    routes.get("/live") { _ in .events(pieces) }
    source.yield(.empty)
    source.finish()
    try await withServer(routes) { server in
      let answer = try await server.get("/live")
      #expect(answer.body.contains("event: alive\ndata: 1\n\n"))
    }
  }

  @Test("pieces arrive as they are made, and the answer ends with the stream")
  func stream() async throws {
    let (pieces, source) = AsyncStream.makeStream(of: HTML.self)
    var routes = Routes()
    routes.get("/live") { _ in .events(pieces) }
    try await withServer(routes) { server in
      let answer = try await server.client.execute(
        HTTPClientRequest(url: "\(server.origin)/live"), timeout: .seconds(300))
      #expect(answer.headers.first(name: "content-type") == "text/event-stream; charset=utf-8")
      #expect(answer.headers.first(name: "cache-control") == "no-store")
      var text = ""
      for try await chunk in answer.body {
        // On a busy machine a sign of life may come between two pieces.
        text = (text + String(buffer: chunk)).replacing(": alive\n\n", with: "")
        if text == "retry: 2000\n\n" { source.yield("<b>1</b>") }
        if text.hasSuffix("<b>1</b>\n\n") { source.yield("\("<")") }
        if text.hasSuffix("&lt;\n\n") {
          source.yield("last")
          source.finish()
        }
      }
      #expect(text == "retry: 2000\n\ndata: <b>1</b>\n\ndata: &lt;\n\ndata: last\n\n")
    }
  }

  @Test("silence is broken by signs of life, by which a browser that left is noticed")
  func heartbeat() async throws {
    var configuration = testConfiguration()
    configuration.heartbeatSeconds = 0.02
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    var routes = Routes()
    routes.get("/live") { _ in
      .events(AsyncStream { stream in stream.onTermination = { _ in end.finish() } })
    }
    try await withServer(routes, configuration: configuration) { server in
      let beginning = try await RawConnection.exchange(
        port: server.port, ["GET /live HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"],
        until: ": alive\n\n")
      #expect(beginning.contains("retry: 2000"))
      // The client is gone. This returns when the server has let go of the handler's stream.
      for await _ in ended {}
    }
  }

  @Test("more streams than allowed are answered busy, and do not keep pages waiting")
  func bound() async throws {
    var configuration = testConfiguration()
    configuration.eventStreamsAtMost = 1
    configuration.requestsAtMost = 1
    var routes = sampleRoutes()
    routes.get("/live") { _ in .events(AsyncStream { _ in }) }
    try await withServer(routes, configuration: configuration) { server in
      let first = try await server.client.execute(
        HTTPClientRequest(url: "\(server.origin)/live"), timeout: .seconds(300))
      #expect(first.status == .ok)
      let second = try await server.get("/live")
      #expect(second.status == 503)
      #expect(second.body.contains("busy"))
      #expect(try await server.get("/form").status == 200)
    }
  }
}

@Suite("Running a server") struct RunningTests {
  @Test("an open stream that nobody reads does not hold the server up when it stops")
  func shutdown() async throws {
    var configuration = testConfiguration()
    // The time is so long that a stream which waited for it would be seen, however busy the machine
    // is.
    configuration.shutdownSeconds = 300
    let (pieces, source) = AsyncStream.makeStream(of: HTML.self)
    var routes = Routes()
    routes.get("/live") { _ in .events(pieces) }
    let stop = Mutex(ContinuousClock.now)
    let open = Mutex<HTTPClientResponse?>(nil)
    try await withServer(routes, configuration: configuration) { server in
      let answer = try await server.client.execute(
        HTTPClientRequest(url: "\(server.origin)/live"), timeout: .seconds(300))
      #expect(answer.status == .ok)
      open.withLock { $0 = answer }
      stop.withLock { $0 = .now }
    }
    #expect(ContinuousClock.now - stop.withLock { $0 } < .seconds(120))
    open.withLock { $0 = nil }
    source.finish()
  }

  @Test("a request that is being answered is answered to its end")
  func graceful() async throws {
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let (leave, left) = AsyncStream.makeStream(of: Void.self)
    var routes = Routes()
    routes.get("/slow") { _ in
      enter.finish()
      _ = try await firstElement(of: leave)
      return .json(Array("whole".utf8))
    }
    let outcome = Mutex<Task<TestServer.Answer, any Error>?>(nil)
    let client = Mutex<HTTPClient?>(nil)
    try await withServer(routes) { server in
      // The client is not the server's, since the answer comes after `body` has returned.
      let own = HTTPClient(eventLoopGroupProvider: .singleton)
      client.withLock { $0 = own }
      let other = TestServer(
        port: server.port, client: own, scheme: server.scheme, log: server.log)
      outcome.withLock { $0 = Task { try await other.get("/slow") } }
      for await _ in entered {}
      // The server is cancelled now; the handler goes on afterwards.
      Task { left.finish() }
    }
    let task = outcome.withLock { $0 }
    #expect(try await task?.value.body == "whole")
    try await client.withLock { $0 }?.shutdown()
  }

  @Test("a handler that hears nothing does not keep the server for ever")
  func deaf() async throws {
    var configuration = testConfiguration()
    configuration.shutdownSeconds = 1
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let stuck = Mutex<CheckedContinuation<Void, Never>?>(nil)
    var routes = Routes()
    routes.get("/deaf") { _ in
      await withCheckedContinuation { waiter in
        stuck.withLock { $0 = waiter }
        enter.finish()
      }
      return .empty()
    }
    let stop = Mutex(ContinuousClock.now)
    try await withServer(routes, configuration: configuration) { server in
      Task { try await server.get("/deaf") }
      for await _ in entered {}
      stop.withLock { $0 = .now }
    }
    // The handler has one second to finish and one more; the rest is for a busy machine.
    #expect(ContinuousClock.now - stop.withLock { $0 } < .seconds(120))
    stuck.withLock { $0 }?.resume()
  }

  @Test("a server that is cancelled before it runs returns at once")
  func cancelledEarly() async throws {
    let server = WebServer(
      configuration: testConfiguration(), routes: Routes(), problemPage: { _, _ in .empty })
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await server.run()
    }
    try await task.value
  }

  @Test("a port in use is said in words, with host, port and what to do")
  func portInUse() async throws {
    try await withServer(Routes()) { first in
      let second = WebServer(
        configuration: testConfiguration(port: first.port), routes: Routes(),
        problemPage: { _, _ in .empty })
      let error = await #expect(throws: WebError.self) { try await second.run() }
      #expect(
        error
          == .portUnavailable(
            host: "127.0.0.1", port: first.port, reason: "Address already in use"))
      #expect(error?.code == "port-unavailable")
      #expect(error?.description.contains("127.0.0.1 port \(first.port)") == true)
    }
  }

  @Test("requests beyond the bound are answered busy")
  func busy() async throws {
    var configuration = testConfiguration()
    configuration.requestsAtMost = 1
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let (leave, left) = AsyncStream.makeStream(of: Void.self)
    var routes = sampleRoutes()
    routes.get("/slow") { _ in
      enter.finish()
      _ = try await firstElement(of: leave)
      return .empty()
    }
    try await withServer(routes, configuration: configuration) { server in
      async let slow = server.get("/slow")
      for await _ in entered {}
      let other = try await server.get("/form", [("Accept", "application/json")])
      #expect(other.status == 503)
      #expect(other.code == "busy")
      left.finish()
      #expect(try await slow.status == 204)
    }
  }
}
