import Synchronization

/// Which bodies are read on at a time.
///
/// The problem: 500 phones send a photo each at once. Read side by side, all of them end at once, and the last of them
/// hears seconds later that it was kept; meanwhile pieces of all of them lie in memory. What is done: a few are read
/// to their end and kept, and the others wait in order with most of their bytes still on the phones, which is what
/// TCP is for. A body whose phone is slow holds no place: one that has brought nothing for a moment gives it to
/// whoever waits, and goes before those that have not begun when it has something again.
struct ReadingPlaces {
  /// A body that is being read.
  typealias Number = Int

  private let atOnce: Int
  private let quietSeconds: Double
  /// Who has a place, and when it was last heard; never quiet once it has come whole.
  private var heard: [Number: Double] = [:]
  /// Who had a place and lost it.
  private var interrupted: Set<Number> = []
  private var returning: [Number] = []
  private var beginning: [Number] = []

  /// - Parameters:
  ///   - atOnce: how many have a place.
  ///   - quietSeconds: for how long one keeps its place without a word while others wait.
  init(atOnce: Int, quietSeconds: Double) {
    self.atOnce = atOnce
    self.quietSeconds = quietSeconds
  }

  /// Whether somebody waits for a place.
  var hasWaiting: Bool { !returning.isEmpty || !beginning.isEmpty }

  /// Notes that a body has brought something.
  /// - Returns: whether it has a place.
  mutating func goOn(_ number: Number, at seconds: Double) -> Bool {
    guard heard[number] != nil else { return false }
    heard[number] = seconds
    return true
  }

  /// Asks to read on. Where it is not granted the body waits, and is named by `leave` or `grant` later.
  mutating func ask(_ number: Number, at seconds: Double) -> Bool {
    if goOn(number, at: seconds) { return true }
    if !hasWaiting, heard.count < atOnce {
      heard[number] = seconds
      return true
    }
    if interrupted.contains(number) { returning.append(number) } else { beginning.append(number) }
    return false
  }

  /// A body is here as a whole: its place is its own until it leaves.
  mutating func hold(_ number: Number) {
    if heard[number] != nil { heard[number] = .infinity }
  }

  /// A body has been answered, or has broken off.
  /// - Returns: who has got a place now.
  mutating func leave(_ number: Number, at seconds: Double) -> [Number] {
    heard[number] = nil
    interrupted.remove(number)
    returning.removeAll { $0 == number }
    beginning.removeAll { $0 == number }
    return grant(at: seconds)
  }

  /// Gives free places, and those of quiet ones, to who waits.
  /// - Returns: who has got one now.
  mutating func grant(at seconds: Double) -> [Number] {
    var granted: [Number] = []
    while hasWaiting {
      if heard.count >= atOnce {
        guard let quietest = heard.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
          seconds - quietest.value >= quietSeconds
        else { break }
        heard[quietest.key] = nil
        interrupted.insert(quietest.key)
      }
      let next = returning.isEmpty ? beginning.removeFirst() : returning.removeFirst()
      heard[next] = seconds
      granted.append(next)
    }
    return granted
  }
}

/// Lets bodies wait for their `ReadingPlaces`.
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

  /// - Parameters:
  ///   - atOnce: how many bodies are read at a time.
  ///   - seconds: a clock that never goes back.
  init(atOnce: Int, seconds: @escaping @Sendable () -> Double) {
    state = Mutex(State(places: ReadingPlaces(atOnce: atOnce, quietSeconds: Self.quietSeconds)))
    self.seconds = seconds
  }

  /// Does something with a body, which asks for each of its pieces.
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

  /// A body's.
  struct Turn: Sendable {
    fileprivate let turns: ReadingTurns
    fileprivate let number: Int

    /// Waits until the body may be read on.
    func next() async { await turns.next(number) }

    /// The body is here as a whole.
    func hold() { turns.state.withLock { $0.places.hold(number) } }
  }

  private func next(_ number: Int) async {
    // Nearly always; and it costs no more than a lock.
    if state.withLock({ $0.places.goOn(number, at: seconds()) }) { return }
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      // Asked and waiting in one step: a place that becomes free in between would be given to nobody.
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

  /// While somebody waits nobody else may come by who would see that a place has become quiet.
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
