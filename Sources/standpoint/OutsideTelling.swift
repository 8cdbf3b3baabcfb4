import Evidence
import LogPublishing

/// The words about those outside whom the office asks to stamp or to sign its log.
struct OutsideTelling {
  /// The word for what they do, in the past: `stamped`, `signed`.
  let verb: String

  /// Returns the members that a program reads.
  func members(_ state: OutsideState) -> [(String, JSONValue?)] {
    [
      ("size", state.size.map { .integer($0) }), (verb, state.signed.map { .string($0) }),
      ("problem", state.problem.map { .string($0) }),
      ("problemSince", state.problemSince.map { .string($0) }),
    ]
  }

  private func success(_ state: OutsideState) -> String? {
    guard let size = state.size, let time = state.signed else { return nil }
    return "\(verb) the first \(size) entries at \(time)"
  }

  /// Says how it went with one of them.
  func list(_ url: String, _ state: OutsideState) {
    Terminal.say("\(url)  \(success(state) ?? "has \(verb) nothing yet")")
    if let problem = state.problem, let since = state.problemSince {
      Terminal.say("  since \(since): \(problem); it is asked again every ten minutes")
    }
  }

  /// Says how it went with all of them.
  /// - Throws: `ExitStatus.refused` if one of them did not do it.
  func outcome(_ all: [(url: String, state: OutsideState)]) throws {
    for (url, state) in all {
      if let problem = state.problem {
        Terminal.complain("standpoint: \(url): \(problem)")
      } else if let success = success(state) {
        Terminal.say("\(url) \(success)")
      }
    }
    if all.contains(where: { $0.state.problem != nil }) { throw ExitStatus.refused }
  }
}
