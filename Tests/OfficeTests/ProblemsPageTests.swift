import FieldUnit
import Foundation
import Inspection
import KeyTokens
import OfficeScenes
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import Office
@testable import OfficePages

/// The codes of `docs/problems.md`, where people look them up: all are there, and none that no
/// program says.
@Suite("The page of problems")
struct ProblemsPageTests {
  /// Returns the rows below a heading, up to the next: code, then the other cells.
  private static func rows(below heading: String, in page: String) -> [String: [String]] {
    var rows: [String: [String]] = [:]
    var isBelow = false
    for line in page.split(separator: "\n") {
      if line.hasPrefix("#") {
        isBelow = line.drop { $0 == "#" || $0 == " " } == heading
      } else if isBelow, let code = line.wholeMatch(of: #/\| `([a-z-]+)` \|(.+)\|/#) {
        rows[String(code.1)] = code.2.split(separator: "|").map {
          $0.trimmingCharacters(in: .whitespaces)
        }
      }
    }
    return rows
  }

  private static func page() throws -> String {
    try String(
      contentsOf: Repository.root.appendingPathComponent("docs/problems.md"), encoding: .utf8)
  }

  @Test("each problem of the office stands there with its status, and no other")
  func office() throws {
    let rows = Self.rows(below: "The office says no", in: try Self.page())
    #expect(Set(rows.keys) == Set(OfficeProblem.allCases.map(\.rawValue)))
    for problem in OfficeProblem.allCases {
      #expect(rows[problem.rawValue]?.first == "\(problem.status)", "\(problem.rawValue)")
    }
  }

  @Test("each problem of the web library stands there with its status, and no other")
  func web() throws {
    let rows = Self.rows(below: "Any page of either program says no", in: try Self.page())
    #expect(Set(rows.keys) == Set(WebProblem.allCases.map(\.rawValue)))
    for problem in WebProblem.allCases {
      #expect(rows[problem.rawValue]?.first == "\(problem.status)", "\(problem.rawValue)")
    }
  }

  @Test("each code of the field unit stands there, and no other")
  func fieldUnit() throws {
    let page = try Self.page()
    let id = Identifier(at: DeviceTime(millisecondsSince1970: 1_780_000_000_000))
    func hold(_ heading: String, _ codes: [String]) {
      #expect(Set(Self.rows(below: heading, in: page).keys) == Set(codes), "\(heading)")
    }
    let rules: [InspectionError] = [
      .transitionForbidden(action: .open, from: .open),
      .roleForbidden(action: .open, role: .officer), .reasonMissing(action: .decline),
      .photosMissing(have: 0, need: 1), .noteMissing, .trackMissing,
      .trackUnfinished, .setMissing(.init(kind: .turn, sectors: 4)),
      .policyForbids(.imported), .photosUnchecked(count: 1, of: 1),
      .batchBegun, .decisionTold, .taskLocked(.accepted),
      .alreadySent(what: "photo"), .noteTooLong(characters: 6_000, limit: 5_000),
      .repeatsMissing(lacking: 1), .itemsMissing([]), .photoPoint(.gone), .item(.reason),
    ]
    hold(
      "The rules of an inspection",
      rules.map(\.code) + [SendError.belongsToTask(what: "photo", id: id).code])
    let device: [FieldUnitError] = [
      .unwritable(path: "", reason: ""), .unreadable(path: "", reason: ""), .camera(""),
      .picture(""), .captureRefused([]), .rawWindowGone, .emptySelection, .malformedIdentifier(""),
      .malformedPhotoPoint(""),
      .trackNotFinished(""), .malformedSetting(name: "", reason: ""),
      .looserSetting(name: "", limit: "", isAgencys: true), .captureBusy(""), .exposureOver,
      .recordingElsewhere, .noReceiver, .notRecording,
    ]
    let tokens: [TokenError] = [
      .malformedURI(""), .module(path: "", reason: ""), .noToken(""), .pinFile(path: "", ""),
      .wrongPIN, .lockedPIN, .noKey, .crashed, .slow(seconds: 1), .refused(step: "", code: 1),
      .nonsense(""),
    ]
    hold("Capturing, files, identifiers", device.map(\.code) + tokens.map(\.code))
    // The office's table has the row of a document that cannot be made, for both.
    #expect(page.contains("`\(FieldUnitError.exportImpossible("").code)`"))
    // The device's table has the row of a file that cannot be written, for both.
    let store: [StoreError] = [
      .unavailable(path: "", reason: ""), .newerSchema(path: ""), .unknown(what: "", id: ""),
      .damagedRow(""), .unusableBackup(""),
    ]
    hold("The database", store.map(\.code))
    #expect(
      StoreError.unwritable(path: "", reason: "").code
        == FieldUnitError.unwritable(path: "", reason: "").code)
    let delivery: [DeliveryError] = [
      .notSignedIn, .malformedAddress("", reason: ""), .unusablePin(reason: ""), .underWay,
      .unreachable(address: "", reason: ""),
      .askedToWait(address: "", seconds: 1, reason: ""),
      .officeFull(address: "", seconds: 1, reason: ""),
      .notAnOffice(address: "", reason: ""), .olderOffice(address: "", software: ""),
      .otherAuthority(address: "", found: "", expected: ""), .fileGone(path: ""),
    ]
    let sync: [SyncError] = [
      .malformedMessage(""), .unknownSchema(found: "", expected: ""), .receiptMismatch(""),
      .policyMismatch(""),
    ]
    hold("The office, seen from the field unit", delivery.map(\.code) + sync.map(\.code))
    for error in [
      WebError.portUnavailable(host: "", port: 0, reason: ""),
      .unusableCertificate(certificatePath: "", keyPath: "", reason: ""),
    ] {
      #expect(page.contains("`\(error.code)`"))
    }
  }

  @Test("a row that is not a problem's is not taken for one")
  func rowsOnly() {
    let page = """
      ## The office says no
      | code | status |
      | --- | --- |
      | `unknown` | 404 |
      `role-forbidden` in a sentence
      ## Further
      | `busy` | 503 |
      """
    #expect(Self.rows(below: "The office says no", in: page) == ["unknown": ["404"]])
  }
}
