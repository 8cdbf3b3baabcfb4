import Positioning

/// Listens to the radio surroundings for one capture, independently of the receiver: when the gate
/// opens, when the countdown begins, and at the shutter. As with fixes, old data never count as
/// fresh, and a photo waits only a moment for the radio.
package actor SurroundingsListener {
  /// The longest wait after the shutter; later answers are of no use.
  private static let patience = Duration.seconds(2)

  private let radio: any RadioListening
  private var heard = RadioSurroundings()
  private var isListening = false

  package init(radio: any RadioListening) {
    self.radio = radio
  }

  /// Begins to hear the surroundings, and to have Wi-Fi look around, because the shutter comes
  /// nearer. The call does not wait.
  package func lookAround() {
    listen(looksAround: true)
  }

  /// Returns the surroundings at the shutter; for radios that do not answer in time, what was heard
  /// before.
  package func atShutter() async -> RadioSurroundings {
    // Modem and Wi-Fi are real devices: they get real seconds, whatever clock a replay has.
    let end = ContinuousClock.now + Self.patience
    await wait(until: end)
    listen(looksAround: false)
    await wait(until: end)
    return heard
  }

  private func wait(until end: ContinuousClock.Instant) async {
    while isListening, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Asks the radio, unless an earlier question is still open.
  private func listen(looksAround: Bool) {
    guard !isListening else { return }
    isListening = true
    Task {
      if let new = try? await radio.hear(looksAround: looksAround) { heard.merge(new) }
      isListening = false
    }
  }
}
