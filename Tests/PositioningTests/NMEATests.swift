import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("NMEA sentences")
struct NMEATests {
  @Test("GGA gives position, quality, heights and corrections")
  func gga() throws {
    let fix = try fix("GPGGA,123519.25,4807.038,N,01131.000,E,2,08,0.9,545.4,M,46.9,M,1.5,0123")
    let place = try #require(fix.coordinate)
    #expect(abs(place.latitudeDegrees - 48.1173) < 1e-9)
    #expect(abs(place.longitudeDegrees - 11.516_666_667) < 1e-9)
    #expect(fix.time.timeOfDay == "12:35:19.250")
    #expect(fix.time.date == nil)
    #expect(fix.quality == .differential)
    #expect(fix.mode == .threeDimensional)
    #expect(fix.satellitesUsed == 8)
    #expect(fix.horizontalDilution == 0.9)
    #expect(fix.meanSeaLevelHeightMetres == 545.4)
    #expect(abs((fix.ellipsoidalHeightMetres ?? 0) - 592.3) < 1e-9)
    #expect(fix.correctionAgeSeconds == 1.5)
    #expect(fix.correctionStation == "0123")
    #expect(fix.uncertaintySource == .dilution)
    #expect(abs((fix.horizontalUncertaintyMetres95 ?? 0) - 0.9 * 1.5 * 1.731) < 1e-9)
  }

  @Test("RMC gives position, speed, course and date")
  func rmc() throws {
    let fix = try fix("GPRMC,123519,A,4807.038,N,01131.000,E,022.4,360.0,230394,003.1,W,D")
    #expect(fix.time.rfc3339 == "1994-03-23T12:35:19.000Z")
    #expect(abs((fix.speedMetresPerSecond ?? 0) - 22.4 * 1852 / 3600) < 1e-9)
    #expect(fix.courseDegreesTrue == 0)
    #expect(fix.quality == .differential)
    #expect(fix.mode == .twoDimensional)
    #expect(fix.meanSeaLevelHeightMetres == nil)
  }

  @Test("GLL, GNS, VTG, ZDA, GSA and GST say the rest")
  func others() throws {
    let fix = try fix(
      "GNGNS,101112.00,4807.038,S,01131.000,W,RD,15,0.7,10.0,-5.0,2,99",
      "GNGLL,4807.0,S,01131.0,W,101112.00,A,D", "GNZDA,101112.00,05,04,2031,00,00",
      "GNVTG,45.0,T,,M,1.0,N,3.6,K,D", "GNGSA,A,3,01,02,,,,,,,,,,,1.5,0.8,1.2,1",
      "GNGST,101112.00,9,3.0,1.0,10,1,1,2.0")
    let place = try #require(fix.coordinate)
    #expect(abs(place.latitudeDegrees + 48.1173) < 1e-9, "GNS outranks GLL")
    #expect(place.longitudeDegrees < 0)
    #expect(fix.time.rfc3339 == "2031-04-05T10:11:12.000Z")
    #expect(fix.quality == .rtkFixed)
    #expect(fix.mode == .threeDimensional)
    #expect(fix.speedMetresPerSecond == 1)
    #expect(fix.courseDegreesTrue == 45)
    #expect(fix.ellipsoidalHeightMetres == 5)
    #expect(fix.horizontalDilution == 0.8)
    #expect(fix.verticalDilution == 1.2)
    #expect(fix.positionDilution == 1.5)
    #expect(fix.uncertaintySource == .receiver)
    #expect(fix.verticalUncertaintyMetres95 == 2.0 * 1.96)
    // A 3 m by 1 m ellipse: 95 % lie within 6.04 m (integrated numerically).
    #expect(abs((fix.horizontalUncertaintyMetres95 ?? 0) - 6.04) < 0.06)
  }

  @Test("GST with axes only uses them")
  func gstAxes() throws {
    let fix = try fix(
      "GPGGA,101112,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
      "GPGST,101112,,,,,2.0,2.0,3.0")
    #expect(abs((fix.horizontalUncertaintyMetres95 ?? 0) - 2 * 2.448) < 1e-9)
    #expect(fix.uncertaintySource == .receiver)
  }

  @Test("GST of zeros says nothing; the dilution does")
  func gstZeros() throws {
    let fix = try fix(
      "GPGGA,101112,4807.038,N,01131.000,E,1,08,1.0,545.4,M,46.9,M,,",
      "GPGST,101112,0,0,0,0,0,0,0")
    #expect(fix.uncertaintySource == .dilution)
  }

