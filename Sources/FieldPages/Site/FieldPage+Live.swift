import FieldUnit
import Web

// The problem: what the receiver says is to be on the page at once, ten times a second where it says so
// much, and a page that is left alone costs next to nothing, yet never shows an old value as a current one.
//
// The obvious idea: make the fragment anew each second. An epoch is then up to a second late, and a page
// whose receiver says nothing costs as much as one that shows ten fixes a second.
//
// What is done: whoever changes something wakes the stream; what comes while a fragment is made, or within
// a moment after it, is one waking. Where nobody has for a second the stream wakes by itself, so that an age
// is seen to grow. A fragment that is the same as before is not sent: a sign of life is, once a second, and
// the page's script marks as stale what has had neither for 2.5 s.

/// How the inspector stands to the field unit whose page is open.
enum PageOwner {
  case here, gone
  /// The store did not say.
  case unknown
}

/// The pace of a live fragment.
private enum LivePace {
  /// So many at most in a second: no eye sees more.
  static let pauseMilliseconds = 40
  /// A little more than a second: a receiver that speaks once a second is not asked in between.
  static let quietMilliseconds = 1100
}

extension FieldPage {
  /// What a fragment shows now, and again whenever the receiver or anything else has changed it.
  /// - Parameter unit: whose page it is: the stream ends when they sign out, and shows nothing of theirs any
  ///   more. Nil for what belongs to nobody.
  func live(
    of unit: InspectorUnit? = nil, _ fragment: @escaping @Sendable () async -> HTML
  ) -> AsyncStream<HTML> {
    // The stream is read long after its request was answered: it keeps the words of whoever asked.
    let texts = Texts.current
    let server = server
    let (pieces, feed) = AsyncStream.makeStream(of: HTML.self)
    let (wakes, wake) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      let bell = server.bell.join(wake)
      let watcher = await server.follower?.watch { wake.yield() }
      var last: HTML?
      var told = ContinuousClock.now
      var quiet: Task<Void, any Error>?
      wake.yield()
      for await _ in wakes {
        quiet?.cancel()
        var made = await Texts.$current.withValue(texts) { await fragment() }
        guard !Task.isCancelled else { break }
        // Asked after it was made: somebody may have signed out meanwhile.
        let owner = Self.owner(of: unit, server)
        if owner == .gone {
          made = Texts.$current.withValue(texts) { HomePages(server: server).signedOut }
          feed.yield(made)
          break
        }
        let now = ContinuousClock.now
        if owner == .unknown {
          // Nothing is shown of somebody who may have left, and without a sign the page says that it is old.
        } else if made != last {
          // A part that is empty now is shown to be empty: an empty piece would be a sign of life.
          feed.yield(made.isEmpty ? " " : made)
          // The first sign tells the page that it may expect one each second.
          if last == nil { feed.yield(.empty) }
          last = made
          told = now
        } else if told.duration(to: now) >= .milliseconds(900) {
          feed.yield(.empty)
          told = now
        }
        // The page's clock, not the receiver's: a frozen receiver must be seen to be frozen.
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

  /// What a live part reads; nil where it cannot be read, which the part shows as not known and the log says.
  func readable<Value>(_ what: String, _ read: () throws -> Value) -> Value? {
    do {
      return try read()
    } catch {
      server.log.note("\(what): \(error)")
      return nil
    }
  }

  /// Whether the inspector whose page it is still works here.
  static func owner(of unit: InspectorUnit?, _ server: FieldServer) -> PageOwner {
    guard let unit else { return .here }
    do {
      return try HomePages(server: server).isSignedIn(unit) ? .here : .gone
    } catch {
      server.log.note("a live page: \(error)")
      return .unknown
    }
  }
}
