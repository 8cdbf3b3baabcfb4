import FieldUnit
import Store
import Web

// The problem: a page should show the receiver's values at once, ten times a second if the receiver
// sends so many. A page that is left alone should cost next to nothing, yet never show an old value
// as a current one.
//
// The obvious idea is to build the fragment again each second. An epoch is then up to a second
// late, and a page whose receiver is silent costs as much as one that shows ten fixes a second.
//
// The solution: each change wakes the stream, and all changes that come while a fragment is being
// built, or within a moment after it, count as one. After about a second without a change the
// stream wakes by itself, so that the age of a value is seen to grow. A fragment equal to the last
// one is not sent; a sign of life is sent instead, once a second. The page's script marks a
// fragment as stale if neither has come for 2.5 s.

/// The sign-in state of the inspector whose page is open: still signed in (`here`), or not
/// (`gone`).
enum PageOwner {
  case here, gone
  /// The store could not be read.
  case unknown
}

/// The pace of a live fragment, in milliseconds.
private enum LivePace {
  /// The pause after each fragment, so that at most 25 come in a second: no eye sees more.
  static let pauseMilliseconds = 40
  /// The time without a change after which the stream wakes by itself: a little more than a second,
  /// so that a receiver that sends once a second is not asked in between.
  static let quietMilliseconds = 1100
}

/// Sends a live fragment to its page, piece by piece.
private struct LivePieceSender {
  private let feed: AsyncStream<HTML>.Continuation
  /// The fragment that the page shows; nil before the first one.
  private var last: HTML?
  /// The moment of the last piece.
  private var told = ContinuousClock.now

  init(_ feed: AsyncStream<HTML>.Continuation) { self.feed = feed }

  /// Sends a fragment that differs from the last one; otherwise a sign of life, once a second.
  mutating func send(_ made: HTML) {
    let now = ContinuousClock.now
    if made != last {
      // A space shows the page that the part is empty now: an empty piece would only be a sign of
      // life.
      feed.yield(made.isEmpty ? " " : made)
      // The first sign of life tells the page that it may expect one each second.
      if last == nil { feed.yield(.empty) }
      last = made
      told = now
    } else if told.duration(to: now) >= .milliseconds(900) {
      feed.yield(.empty)
      told = now
    }
  }
}

extension FieldPage {
  /// The part that a page shows after sign-out; its script then asks for nothing more.
  var signedOut: HTML {
    "<p data-live-over><a class=\"button\" href=\"/sign-in\">\(t("Sign in"))</a></p>"
  }

  /// Returns a stream of a fragment: as it is now, and again whenever the receiver or anything else
  /// has changed it.
  /// - Parameter unit: the inspector whose page it is: the stream ends when that inspector signs
  ///   out, and then shows nothing of theirs. Nil for a page that belongs to no inspector.
  package func live(
    of unit: InspectorUnit? = nil, _ fragment: @escaping @Sendable () async -> HTML
  ) -> AsyncStream<HTML> {
    // The stream is read long after its request was answered: it keeps the language of that
    // request.
    let texts = Texts.current
    let server = server
    let (pieces, feed) = AsyncStream.makeStream(of: HTML.self)
    let (wakes, wake) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      let bell = server.bell.join(wake)
      let watcher = await server.follower?.watch { wake.yield() }
      var sender = LivePieceSender(feed)
      var quiet: Task<Void, any Error>?
      wake.yield()
      for await _ in wakes {
        quiet?.cancel()
        let made = await Texts.$current.withValue(texts) { await fragment() }
        guard !Task.isCancelled else { break }
        // The owner is checked after the fragment was built: the inspector may have signed out
        // meanwhile.
        let owner = Self.owner(of: unit, server)
        if owner == .gone {
          let signedOut = Texts.$current.withValue(texts) { self.signedOut }
          feed.yield(signedOut)
          break
        }
        // If the owner is unknown, the inspector may have signed out, so nothing is shown; without
        // a sign of life the page says that it is old.
        if owner == .here { sender.send(made) }
        // The page's clock wakes the stream, not the receiver's: a frozen receiver must be seen to
        // be frozen.
        quiet = Task {
          try await Task.sleep(for: .milliseconds(LivePace.quietMilliseconds))
          wake.yield()
        }
        try? await Task.sleep(for: .milliseconds(LivePace.pauseMilliseconds))
      }
      quiet?.cancel()
      server.bell.leave(bell)
      if let watcher { await server.follower?.stopWatching(watcher) }
      feed.finish()
    }
    feed.onTermination = { _ in
      task.cancel()
      wake.finish()
    }
    return pieces
  }

  /// Returns what `read` returns; nil if reading fails: the log then names the error, and the part
  /// shows the value as not known.
  /// - Parameter what: the thing that is read, for the log.
  package func readable<Value>(_ what: String, _ read: () throws -> Value) -> Value? {
    do {
      return try read()
    } catch {
      server.log.note("\(what): \(error)")
      return nil
    }
  }

  /// Returns the sign-in state of the inspector whose page it is; `here` for a page that belongs to
  /// no inspector.
  static func owner(of unit: InspectorUnit?, _ server: FieldServer) -> PageOwner {
    guard let unit else { return .here }
    do {
      // A page that was left open must not show the next inspector anything of the one before.
      return try server.desk.signedIn()?.person == unit.person ? .here : .gone
    } catch {
      server.log.note("a live page: \(error)")
      return .unknown
    }
  }
}
