import Evidence
import Inspection
import Positioning

extension OfficeServer {
  /// The agency's capture policy in force; nil before the first was laid down.
  public func policy(of agency: String) async throws -> SignedPolicy? {
    try await database.read(in: agency) { try $0.policies.current() }
  }

  /// Lays down the agency's capture policy anew; field units get it with their tasks. What does not
  /// change anything makes no further revision.
  ///
  /// - Parameter seen: the revision that was looked at, 0 for none: what was changed is what was seen,
  ///   or nothing is. Nil changes whatever is in force.
  /// - Throws: `OfficeRefusal` (policy-changed).
  @discardableResult
  public func setPolicy(
    of agency: String, by login: String, seen: Int? = nil, _ change: (inout CapturePolicy) -> Void
  ) async throws -> SignedPolicy {
    let now = clock.deviceTime
    return try await database.write(in: agency) { session in
      let known = try session.policies.current()
      let revision = known?.policy.revision ?? 0
      guard seen ?? revision == revision else {
        throw OfficeRefusal(
          .policyChanged,
          "revision \(revision) was laid down after you opened this page: look again, then decide")
      }
      let before = known?.policy ?? CapturePolicy(revision: 0, issued: now)
      var after = before
      change(&after)
      if let known, after == before { return known }
      after.revision = revision + 1
      after.issued = now
      let signed = try SignedPolicy(
        after, agency: agency, signedWith: receiptKey, certificate: receiptCertificate)
      try session.policies.insert(signed, by: login)
      try session.log.add(
        log(
          "policy-set", on: agency, by: login, agency: agency,
          detail: "revision \(after.revision): \(after.summary)"))
      return signed
    }
  }
}

extension OfficeServer {
  /// How many cells the agency's own list has.
  public func cellCount(of agency: String) async throws -> Int {
    try await database.read(in: agency) { try $0.checks.cellSiteCount() }
  }

  /// Puts the agency's own list of cells in the place of the one before, whole. Photos that arrive from
  /// now on are checked against it.
  public func setCells(_ cells: [CellSite], of agency: String, by login: String) async throws {
    try await database.write(in: agency) { session in
      try session.checks.replaceCellSites(with: cells)
      try session.log.add(
        log("cells-set", on: agency, by: login, agency: agency, detail: "\(cells.count) cells"))
    }
  }
}
