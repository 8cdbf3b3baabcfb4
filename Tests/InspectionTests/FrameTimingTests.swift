import Inspection
import Testing
import TimeAndText

@Suite("The time between a photo's fix and its frame")
struct FrameTimingTests {
  /// A capture whose picture was asked for at 10.000 s of the field unit's clock, with a fix 80 ms old.
  private func moments(arrivedAfter milliseconds: Int64) -> FrameTiming.Moments {
    FrameTiming.Moments(
      fixAgeSeconds: 0.08, asked: ElapsedTime(milliseconds: 10_000),
      arrived: ElapsedTime(milliseconds: 10_000 + milliseconds),
      deviceTime: DeviceTime(millisecondsSince1970: 1_780_000_000_000 + milliseconds))
  }

  /// The field unit's time of a page whose clock is `ahead` ms ahead, and whose network takes `there` and
  /// `back` ms.
  private func told(
    frameAt milliseconds: Double, ahead: Double, there: Double, back: Double, takes: Double = 0
  ) throws -> ToldFrameTime {
    let trip = try #require(
      ClockRoundTrip(
        askedMilliseconds: 9000 + ahead - there, toldMilliseconds: 9000,
        heardMilliseconds: 9000 + ahead + back))
    let at = milliseconds + ahead
    return try #require(
      ToldFrameTime(fromMilliseconds: at, toMilliseconds: at + takes, roundTrip: trip))
  }

  @Test("a page's time is moved to the field unit's clock, however wrong its own is set")
  func moved() throws {
    for ahead in [0.0, -86_400_000, 1_780_000_000_000, 31_536_000_000] {
      for delay in [2.5, 25, 100] {
        let told = try told(frameAt: 10_130, ahead: ahead, there: delay, back: delay)
        let timing = try FrameTiming(moments(arrivedAfter: 400), told: told)
        #expect(abs(timing.delaySeconds - 0.21) < 0.001)
        #expect(timing.delayUncertaintySeconds <= delay / 1000 + 0.0005)
        #expect(abs(timing.delaySecondsAtMost - 0.48) < 1e-9)
      }
    }
  }

  @Test("the page's clock is compared with the device's")
  func clock() throws {
    // The page's clock counts from 1970 as the device's does, and is a day and a second ahead.
    let ahead = 1_780_000_000_000.0 - 10_000 + 86_401_000
    let told = try told(frameAt: 10_050, ahead: ahead, there: 20, back: 20)
    let timing = try FrameTiming(moments(arrivedAfter: 300), told: told)
    #expect(abs((timing.clockOffsetSeconds ?? 0) - 86_401) < 0.001)
    #expect(abs((timing.clockOffsetUncertaintySeconds ?? 0) - 0.02) < 1e-9)
  }

  @Test("a network that is slow one way only shifts the time by no more than it says")
  func asymmetric() throws {
    let told = try told(frameAt: 10_130, ahead: 5000, there: 150, back: 10)
    let timing = try FrameTiming(moments(arrivedAfter: 400), told: told)
    #expect(abs(timing.delaySeconds - 0.21) <= timing.delayUncertaintySeconds)
  }

  @Test(
    "a page that lies about its frame's time gets no photo, or stays within the span that is known")
  func lies() throws {
    for lie in [-1000.0, -200, 700, 86_400_000] {
      let told = try told(frameAt: 10_000 + lie, ahead: 0, there: 20, back: 20)
      #expect(throws: FrameTiming.Contradiction.self) {
        try FrameTiming(moments(arrivedAfter: 400), told: told)
      }
    }
    // Within the uncertainty of the clocks the part that lies in the span counts.
    let early = try FrameTiming(
      moments(arrivedAfter: 400),
      told: told(frameAt: 9990, ahead: 0, there: 20, back: 20))
    #expect(
      abs(early.delaySeconds - 0.085) < 1e-9 && abs(early.delayUncertaintySeconds - 0.005) < 1e-9)
    let late = try FrameTiming(
      moments(arrivedAfter: 400),
      told: told(frameAt: 10_410, ahead: 0, there: 20, back: 20))
    #expect(abs(late.delaySeconds - 0.475) < 1e-9)
    #expect(late.delaySeconds <= late.delaySecondsAtMost)
    // A page that tells a year gains nothing by it.
    let wide = try FrameTiming(
      moments(arrivedAfter: 4000),
      told: told(frameAt: -3e10, ahead: 0, there: 5, back: 5, takes: 6e10))
    let untold = try FrameTiming(moments(arrivedAfter: 4000), told: nil)
    #expect(wide.delaySeconds == untold.delaySeconds)
    #expect(wide.refusal(limitSeconds: 0.5) != nil)
    // One that tells the moment of the wish, long afterwards, is refused by the field unit's own clock.
    let old = try FrameTiming(
      moments(arrivedAfter: 5000), told: told(frameAt: 10_000, ahead: 0, there: 5, back: 5))
    #expect(old.delaySeconds < 0.1)
    #expect(old.refusal(limitSeconds: 0.5)?.code == "frame-late")
  }

  @Test("without a told time the frame lies in the middle of the span")
  func untold() throws {
    let timing = try FrameTiming(moments(arrivedAfter: 400), told: nil)
    #expect(abs(timing.delaySeconds - 0.28) < 1e-9)
    #expect(abs(timing.delayUncertaintySeconds - 0.2) < 1e-9)
    #expect(timing.clockOffsetSeconds == nil)
  }

  @Test("a frame later than the limit is refused with both numbers")
  func limit() throws {
    let told = try told(frameAt: 10_500, ahead: 0, there: 5, back: 5)
    let timing = try FrameTiming(moments(arrivedAfter: 700), told: told)
    #expect(timing.refusal(limitSeconds: 0.6) == nil)
    let refusal = try #require(timing.refusal(limitSeconds: 0.5))
    #expect(refusal.code == "frame-late")
    #expect(refusal.text.contains("0.580 s") && refusal.text.contains("0.500 s"))
  }

  @Test("times that are none make no round trip and no frame's time")
  func malformed() throws {
    let bad: [(Double, Double, Double)] = [
      (.nan, 1, 2), (1, .nan, 2), (1, 1, .nan), (.infinity, 1, .infinity), (2, 1, 1),
      (1, -1, 2), (1, 1e15, 2), (1, 1, 20_000), (-1e15, 1, -1e15),
    ]
    for (asked, told, heard) in bad {
      #expect(
        ClockRoundTrip(
          askedMilliseconds: asked, toldMilliseconds: told, heardMilliseconds: heard) == nil)
    }
    let trip = try #require(
      ClockRoundTrip(askedMilliseconds: 1, toldMilliseconds: 1, heardMilliseconds: 2))
    for (from, to) in [(2.0, 1.0), (.nan, 1), (1, .nan), (1, .infinity), (-.infinity, 1)] {
      #expect(
        ToldFrameTime(fromMilliseconds: from, toMilliseconds: to, roundTrip: trip) == nil)
    }
  }

  @Test("the distance between antenna and lens widens the position, and never an unknown one")
  func lens() throws {
    for (metres, uncertainty) in [(-0.1, 0), (5.5, 0), (1, -1), (1, 5.5), (.nan, 0), (0, .nan)] {
      #expect(LensOffset(metres: metres, uncertaintyMetres: uncertainty) == nil)
    }
    let lens = try #require(LensOffset(metres: 1.5, uncertaintyMetres: 0.3))
    #expect(abs(lens.addedMetres - 1.8) < 1e-12)
    #expect(LensOffset.none.addedMetres == 0)
  }

  @Test("a phone's words are cut, and empty ones are none")
  func words() {
    let phone = PhotoPhone(
      browser: String(repeating: "x", count: 500), model: " \n ", camera: "Back\ncamera")
    #expect(phone.browser?.count == PhotoPhone.charactersAtMost)
    #expect(phone.model == nil)
    #expect(phone.camera == "Backcamera")
    #expect(phone.session == nil)
  }
}
