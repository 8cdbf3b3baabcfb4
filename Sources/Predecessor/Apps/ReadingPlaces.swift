import Office
import Store
import Synchronization

/// The places for bodies that are read at the same time.
///
/// The problem: 500 phones send a photo each at once. If all bodies are read side by side, all of
/// them end at once, and the last phone hears seconds later that its photo was kept; meanwhile
/// pieces of all of them lie in memory. The solution: a few bodies are read to their end and kept,
/// and the others wait in order with most of their bytes still on the phones: TCP holds them back.
/// Slow phones keep no others waiting: a body that has brought nothing for a moment, or has not
/// come to its end for long, gives its place to a body that waits. When it has bytes again, it
/// waits in a queue of interrupted bodies. That queue and the queue of bodies that have not begun
/// are served in turn.
struct ReadingPlaces {
  /// The number of a body that is being read.
  typealias Number = Int

  private struct Place {
    var since: Double
    /// The time when the body last brought bytes, seconds; infinite once all of it has come, so
    /// that it never counts as quiet.
    var heard: Double
  }

  private let atOnce: Int
  private let quietSeconds: Double
  private let longestSeconds: Double
  private var places: [Number: Place] = [:]
  /// The bodies that had a place and lost it.
  private var interrupted: Set<Number> = []
  private var returning: [Number] = []
  private var beginning: [Number] = []
  private var isTurnOfReturning = true

  /// Creates places without bodies.
  /// - Parameters:
  ///   - atOnce: the number of places.
  ///   - quietSeconds: the time for which a body keeps its place without bytes while others wait.
  ///   - longestSeconds: the longest time for which a body keeps its place while others wait.
  init(atOnce: Int, quietSeconds: Double, longestSeconds: Double) {
    self.atOnce = atOnce
    self.quietSeconds = quietSeconds
    self.longestSeconds = longestSeconds
  }

  /// True if a body waits for a place.
  var hasWaiting: Bool { !returning.isEmpty || !beginning.isEmpty }

  /// Notes that a body has brought bytes.
  /// - Returns: true if it has a place.
  mutating func goOn(_ number: Number, at seconds: Double) -> Bool {
    guard places[number] != nil else { return false }
    places[number]?.heard = seconds
    return true
  }

  /// Asks for a place to read on.
  /// - Returns: true if the body has one; otherwise it waits, and `leave` or `grant` names it
  ///   later.
  mutating func ask(_ number: Number, at seconds: Double) -> Bool {
    if goOn(number, at: seconds) { return true }
    if !hasWaiting, places.count < atOnce {
      places[number] = Place(since: seconds, heard: seconds)
      return true
    }
    if interrupted.contains(number) { returning.append(number) } else { beginning.append(number) }
    return false
  }

  /// Holds the place of a body that is here as a whole, until it leaves.
  mutating func hold(_ number: Number) {
    if places[number] != nil { places[number] = Place(since: .infinity, heard: .infinity) }
  }

  /// Removes a body that has been answered or has broken off.
  /// - Returns: the bodies that have got a place now.
  mutating func leave(_ number: Number, at seconds: Double) -> [Number] {
    places[number] = nil
    interrupted.remove(number)
    returning.removeAll { $0 == number }
    beginning.removeAll { $0 == number }
    return grant(at: seconds)
  }

  /// Gives free places, and those of slow bodies, to bodies that wait.
  /// - Returns: the bodies that have got a place now.
  mutating func grant(at seconds: Double) -> [Number] {
    var granted: [Number] = []
    while hasWaiting {
      if places.count >= atOnce {
        guard let slow = slowest(at: seconds) else { break }
        places[slow] = nil
        interrupted.insert(slow)
      }
      let next = nextWaiting()
      places[next] = Place(since: seconds, heard: seconds)
      granted.append(next)
    }
    return granted
  }

  private func slowest(at seconds: Double) -> Number? {
    let slow = places.filter {
      seconds - $0.value.heard >= quietSeconds || seconds - $0.value.since >= longestSeconds
    }
    return slow.min { ($0.value.since, $0.key) < ($1.value.since, $1.key) }?.key
  }

  private mutating func nextWaiting() -> Number {
    if returning.isEmpty { return beginning.removeFirst() }
    if beginning.isEmpty { return returning.removeFirst() }
    defer { isTurnOfReturning.toggle() }
    if isTurnOfReturning { return returning.removeFirst() }
    return beginning.removeFirst()
  }
}

/// The turns of bodies that wait for their `ReadingPlaces`.
final class ReadingTurns: Sendable {
  private struct State {
    var places: ReadingPlaces
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var last = 0
    var isWatching = false
  }

  private let state: Mutex<State>
  private let seconds: @Sendable () -> Double
  private static let quietSeconds = 0.25
  private static let longestSeconds = 1.0

  /// Creates turns.
  /// - Parameters:
  ///   - atOnce: the number of bodies that are read at a time.
  ///   - seconds: a clock in seconds that never goes back.
  init(atOnce: Int, seconds: @escaping @Sendable () -> Double) {
    state = Mutex(
      State(
        places: ReadingPlaces(
          atOnce: atOnce, quietSeconds: Self.quietSeconds, longestSeconds: Self.longestSeconds)))
    self.seconds = seconds
  }

  /// Calls `body` with a turn, which has to be asked before each piece of the body is read.
  func reading<Value>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Turn) async throws -> Value
  ) async throws -> Value {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    defer { resume { [seconds] in $0.leave(number, at: seconds()) } }
    return try await body(Turn(turns: self, number: number))
  }

  /// The turn of one body.
  struct Turn: Sendable {
    fileprivate let turns: ReadingTurns
    fileprivate let number: Int

    /// Waits until the body may be read on.
    func next() async { await turns.next(number) }

    /// Holds the place: the body is here as a whole.
    func hold() { turns.state.withLock { $0.places.hold(number) } }
  }

  private func next(_ number: Int) async {
    // Nearly every call ends here, and costs no more than a lock.
    if state.withLock({ $0.places.goOn(number, at: seconds()) }) { return }
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      // Asking and waiting are one step: a place that becomes free in between would otherwise be
      // lost.
      let (resumed, watches) = state.withLock {
        state -> ([CheckedContinuation<Void, Never>], Bool) in
        let now = seconds()
        if state.places.ask(number, at: now) { return ([waiter], false) }
        state.waiting[number] = waiter
        defer { state.isWatching = true }
        return (Self.resumed(&state, state.places.grant(at: now)), !state.isWatching)
      }
      for waiter in resumed { waiter.resume() }
      if watches { Task { await watch() } }
    }
  }

  private func resume(_ change: (inout ReadingPlaces) -> [Int]) {
    let granted = state.withLock { state in
      let numbers = change(&state.places)
      return Self.resumed(&state, numbers)
    }
    for waiter in granted { waiter.resume() }
  }

  private static func resumed(
    _ state: inout State, _ numbers: [Int]
  ) -> [CheckedContinuation<Void, Never>] {
    numbers.compactMap { state.waiting.removeValue(forKey: $0) }
  }

  /// Looks for places that have become quiet. While bodies wait, no other call may come that would
  /// find them.
  private func watch() async {
    while true {
      try? await Task.sleep(for: .seconds(Self.quietSeconds / 2))
      resume { [seconds] in $0.grant(at: seconds()) }
      let isOver = state.withLock { state in
        if !state.places.hasWaiting { state.isWatching = false }
        return !state.isWatching
      }
      if isOver { return }
    }
  }
}
