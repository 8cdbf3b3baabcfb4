import TestSupport
import Testing

@testable import Web

@Suite("The guard of sign-ins")
struct SignInGuardTests {
  /// Tries so often with a wrong password, and returns the number of tries that were told to wait.
  private func guess(
    _ count: Int, _ login: String, from line: String, at seconds: Double = 0,
    _ guardian: inout SignInGuard
  ) -> Int {
    (0..<count).count { _ in guardian.begin(login: login, line: line, at: seconds) != nil }
  }

  @Test("a stranger's wrong passwords make no owner wait who signs in from elsewhere")
  func strangers() {
    var guardian = SignInGuard()
    #expect(guess(6, "otto", from: "192.0.2.1", &guardian) == 1)
    #expect(guardian.begin(login: "otto", line: "198.51.100.7", at: 1) == nil)
  }

  @Test("one line may fail twenty times, whatever the login, and then has to wait")
  func lines() {
    var guardian = SignInGuard()
    let waits = (0..<25).map {
      guardian.begin(login: "login-\($0)", line: "192.0.2.1", at: 0) != nil
    }
    #expect(waits.firstIndex(of: true) == SignInGuard.failuresPerLineAtMost)
    #expect(waits.suffix(5).allSatisfy { $0 })
    #expect(guardian.begin(login: "login-30", line: "192.0.2.2", at: 0) == nil)
  }

  @Test("a crowd of lines may fail a hundred times for one login, and then has to wait")
  func crowds() {
    var guardian = SignInGuard()
    let waits = (0..<120).map {
      guardian.begin(login: "otto", line: "192.0.2.\($0)", at: 0) != nil
    }
    #expect(waits.firstIndex(of: true) == SignInGuard.failuresPerLoginAtMost)
    #expect(guardian.begin(login: "olga", line: "192.0.2.200", at: 0) == nil)
  }

  @Test(
    "where somebody has signed in before, neither the line's nor the crowd's failures make them wait"
  )
  func known() {
    var guardian = SignInGuard()
    #expect(guardian.begin(login: "otto", line: "192.0.2.1", at: 0) == nil)
    guardian.succeeded(login: "otto", line: "192.0.2.1")
    for number in 0..<150 {
      _ = guardian.begin(login: "otto", line: "198.51.100.\(number)", at: 1)
      _ = guardian.begin(login: "login-\(number)", line: "192.0.2.1", at: 1)
    }
    #expect(guardian.begin(login: "otto", line: "203.0.113.9", at: 1) != nil)
    #expect(guardian.begin(login: "olga", line: "192.0.2.1", at: 1) != nil)
    #expect(guardian.begin(login: "otto", line: "192.0.2.1", at: 1) == nil)
  }

  @Test("a right password forgives its own try and none of the others")
  func forgiven() {
    var guardian = SignInGuard()
    for _ in 0..<100 {
      #expect(guardian.begin(login: "otto", line: "192.0.2.1", at: 0) == nil)
      guardian.succeeded(login: "otto", line: "192.0.2.1")
    }
    for number in 0..<SignInGuard.failuresPerLineAtMost {
      #expect(guardian.begin(login: "login-\(number)", line: "192.0.2.1", at: 0) == nil)
    }
    #expect(guardian.begin(login: "another", line: "192.0.2.1", at: 0) != nil)
  }

  @Test("a try that is taken back counts for nothing, and forgives none of the others")
  func takenBack() {
    var guardian = SignInGuard()
    for _ in 0..<200 {
      #expect(guardian.begin(login: "otto", line: "192.0.2.1", at: 0) == nil)
      guardian.takeBack(login: "otto", line: "192.0.2.1")
    }
    #expect(guess(4, "otto", from: "192.0.2.1", &guardian) == 0)
    #expect(guardian.begin(login: "otto", line: "192.0.2.1", at: 0) == nil)
    guardian.takeBack(login: "otto", line: "192.0.2.1")
    #expect(guess(2, "otto", from: "192.0.2.1", &guardian) == 1)
  }

  @Test("tries count from their beginning: as many at once are not more than one after the other")
  func atOnce() {
    var guardian = SignInGuard()
    // No try has been answered when the next one begins.
    #expect(guess(1000, "otto", from: "192.0.2.1", &guardian) == 995)
  }

  @Test("waits end: a line that has guessed may try again after at most a quarter of an hour")
  func patience() {
    var guardian = SignInGuard()
    _ = guess(1000, "otto", from: "192.0.2.1", &guardian)
    #expect(guardian.begin(login: "otto", line: "192.0.2.1", at: 901) == nil)
  }

  @Test("an IPv6 line is its first 64 bits, and an IPv4 address is itself in either dress")
  func names() {
    #expect(NetworkLine.name(of: "2001:db8::1") == NetworkLine.name(of: "2001:db8::ffff:2"))
    #expect(NetworkLine.name(of: "2001:db8::1") != NetworkLine.name(of: "2001:db8:0:1::1"))
    #expect(NetworkLine.name(of: "192.0.2.1") == "192.0.2.1")
    #expect(NetworkLine.name(of: "::ffff:192.0.2.1") == "192.0.2.1")
    #expect(NetworkLine.name(of: nil) == NetworkLine.unknown)
    #expect(NetworkLine.name(of: "no address") == NetworkLine.unknown)
  }
}