  @Test("All four hemispheres have their signs")
  func hemispheres() throws {
    for (north, east, latitude, longitude) in [
      ("N", "E", 1.0, 1.0), ("N", "W", 1, -1), ("S", "E", -1, 1), ("S", "W", -1, -1),
    ] {
      let fix = try fix("GPGGA,000000,3015.0,\(north),00145.0,\(east),1,08,1.0,5.0,M,,M,,")
      #expect(fix.coordinate?.latitudeDegrees == latitude * 30.25)
      #expect(fix.coordinate?.longitudeDegrees == longitude * 1.75)
      #expect(fix.ellipsoidalHeightMetres == nil, "no separation, no ellipsoidal height")
    }
  }

  @Test("Empty fields are nil, never 0")
  func emptyFields() throws {
    let fix = try fix(
      "GPGGA,000001,3015.0,N,00145.0,E,1,,,,M,,M,,", "GPRMC,000001,A,3015.0,N,00145.0,E,,,,,",
      "GPVTG,,T,,M,,N,,K", "GPGSA,A,,,,,,,,,,,,,,,,", "GPGST,000001,,,,,,,")
    #expect(fix.satellitesUsed == nil)
    #expect(fix.horizontalDilution == nil)
    #expect(fix.meanSeaLevelHeightMetres == nil)
    #expect(fix.ellipsoidalHeightMetres == nil)
    #expect(fix.speedMetresPerSecond == nil)
    #expect(fix.courseDegreesTrue == nil)
    #expect(fix.horizontalUncertaintyMetres95 == nil)
    #expect(fix.verticalUncertaintyMetres95 == nil)
    #expect(fix.uncertaintySource == nil)
    #expect(fix.correctionAgeSeconds == nil)
    #expect(fix.correctionStation == nil)
    #expect(fix.time.date == nil)
    #expect(fix.mode == .twoDimensional)
  }

  @Test(
    "A position that is none is no position",
    arguments: [
      "GPGGA,000001,3015.0,N,00145.0,E,0,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,3015.0,N,00145.0,E,,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,,N,00145.0,E,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,3015.0,,00145.0,E,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,3015.0,N,,E,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,3060.0,N,00145.0,E,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,9000.1,N,00145.0,E,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,3015.0,N,18000.1,E,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,3015.0,E,00145.0,N,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,30-5.0,N,00145.0,E,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,15,N,00145.0,E,1,08,1.0,5.0,M,,M,,",
      "GPGGA,000001,99999999999999999999.0,N,00145.0,E,1,08,1.0,5.0,M,,M,,",
      "GPRMC,000001,V,3015.0,N,00145.0,E,0,0,010124,,", "GPRMC,000001,,3015.0,N,00145.0,E,0,0,,,",
      "GPGLL,3015.0,N,00145.0,E,000001,V", "GNGNS,000001,3015.0,N,00145.0,E,NN,08,1.0,5.0,,,",
    ])
  func noPosition(body: String) throws {
    let fix = try fix(body)
    #expect(fix.coordinate == nil)
    #expect(fix.mode == .none)
    #expect(fix.speedMetresPerSecond == nil)
    #expect(fix.horizontalUncertaintyMetres95 == nil)
  }

