import FieldUnit
import Receivers

extension FieldServer {
  /// Notes in the log that the program has begun, and from then on the changes of the receiver and
  /// its state.
  public func beginLog() async {
    let machine = MachineDescription.current
    log.note("\(configuration.software) on \(machine.device ?? "a device"), \(machine.system)")
    guard let follower else { return log.note("no receiver") }
    let log = log
    log.note("receiver: \(follower.source)")
    _ = await follower.listen { event in
      switch event {
      case .changed(let source): log.note("receiver: \(source)")
      case .state(let state):
        // A line for each try to connect, one a second, would push everything else out of the log.
        guard let words = Self.words(of: state) else { return }
        log.note("receiver: \(words)")
      case .positioning: break
      }
    }
  }

  /// Returns the words of a state for the log; nil for states that come and go while nothing
  /// changes.
  package static func words(of state: ReceiverState) -> String? {
    switch state {
    case .connecting, .listening: nil
    case .lost(let reason, _): "lost: \(reason)"
    case .fixing, .silent, .failed, .ended: "\(state.wording)"
    }
  }
}
