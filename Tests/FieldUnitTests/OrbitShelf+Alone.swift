import Orbits
import Positioning
import Receivers
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

extension OrbitShelf {
  /// Begins a fetch of orbits alone. It waits for the one that the sign-in has begun, and only then
  /// advances the clock, because hours make orbits old.
  func beginAlone(_ clock: ReplayClock) async {
    while !beginBringing() {
      if !isBringing {
        clock.advance(to: clock.elapsed.advanced(bySeconds: 3600), limit: nil)
      }
      await Task.yield()
    }
  }
}
