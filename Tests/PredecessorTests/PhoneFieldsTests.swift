import Evidence
import Inspection
import OfficeScenes
import Positioning
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor

@Suite("Fields of a phone's photo")
struct PhoneFieldsTests {
  private func fields(_ text: String) -> PhoneFields { PhoneFields(text: "{\(text)}") }

  @Test("the lens's angles are the app's, turned as the picture is; what is no lens's is nothing")
  func camera() {
    let said = fields("\"horizontalViewAngle\":67.5,\"verticalViewAngle\":\"53.1\"")
    let wide = said.camera(widthPixels: 1080, heightPixels: 810)
    #expect(wide?.horizontalDegrees == 67.5 && wide?.verticalDegrees == 53.1)
    #expect(wide?.source == .stated)
    let tall = said.camera(widthPixels: 810, heightPixels: 1080)
    #expect(tall?.horizontalDegrees == 53.1 && tall?.verticalDegrees == 67.5)
    for broken in [
      "", "\"horizontalViewAngle\":67.5", "\"horizontalViewAngle\":0,\"verticalViewAngle\":53",
    ] {
      #expect(fields(broken).camera(widthPixels: 4, heightPixels: 3) == nil, "\(broken)")
    }
  }

  @Test("a heading is made true by the place's declination, and stays magnetic without a place")
  func heading() throws {
    let time = DeviceTime(millisecondsSince1970: 1_780_302_600_000)
    let known = try #require(
      fields("\"lat\":49,\"lng\":16,\"photo_heading\":100").orientation(at: time))
    let declination = try #require(known.declinationDegrees)
    #expect((3...7).contains(declination))
    #expect(known.headingDegreesMagnetic == 100)
    #expect(known.azimuthDegreesTrue == 100 + declination)
    let nowhere = try #require(
      fields("\"lat\":0,\"lng\":0,\"photo_heading\":100").orientation(at: time))
    #expect(nowhere.headingDegreesMagnetic == 100 && nowhere.azimuthDegreesTrue == nil)
  }
}
