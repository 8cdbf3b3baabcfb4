import Evidence
import FieldUnit
import Foundation
import Inspection
import SetCapture
import SetViewing
import TestSupport
import Testing
import TimeAndText

@Suite("The document of an exported set")
struct AroundDocumentTests {
  private static let sound = """
    {"uid":"7","date":1764172800,"radius":5,"elements":[
    {"image":"001.jpg","angle":355,"time":0,"deviationPitch":0.5,"deviationRoll":-1,"acceleration":0.2},
    {"image":"002.jpg","angle":-3.5,"note":"unknown"}],"maker":{"name":"another program"}}
    """

  @Test("of another program is read, and members that are not known are passed over")
  func read() throws {
    let document = try AroundDocument(Array(Self.sound.utf8))
    #expect(document.elements.map(\.angleDegrees) == [355, 356.5])
    #expect(document.elements[1].seconds == nil)
    #expect(document.radiusDegrees == 5)
    #expect(document.proof == nil)
  }

  @Test(
    "names the member that is wrong",
    arguments: [
      ("\"angle\":355", "\"angle\":\"NaN\"", "elements[0].angle"),
      ("\"angle\":355", "\"angle\":null", "elements[0].angle"),
      ("001.jpg", "../../etc/passwd.jpg", "elements[0].image"),
      ("001.jpg", "a/001.jpg", "elements[0].image"),
      ("001.jpg", ".hidden.jpg", "elements[0].image"),
      ("001.jpg", "001.svg", "elements[0].image"),
      ("\"radius\":5", "\"radius\":0", "radius"),
      ("\"time\":0", "\"time\":\"soon\"", "elements[0].time"),
      ("\"uid\":\"7\",", "", "uid"),
    ])
  func faults(part: String, wrong: String, member: String) throws {
    let text = Self.sound.replacing(part, with: wrong)
    let fault = #expect(throws: AroundFault.self) { try AroundDocument(Array(text.utf8)) }
    #expect(fault?.wording.description.contains(member) == true)
  }

  @Test("with one image twice, with too many, or that is no JSON, is refused")
  func others() {
    let twice = Self.sound.replacing("002.jpg", with: "001.jpg")
    let many =
      "{\"uid\":\"7\",\"date\":1,\"radius\":5,\"elements\":["
      + (0..<121).map { "{\"image\":\"\($0).jpg\",\"angle\":1}" }.joined(separator: ",") + "]}"
    for text in [twice, many, "", "[]", "{", String(repeating: " ", count: 5 << 20)] {
      #expect(throws: AroundFault.self) { try AroundDocument(Array(text.utf8)) }
    }
  }

  @Test("in a folder is read, and its images that are not there are named")
  func folder() throws {
    try withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("around.json")
      try Data(Self.sound.utf8).write(to: file)
      try Data([1]).write(to: folder.appendingPathComponent("002.jpg"))
      for path in [folder.path, file.path] {
        let read = try AroundFolder(path: path)
        #expect(read.missing == ["001.jpg"])
        #expect(read.document.elements.count == 2)
      }
      try Data("[".utf8).write(to: file)
      #expect(throws: FieldUnitError.self) { try AroundFolder(path: folder.path) }
      #expect(throws: FieldUnitError.self) { try AroundFolder(path: folder.path + "/none") }
      try FileManager.default.removeItem(at: file)
      #expect(throws: FieldUnitError.self) { try AroundFolder(path: folder.path) }
    }
  }
}
