import Positioning
import Receivers

/// Listens to the radio surroundings beside the receiver, for one capture: when the gate opens, and at
/// the shutter. The same rule holds as for fixes: what is old is never handed out as fresh.
actor SurroundingsListener {
  private let radio: any RadioListening
  private var heard = RadioSurroundings()
  private var listening: Task<Void, Never>?

  init(radio: any RadioListening) {
    self.radio = radio
  }

  /// The gate has opened: hears what is known, and has Wi-Fi look anew until the shutter. Nothing waits
  /// for it.
  func gateOpened() {
    listen(looksAround: true)
  }

  /// What is heard at the shutter, or was heard a short while before where nothing answers.
  func atShutter() async -> RadioSurroundings {
    // One question at a time: what was asked when the gate opened answers first.
    await listening?.value
    listen(looksAround: false)
    await listening?.value
    return heard
  }

  private func listen(looksAround: Bool) {
    guard listening == nil else { return }
    listening = Task {
      let new = try? await radio.hear(looksAround: looksAround)
      if let new { heard = new.isEmpty ? heard : new }
      listening = nil
    }
  }
}
