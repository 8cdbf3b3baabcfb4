import Geodesy
import Positioning
import Testing
import TimeAndText

@Suite("The directions of a fix")
struct FixTests {
  private static func fix() throws -> Fix {
    Fix(time: try #require(GNSSTime(millisecondsSinceMidnight: 0, date: nil)))
  }

  @Test("a course counts from half a metre a second on, and never without a speed")
  func course() throws {
    var fix = try Self.fix()
    fix.courseDegreesTrue = 90
    for (speed, course) in [(nil, nil), (0, nil), (0.499, nil), (0.5, 90), (1.3, 90)]
      as [(Double?, Double?)]
    {
      fix.speedMetresPerSecond = speed
      #expect(fix.courseWhileMovingDegreesTrue == course, "\(String(describing: speed))")
    }
    fix.courseDegreesTrue = nil
    #expect(fix.courseWhileMovingDegreesTrue == nil)
  }

  @Test("a magnetic heading is turned by the declination, and stays within 0 and 360")
  func heading() throws {
    var fix = try Self.fix()
    #expect(fix.headingFromTrueNorth(declinationDegrees: 5) == nil)
    for (magnetic, declination, heading) in [
      (10.0, 5.0, 15.0), (358, 5, 3), (2, -5, 357), (355, 5, 0), (0, 0, 0),
    ] {
      fix.headingDegreesMagnetic = magnetic
      let found = try #require(fix.headingFromTrueNorth(declinationDegrees: declination))
      #expect(found == heading && (0..<360).contains(found), "\(magnetic)° and \(declination)°")
    }
    #expect(fix.headingFromTrueNorth(declinationDegrees: nil) == nil)
    fix.headingDegreesTrue = 42
    #expect(fix.headingFromTrueNorth(declinationDegrees: nil) == 42)
    #expect(fix.headingFromTrueNorth(declinationDegrees: 5) == 42, "the receiver's own counts")
  }
}
