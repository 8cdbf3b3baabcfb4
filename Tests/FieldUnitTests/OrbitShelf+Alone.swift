import Positioning
import Receivers
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

extension OrbitShelf {
  /// Begins what nothing else may run beside. What the sign-in has begun ends first, however long it takes: hours
  /// that pass meanwhile make orbits old.
  func beginAlone(_ clock: ReplayClock) async {
    while !beginBringing() {
      if !isBringing {
        clock.advance(to: clock.elapsed.advanced(bySeconds: 3600), limit: nil)
      }
      await Task.yield()
    }
  }
}
