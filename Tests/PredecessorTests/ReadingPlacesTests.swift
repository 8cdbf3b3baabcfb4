import OfficeScenes
import Synchronization
import Testing

@testable import Office
@testable import OfficePages
@testable import Predecessor

@Suite("Bodies with photos are read in turns", .timeLimit(.minutes(1)))
struct ReadingPlacesTests {
  @Test("those beyond the places wait, and get one in the order in which they came")
  func order() {
    var places = ReadingPlaces(atOnce: 2, quietSeconds: 0.25, longestSeconds: 1)
    var granted: [Bool] = []
    for number in 1...4 { granted.append(places.ask(number, at: 0)) }
    #expect(granted == [true, true, false, false])
    #expect(changed(&places) { $0.ask(1, at: 0.1) })
    #expect(changed(&places) { $0.leave(2, at: 0.1) } == [3])
    #expect(changed(&places) { $0.leave(1, at: 0.1) } == [4])
    #expect(!places.hasWaiting)
  }

  @Test("a slow one gives its place up after a while although it brings something")
  func slow() {
    var places = ReadingPlaces(atOnce: 1, quietSeconds: 0.25, longestSeconds: 1)
    #expect(changed(&places) { $0.ask(1, at: 0) })
    #expect(changed(&places) { $0.ask(2, at: 0.1) } == false)
    #expect(changed(&places) { $0.goOn(1, at: 0.9) })
    #expect(changed(&places) { $0.grant(at: 0.9) } == [])
    #expect(changed(&places) { $0.grant(at: 1) } == [2])
    // A slow reader takes its turn among those that have not begun.
    for number in [1, 3, 4] { #expect(changed(&places) { $0.ask(number, at: 1) } == false) }
    #expect(changed(&places) { $0.leave(2, at: 1) } == [1])
    #expect(changed(&places) { $0.ask(2, at: 1) } == false)
    #expect(changed(&places) { $0.leave(1, at: 1) } == [3])
  }

  @Test("a quiet one gives its place to who waits, and comes back before those that have not begun")
  func quiet() {
    var places = ReadingPlaces(atOnce: 1, quietSeconds: 0.25, longestSeconds: 1)
    #expect(changed(&places) { $0.ask(1, at: 0) })
    #expect(changed(&places) { $0.ask(2, at: 0.1) } == false)
    #expect(changed(&places) { $0.grant(at: 0.2) } == [])
    #expect(changed(&places) { $0.grant(at: 0.25) } == [2])
    #expect(changed(&places) { $0.ask(3, at: 0.3) } == false)
    #expect(changed(&places) { $0.goOn(1, at: 0.3) } == false)
    #expect(changed(&places) { $0.ask(1, at: 0.3) } == false)
    #expect(changed(&places) { $0.leave(2, at: 0.3) } == [1])
    #expect(changed(&places) { $0.leave(1, at: 0.3) } == [3])
  }

  @Test("nobody loses a place while nobody waits, and none that has come whole loses it at all")
  func kept() {
    var places = ReadingPlaces(atOnce: 1, quietSeconds: 0.25, longestSeconds: 1)
    #expect(changed(&places) { $0.ask(1, at: 0) })
    #expect(changed(&places) { $0.grant(at: 100) } == [])
    #expect(changed(&places) { $0.goOn(1, at: 100) })
    places.hold(1)
    #expect(changed(&places) { $0.ask(2, at: 100) } == false)
    #expect(changed(&places) { $0.grant(at: 200) } == [])
    #expect(changed(&places) { $0.leave(1, at: 200) } == [2])
  }

  @Test("one that breaks off while it waits is given nothing")
  func gone() {
    var places = ReadingPlaces(atOnce: 1, quietSeconds: 0.25, longestSeconds: 1)
    #expect(changed(&places) { $0.ask(1, at: 0) })
    #expect(changed(&places) { $0.ask(2, at: 0) } == false)
    #expect(changed(&places) { $0.ask(3, at: 0) } == false)
    #expect(changed(&places) { $0.leave(2, at: 0) } == [])
    #expect(changed(&places) { $0.leave(1, at: 0) } == [3])
  }

  @Test("a hundred bodies at once are all read, never more than there are places for")
  func turns() async throws {
    let turns = ReadingTurns(atOnce: 4) { 0 }
    let counts = Held((now: 0, most: 0, done: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          try await turns.reading { turn in
            await turn.next()
            counts.value.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            for _ in 0..<5 {
              await turn.next()
              await Task.yield()
            }
            turn.hold()
            counts.value.withLock {
              $0.now -= 1
              $0.done += 1
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let (now, most, done) = counts.value.withLock { $0 }
    #expect(now == 0 && done == 100)
    #expect((1...4).contains(most))
  }

  @Test("a quiet one in the first place keeps nobody waiting for ever")
  func watch() async throws {
    let seconds = Held(0.0)
    let turns = ReadingTurns(atOnce: 1) {
      // Each look at this clock finds it later.
      seconds.value.withLock {
        $0 += 0.1
        return $0
      }
    }
    let (began, start) = AsyncStream<Void>.makeStream()
    let (ended, end) = AsyncStream<Void>.makeStream()
    async let slow: Void = turns.reading { turn in
      await turn.next()
      start.finish()
      for await _ in ended {}
    }
    for await _ in began {}
    try await turns.reading { await $0.next() }
    end.finish()
    try await slow
  }
}

/// Returns the result of a change, which an expectation cannot make on a variable itself.
private func changed<Value>(
  _ places: inout ReadingPlaces, _ change: (inout ReadingPlaces) -> Value
) -> Value { change(&places) }

/// A value that closures share.
private final class Held<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}
