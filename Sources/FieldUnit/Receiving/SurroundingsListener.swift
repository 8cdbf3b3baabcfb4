import Positioning
import Receivers

/// Listens to the radio surroundings beside the receiver, for one capture: when the gate opens, when the
/// countdown begins, and at the shutter. The same rule holds as for fixes: what is old is never handed
/// out as fresh; and a photo waits for none of it longer than a moment.
actor SurroundingsListener {
  /// What comes later than this after the shutter is of no use any more.
  private static let patience = Duration.seconds(2)

  private let radio: any RadioListening
  private var heard = RadioSurroundings()
  private var isListening = false

  init(radio: any RadioListening) {
    self.radio = radio
  }

  /// The shutter comes nearer: hears what is known, and has Wi-Fi look anew until then. Nothing waits for
  /// it.
  func lookAround() {
    listen(looksAround: true)
  }

  /// What is heard at the shutter; of what does not answer in time, what was heard before.
  func atShutter() async -> RadioSurroundings {
    // Modem and Wi-Fi are real: they are given real seconds, whatever clock the story has.
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

  /// One question at a time.
  private func listen(looksAround: Bool) {
    guard !isListening else { return }
    isListening = true
    Task {
      if let new = try? await radio.hear(looksAround: looksAround) { heard.merge(new) }
      isListening = false
    }
  }
}
