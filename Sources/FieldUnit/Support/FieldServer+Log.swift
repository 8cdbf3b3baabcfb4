import Positioning
import Receivers

extension FieldServer {
  /// Writes into the log that the program has begun, and from then on what becomes of the receiver.
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
        // A try each second would push out everything else.
        guard let words = Self.words(of: state) else { return }
        log.note("receiver: \(words)")
      case .positioning: break
      }
    }
  }

  /// What is worth a line: what changes from second to second while nothing changes is not.
  package static func words(of state: ReceiverState) -> String? {
    switch state {
    case .connecting, .listening: nil
    case .lost(let reason, _): "lost: \(reason)"
    case .fixing, .silent, .failed, .ended: "\(state.wording)"
    }
  }
}
