import Evidence
import Foundation
import Inspection
import OfficeKeyring
import TimeAndText

/// The capture policies of agencies, and the agencies' own lists of cells.
package struct Policies: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
}

extension Policies {
  /// Returns the agency's capture policy in force; nil before the first.
  public func policy(of agency: String) async throws -> SignedPolicy? {
    try await database.read(in: agency) { try $0.policies.current() }
  }

  /// Sets a new revision of the agency's capture policy; field units get it with their tasks. A
  /// change without any effect makes no new revision.
  ///
  /// - Parameter seen: the revision that the caller saw, 0 for none: if another one is in force
  ///   now, nothing is changed. Nil changes the revision in force, whichever it is.
  /// - Throws: `OfficeRefusal` (policy-changed).
  /// - Parameter isAnew: true to sign the same policy again, by the office's present key.
  @discardableResult
  public func setPolicy(
    of agency: String, by login: String, seen: Int? = nil, isAnew: Bool = false,
    _ change: (inout CapturePolicy) -> Void
  ) async throws -> SignedPolicy {
    let now = clock.deviceTime
    return try await database.write(in: agency) { session in
      let known = try session.policies.current()
      let revision = known?.policy.revision ?? 0
      guard seen ?? revision == revision else {
        throw OfficeRefusal(
          .policyChanged,
          "revision \(revision) was saved after you opened this page: look at it, then try again")
      }
      let before = known?.policy ?? CapturePolicy(revision: 0, issued: now)
      var after = before
      change(&after)
      if let known, after == before, !isAnew { return known }
      after.revision = revision + 1
      after.issued = now
      let ring = core.keys.ring
      let signed = try SignedPolicy(
        after, agency: agency, signedWith: ring.receiptKey, certificate: ring.receiptCertificate)
      try session.policies.insert(signed, by: login)
      try session.log.add(
        log(
          "policy-set", on: agency, by: login, agency: agency,
          detail: "revision \(after.revision): \(after.summary)"))
      return signed
    }
  }
}

extension Policies {
  /// The greatest number of an agency's usual reasons, and of characters in one.
  package static let reasonsAtMost = (count: 30, characters: 200)

  /// Returns the agency's usual reasons to return or decline a task, in its order.
  package func returnReasons(of agency: String) async throws -> [String] {
    try await database.read(in: agency) { try $0.policies.returnReasons() }
  }

  /// Replaces the agency's usual reasons.
  /// - Parameter text: one reason a line; blank lines are left out.
  /// - Throws: `OfficeRefusal` (input-invalid) for too many or too long ones; nothing is changed.
  package func setReturnReasons(
    _ text: String, of agency: String, by login: String
  ) async throws {
    let reasons = text.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
    guard reasons.count <= Self.reasonsAtMost.count else {
      throw OfficeRefusal(
        .inputInvalid,
        "these are \(reasons.count) reasons, and \(Self.reasonsAtMost.count) are allowed: shorten the list"
      )
    }
    if let long = reasons.firstIndex(where: { $0.count > Self.reasonsAtMost.characters }) {
      throw OfficeRefusal(
        .inputInvalid,
        "reason \(long + 1) has \(reasons[long].count) characters; at most \(Self.reasonsAtMost.characters) are allowed"
      )
    }
    try await database.write(in: agency) { session in
      try session.policies.setReturnReasons(reasons)
      try session.log.add(
        log(
          "return-reasons-set", on: agency, by: login, agency: agency,
          detail: "\(reasons.count) reasons"))
    }
  }

  /// Returns the number of cells in the agency's own list.
  public func cellCount(of agency: String) async throws -> Int {
    try await database.read(in: agency) { try $0.checks.cellSiteCount() }
  }

  /// Replaces the agency's own list of cells, as a whole. Photos that arrive from now on are
  /// checked against it.
  public func setCells(_ cells: [CellSite], of agency: String, by login: String) async throws {
    try await database.write(in: agency) { session in
      try session.checks.replaceCellSites(with: cells)
      try session.log.add(
        log("cells-set", on: agency, by: login, agency: agency, detail: "\(cells.count) cells"))
    }
  }
}
