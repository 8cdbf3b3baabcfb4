import Evidence
import Exports
import FieldExporting
import FieldUnit
import Foundation
import Inspection
import Office
import OfficeExporting
import Store
import Sync
import TimeAndText
import Verification

// The second half of the story: the delivery to the office, the decision, and the check by strangers.

extension DemoStory {
  /// Stops the office and sends: work goes on, and the outbox fills.
  mutating func sendWithoutOffice(_ task: InspectionTask) async throws {
    await office.stop()
    let sent = try unit.provideTask(task.id)
    let standalone = try unit.photos(.standalone).map(\.id)
    try unit.sendPhotos(standalone)
    let waiting = try unit.outbox()
    let bytes = waiting.reduce(0) { $0 + $1.bytes }
    do {
      _ = try await unit.delivery.deliver(over: link)
      throw DemoError.stepFailed("something was delivered to an office that is not there")
    } catch DeliveryError.unreachable {
      guard try unit.outbox().count == waiting.count else {
        throw DemoError.stepFailed("the outbox lost something")
      }
    }
    summary.add(
      "sent",
      "The office is stopped. Task \"\(sent.name)\" sent anyway: \(sent.state.fileTitle), locked;"
        + " \(waiting.count) entries, \(bytes) bytes wait in the outbox",
      [
        ("to", .string(sent.state.rawValue)), ("waiting", .integer(waiting.count)),
        ("bytes", .integer(bytes)),
      ])
  }

  /// Starts the office again and delivers everything that waits.
  mutating func deliver() async throws {
    try await office.start()
    let outcome = try await deliverAll()
    let receipts = try unit.delivery.receipts()
    guard !receipts.isEmpty else { throw DemoError.stepFailed("the office gave no receipt") }
    let records = receipts.reduce(0) { $0 + $1.records.count }
    let files = receipts.reduce(0) { $0 + $1.files.count }
    summary.add(
      "delivered",
      "The office is back: \(receipts.count) batches, \(outcome.delivered) entries,"
        + " \(outcome.bytesSent) bytes; their receipts name \(records) records and \(files) files",
      [
        ("delivered", .integer(outcome.delivered)), ("bytesSent", .integer(outcome.bytesSent)),
        ("records", .integer(records)), ("files", .integer(files)),
      ])
  }

  /// Returns one item as the officer; then captures once more, sends and delivers as the inspector.
  mutating func returnAndRepeat(_ task: InspectionTask) async throws {
    let returned = try await returnPhoto(of: task)
    if let stretch = plan.anotherPhoto {
      try await capture(for: returned, stretch, again: true)
    } else {
      summary.skip("another photo for the task")
      try excusePhoto(of: task)
    }
    let sent = try unit.provideTask(task.id)
    let outcome = try await deliverAll()
    summary.add(
      "delivered-again",
      "Sent again: \(returned.state.fileTitle) → \(sent.state.fileTitle), \(outcome.bytesSent) bytes delivered",
      [("to", .string(sent.state.rawValue)), ("bytesSent", .integer(outcome.bytesSent))])
  }

  /// Accepts the task as the officer.
  mutating func decide(_ task: InspectionTask) async throws {
    try await office.server.review.decide(
      .accept, on: task.id, by: office.officer, reason: nil, seen: try await steps(of: task))
    _ = try await unit.delivery.fetchTasks(over: link)
    let accepted = try unit.task(task.id)
    guard accepted.state == .accepted else {
      throw DemoError.stepFailed("the decision did not reach the inspector")
    }
    summary.add(
      "accepted", "The officer accepted: \(accepted.state.fileTitle), and the inspector knows",
      [("to", .string(accepted.state.rawValue))])
  }

  /// Returns the number of steps of a task that the officer sees.
  func steps(of task: InspectionTask) async throws -> Int {
    try await office.server.review.view(of: task.id, in: DemoOffice.agency).task.history.count
  }

  private func deliverAll() async throws -> DeliveryOutcome {
    let outcome = try await unit.delivery.deliver(over: link)
    if let refusal = outcome.refusal { throw DemoError.stepFailed("\(refusal)") }
    guard outcome.waiting == 0 else {
      throw DemoError.stepFailed("\(outcome.waiting) entries still wait")
    }
    // The office examines by itself; here the story waits for it, since a decision may be next.
    try await office.server.examiner.examineArrivals()
    return outcome
  }

  // MARK: exports and checks

  mutating func exportKML() throws {
    let path = output.appendingPathComponent("demo.kml").path
    try unit.exports.export(.all, as: .kml, toFile: path)
    let bytes = Self.size(of: path)
    summary.add(
      "exported", "KML written to demo.kml, \(bytes) bytes",
      [("format", .string("kml")), ("bytes", .integer(bytes))])
  }

  /// Writes PDF and bundle, and checks the bundle alone, as a stranger would.
  mutating func exportAndVerify(_ task: InspectionTask) async throws {
    for (format, name, file) in [
      ("pdf", "task.pdf", "demo.pdf"), ("bundle", "bundle.zip", "demo-bundle.zip"),
    ] {
      let path = output.appendingPathComponent(file).path
      try await office.server.exports.write(
        name, ofTask: task.id, in: DemoOffice.agency, toFile: path)
      summary.add(
        "exported",
        "\(format == "pdf" ? "PDF" : "Bundle") of the task written to \(file), \(Self.size(of: path)) bytes",
        [("format", .string(format)), ("bytes", .integer(Self.size(of: path)))])
    }
    let archive = try EvidenceArchive(
      path: output.appendingPathComponent("demo-bundle.zip").path)
    try verify(
      archive, "the bundle alone, trusting the office's fingerprint", "verified-bundle")
  }

  mutating func verifyData() throws {
    try verify(
      try EvidenceFolder(folder: output.appendingPathComponent("data").path),
      "all files of both sides", "verified")
  }

  private mutating func verify(
    _ files: any EvidenceFiles, _ what: String, _ step: String
  ) throws {
    let report = Verifier.verify(
      files, scope: .whole, trust: .fingerprint(office.server.fingerprint))
    let serious = report.findings.filter { $0.severity != .note }
    summary.add(
      step,
      "Verified \(what): \(report.verdict.rawValue), issuer \(report.issuer.rawValue),"
        + " \(report.checked) seals, all marked as simulated",
      [
        ("verdict", .string(report.verdict.rawValue)),
        ("issuer", .string(report.issuer.rawValue)), ("checked", .integer(report.checked)),
      ])
    guard report.verdict == .intact, report.issuer == .trusted else {
      throw DemoError.stepFailed(
        (serious.map { "\($0.subject): \($0.message)" } + ["issuer \(report.issuer.rawValue)"])
          .joined(separator: "; "))
    }
  }

  private static func size(of path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
  }
}
