import Evidence
import Positioning
import Receivers
import Sync
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

/// Tests of words that reach the pages from the radio, the receiver and the office.
@Suite("Bluetooth, the receiver's test and the outbox in Czech")
struct CzechWordsTests {
  @Test("a pairing's refusal is Czech on the page and English for programs")
  func bluetooth() throws {
    let failure = BluetoothFailure(
      kind: .refused, wording: "\("AA:BB:CC:DD:EE:FF") refuses: the PIN is wrong")
    #expect(failure.description == "AA:BB:CC:DD:EE:FF refuses: the PIN is wrong")
    #expect(Texts.czech(failure.wording) == "AA:BB:CC:DD:EE:FF odmítá: PIN je nesprávný")
    let phone = BluetoothDevice(
      address: try #require(BluetoothAddress("AA:BB:CC:DD:EE:FF")), name: nil, deviceClass: 2 << 8,
      signalDecibelMilliwatts: nil, offersSerialPort: nil, isPaired: false)
    #expect(phone.kind.map { Texts.czech($0) } == "telefon" && phone.kind?.description == "phone")
  }

  @Test("the last fix of a test is told in Czech")
  func survey() throws {
    var survey = ReceiverSurvey(seconds: 2)
    let sentence = "GPGGA,120000,4900.0000,N,01636.0000,E,1,12,0.9,250.0,M,44.0,M,,"
    let sum = sentence.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    let line = "$\(sentence)*\(digits.count == 1 ? "0" + digits : digits)\r\n"
    survey.accept(Array(line.utf8))
    let fix = try #require(survey.finish().fixWording)
    #expect(fix.description.contains("autonomous") && fix.description.contains("12 satellites"))
    #expect(Texts.czech(fix).contains("autonomní") && Texts.czech(fix).contains("družice: 12"))
  }

  @Test("why a delivery came to nothing is told in Czech to its innermost reason")
  func delivery() {
    let mismatch = DeliveryError.receiptMismatch("it is for another batch")
    #expect(
      Texts.czech(mismatch.wording).contains(
        "stvrzenka neodpovídá tomu, co bylo odesláno (je pro jinou dávku)"))
    let damaged = DeliveryError.receiptMismatch(
      "\(EvidenceError.malformedReceipt("the signature is not valid"))")
    #expect(Texts.czech(damaged.wording).contains("není to stvrzenka: podpis neplatí"))
    #expect("\(damaged)".contains("not a receipt: the signature is not valid"))
  }
}