  @Test("Minutes under 60 and the poles are positions")
  func edges() throws {
    #expect(
      try fix("GPGGA,000001,3059.9999,N,00145.0,E,1,08,1,5,M,,M,,").coordinate?.latitudeDegrees
        == 30 + 59.9999 / 60)
    #expect(
      try fix("GPGGA,000001,9000.000,S,18000.0,W,1,08,1,5,M,,M,,").coordinate
        == place(-90, -180))
  }

  @Test("A repeated position with quality 0 is no position, even beside a valid RMC")
  func frozen() throws {
    let fix = try fix(
      "GPRMC,000001,A,3015.0,N,00145.0,E,0,0,010124,,",
      "GPGGA,000001,3015.0,N,00145.0,E,0,00,,5.0,M,,M,,")
    #expect(fix.coordinate == nil)
    #expect(fix.quality == .invalid)
  }

  @Test(
    "The mode letters of GNS, the best of them counts and S always shows",
    arguments: [
      ("AN", FixQuality.autonomous), ("DA", .differential), ("NP", .precise), ("RA", .rtkFixed),
      ("FD", .rtkFloat), ("EN", .estimated), ("MN", .manual), ("RS", .simulated),
    ])
  func modeLetters(letters: String, quality: FixQuality) throws {
    let fix = try fix("GNGNS,000001,3015.0,N,00145.0,E,\(letters),08,1.0,5.0,,,")
    #expect(fix.quality == quality)
    #expect(fix.coordinate != nil)
  }

  @Test("A simulator's mark survives whatever else the epoch says")
  func simulated() throws {
    let rmc = "GPRMC,000001,A,3015.0,N,00145.0,E,0,0,010124,,,"
    let gga = "GPGGA,000001,3015.0,N,00145.0,E,"
    #expect(try fix(rmc + "S", gga + "1,08,1,5,M,,M,,").isSimulated)
    #expect(try fix(gga + "1,08,1,5,M,,M,,", rmc + "S").isSimulated)
    #expect(try fix(rmc + "A", gga + "8,08,1,5,M,,M,,").isSimulated)
    #expect(try !fix(rmc + "A", gga + "1,08,1,5,M,,M,,").isSimulated)
  }

  @Test("A constellation whose GSA says no solution does not take the others' away")
  func severalModes() throws {
    let gga = "GNGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,"
    let none = "GNGSA,A,1,,,,,,,,,,,,,,,,2"
    let three = "GNGSA,A,3,01,,,,,,,,,,,,2,1,2,1"
    #expect(try fix(gga, none, three).mode == .threeDimensional)
    #expect(try fix(gga, three, none).mode == .threeDimensional)
    #expect(try fix(gga, none, none).coordinate == nil)
  }

  @Test("A dilution of 0 is unknown, and impossible courses, speeds and dates are not said")
  func impossible() throws {
    let fix = try fix(
      "GPGGA,000001,3015.0,N,00145.0,E,1,08,0.0,5.0,M,,M,,",
      "GPRMC,000001,A,3015.0,N,00145.0,E,-1.0,360.1,310224,,")
    #expect(fix.horizontalDilution == nil)
    #expect(fix.speedMetresPerSecond == nil)
    #expect(fix.courseDegreesTrue == nil)
    #expect(fix.time.date == nil)
  }

  @Test(
    "A sentence without its time, or with one that no day has, gives no epoch",
    arguments: [
      "", "240000", "236000", "235961", "12345", "12:34:56", "123456.x", "-12345",
      "１２３４５６",
    ])
  func noTime(text: String) {
    #expect(fixes(framed("GPGGA,\(text),3015.0,N,00145.0,E,1,08,1,5,M,,M,,")).isEmpty)
  }

  @Test("The leap second is an epoch")
  func leapSecond() throws {
    let fix = try fix("GPGGA,235960.5,3015.0,N,00145.0,E,1,08,1,5,M,,M,,")
    #expect(fix.time.timeOfDay == "23:59:60.500")
  }

  @Test("Sentences without fields stop nothing")
  func fieldless() {
    for kind in [
      "GNGGA", "GNRMC", "GNGSA", "GNGSV", "GNGST", "GNGNS", "GNZDA", "GNVTG", "GNGLL", "GNGBS",
      "GNHDT", "GNHDG", "GNTHS", "PUBX", "PGRME", "PGRMZ", "GNXXX",
    ] {
      for commas in 0...45 {
        let body = kind + String(repeating: ",", count: commas)
        #expect(fixes(framed(body)).isEmpty, "\(body)")
      }
    }
  }

  @Test("Satellites in view carry their constellation, and those used are marked")
  func satellites() throws {
    var decoder = FixDecoder()
    decoder.accept(
      framed([
        "GNGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,",
        "GNGSA,A,3,02,,,,,,,,,,,,2,1,2,1", "GNGSA,A,3,,11,,,,,,,,,,,2,1,2,3",
        "GPGSV,2,1,05,02,63,098,44,05,41,360,,07,91,051,38,13,-5,291,43",
        "GPGSV,2,2,05,33,10,20,30", "GAGSV,1,1,01,11,47,070,42",
      ])
    ) { _ in }
    let sky = decoder.sky
    #expect(sky.map(\.id) == [11, 2, 5, 7, 13, 33])
    #expect(sky.map(\.constellation) == [.galileo, .gps, .gps, .gps, .gps, .sbas])
    #expect(sky.map(\.isUsed) == [true, true, false, false, false, false])
    #expect(sky[2].azimuthDegrees == 0)
    #expect(sky[2].carrierToNoiseDecibelHertz == nil)
    #expect(sky[3].elevationDegrees == nil)
    #expect(sky[4].elevationDegrees == -5)
  }

  private static let gga = "GNGGA,000001,3015.0,N,00145.0,E,1,08,1,5,M,,M,,"

  @Test("GBS gives expected errors, GST better ones, whichever comes first")
  func expectedErrors() throws {
    let gbs = "GNGBS,000001,2.0,2.0,3.0,,,,"
    let gst = "GNGST,000001,,1.0,1.0,0,,,2.0"
    let alone = try fix(Self.gga, gbs)
    #expect(alone.uncertaintySource == .receiver)
    #expect(abs((alone.horizontalUncertaintyMetres95 ?? 0) - 2 * 2.448) < 1e-9)
    #expect(alone.verticalUncertaintyMetres95 == 3 * 1.96)
    for order in [[gbs, gst], [gst, gbs]] {
      let both = try fix(Self.gga, order[0], order[1])
      #expect(abs((both.horizontalUncertaintyMetres95 ?? 0) - 2.448) < 1e-9)
    }
  }

  @Test("Garmin's error holds half of the positions, and its height comes in feet")
  func garmin() throws {
    let heard = try fix(
      "GPRMC,000001,A,3015.0,N,00145.0,E,0,0,010124,,", "PGRME,5.0,M,6.745,M,9.0,M",
      "PGRMZ,1000,f,3")
    #expect(abs((heard.horizontalUncertaintyMetres95 ?? 0) - 5 * 2.0793) < 1e-3)
    #expect(abs((heard.verticalUncertaintyMetres95 ?? 0) - 19.6) < 1e-3)
    #expect(heard.uncertaintySource == .receiver)
    #expect(abs((heard.meanSeaLevelHeightMetres ?? 0) - 304.8) < 1e-9)
    #expect(heard.mode == .threeDimensional)
    #expect(try fix(Self.gga, "PGRMZ,1000,f,3").meanSeaLevelHeightMetres == 5, "GGA is finer")
  }

  @Test("PUBX,00 alone is a fix, with its height above the ellipsoid")
  func ublox() throws {
    let heard = try fix(
      "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,3.6,77.52,0.007,,0.92,1.19,"
        + "0.77,9,0,0")
    #expect(abs((heard.coordinate?.latitudeDegrees ?? 0) - 47.2852201667) < 1e-9)
    #expect(heard.ellipsoidalHeightMetres == 546.589)
    #expect(heard.meanSeaLevelHeightMetres == nil)
    #expect(heard.mode == .threeDimensional)
    #expect(heard.quality == .autonomous)
    #expect(heard.speedMetresPerSecond == 1)
    #expect(heard.courseDegreesTrue == 77.52)
    #expect(heard.climbMetresPerSecond == -0.007)
    #expect(heard.horizontalDilution == 0.92)
    #expect(heard.verticalDilution == 1.19)
    #expect(heard.satellitesUsed == 9)
    #expect(heard.uncertaintySource == .receiver)
    #expect(abs((heard.horizontalUncertaintyMetres95 ?? 0) - 2.1 * 1.731) < 1e-3)
    let none = try fix(
      "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,NF,2.1,2.0,0,77,0,,0.9,1.1,0.7,0,0,0")
    #expect(none.coordinate == nil)
    #expect(
      fixes(framed("PUBX,03,081350.00,4717.1,N,00833.9,E,5,G3,2,2,0,0,0,,1,1,1,9,0,0")).isEmpty)
  }

  @Test("Headings come from HDT, THS, and HDG with deviation and declination")
  func headings() throws {
    #expect(try fix(Self.gga, "HEHDT,271.5,T").headingDegreesTrue == 271.5)
    #expect(try fix(Self.gga, "GNTHS,12.25,A").headingDegreesTrue == 12.25)
    #expect(try fix(Self.gga, "GNTHS,12.25,V").headingDegreesTrue == nil)
    #expect(try fix(Self.gga, "HEHDT,361,T").headingDegreesTrue == nil)
    let compass = try fix(Self.gga, "HCHDG,358.0,3.0,E,4.5,E")
    #expect(compass.headingDegreesMagnetic == 1)
    #expect(compass.headingDegreesTrue == 5.5)
    let west = try fix(Self.gga, "HCHDG,1.0,,,4.5,W")
    #expect(west.headingDegreesMagnetic == 1)
    #expect(west.headingDegreesTrue == 356.5)
    let bare = try fix(Self.gga, "HCHDG,10.0,,,,")
    #expect(bare.headingDegreesMagnetic == 10)
    #expect(bare.headingDegreesTrue == nil)
  }

  @Test("Talkers and system ids name the constellation")
  func constellations() {
    let talkers: [(String, Constellation)] = [
      ("GP", .gps), ("GL", .glonass), ("GA", .galileo), ("GB", .beiDou), ("BD", .beiDou),
      ("GQ", .qzss), ("GI", .navIC),
    ]
    for (talker, constellation) in talkers {
      var decoder = FixDecoder()
      decoder.accept(framed(["\(talker)GSV,1,1,01,05,47,070,42"])) { _ in }
      #expect(decoder.sky.map(\.constellation) == [constellation], "\(talker)")
      #expect(decoder.capability.constellations == [constellation], "\(talker)")
      #expect(decoder.capability.isDualFrequency == nil, "it names no signal")
    }
    for (system, constellation) in [
      (1, Constellation.gps), (2, .glonass), (3, .galileo), (4, .beiDou), (5, .qzss), (6, .navIC),
    ] {
      var decoder = FixDecoder()
      let talker = talkers.first { $0.1 == constellation }?.0 ?? "GP"
      decoder.accept(
        framed([
          Self.gga, "GNGSA,A,3,05,,,,,,,,,,,,2,1,2,\(system)", "\(talker)GSV,1,1,01,05,47,070,42",
        ])
      ) { _ in }
      #expect(decoder.sky.map(\.isUsed) == [true], "system \(system)")
    }
  }

  @Test(
    "A satellite with signals in two bands is one satellite, and the receiver a dual-frequency one")
  func signals() throws {
    var decoder = FixDecoder()
    decoder.accept(
      framed([
        "GPGSV,1,1,02,05,47,070,42,07,10,100,,1", "GPGSV,1,1,02,05,47,070,45,07,10,100,,6",
        "GAGSV,1,1,01,11,20,200,33,7",
      ])
    ) { _ in }
    let sky = decoder.sky
    #expect(sky.map(\.id) == [11, 5, 7])
    #expect(sky[1].signals.map(\.name) == ["L1 C/A", "L2C-L"])
    #expect(sky[1].carrierToNoiseDecibelHertz == 45)
    #expect(sky[2].signals.isEmpty, "it is not tracked")
    #expect(decoder.capability.constellations == [.gps, .galileo])
    #expect(decoder.capability.signals.map(\.name) == ["L1 C/A", "L2C-L", "E1-BC"])
    #expect(decoder.capability.isDualFrequency == true)
    var single = FixDecoder()
    single.accept(framed(["GPGSV,1,1,01,05,47,070,42,1", "GAGSV,1,1,01,11,20,200,33,7"])) { _ in }
    #expect(
      single.capability.isDualFrequency == false, "two bands of one constellation are asked for")
  }

  @Test("A receiver that uses none any more is not said to use those of before")
  func usesNone() {
    var decoder = FixDecoder()
    decoder.accept(
      framed([Self.gga, "GNGSA,A,3,05,,,,,,,,,,,,2,1,2,1", "GPGSV,1,1,01,05,10,20,30"])
    ) { _ in }
    #expect(decoder.sky.map(\.isUsed) == [true])
    decoder.accept(framed(["GNGGA,000002,,,,,0,00,,,M,,M,,"])) { _ in }
    #expect(decoder.sky.map(\.isUsed) == [true], "this epoch has not said yet")
    decoder.accept(framed(["GNGSA,A,1,,,,,,,,,,,,,,,,1"])) { _ in }
    #expect(decoder.sky.map(\.isUsed) == [false])
  }

  @Test("Half a series of satellites is no sky, and an old one is none either")
  func incompleteSky() {
    var decoder = FixDecoder()
    decoder.accept(framed(["GPGSV,2,1,05,02,63,098,44,05,41,360,,07,91,051,38,13,-5,291,43"])) {
      _ in
    }
    #expect(decoder.sky.isEmpty)
    decoder.accept(framed(["GPGSV,3,3,05,33,10,20,30"])) { _ in }
    #expect(decoder.sky.isEmpty, "the second of three is missing")
    decoder.accept(framed([Self.gga, "GPGSV,1,1,01,33,10,20,30"])) { _ in }
    #expect(decoder.sky.map(\.id) == [33])
    decoder.accept(framed(["GNGGA,000032,3015.0,N,00145.0,E,1,08,1,5,M,,M,,"])) { _ in }
    #expect(decoder.sky.isEmpty, "told 31 s ago")
  }

  @Test("Any place survives the sentence to a thousandth of a millimetre of arc")
  func places() throws {
    try forEachSeed(0..<300) { seed, generator in
      let here = try place(
        Double.random(in: -90...90, using: &generator),
        Double.random(in: -180...180, using: &generator))
      let fix = try fix("GPGGA,000001,\(placeText(here)),1,08,1,5,M,,M,,")
      let heard = try #require(fix.coordinate)
      #expect(abs(heard.latitudeDegrees - here.latitudeDegrees) < 1e-9, "seed \(seed)")
      #expect(abs(heard.longitudeDegrees - here.longitudeDegrees) < 1e-9, "seed \(seed)")
    }
  }
}
