import Evidence
import Imports
import Inspection
import Office
import Store
import Sync
import TimeAndText

extension CarryOver {
  /// The number of parcels taken in one step, for which others wait some tens of milliseconds.
  private static let parcelsAtOnce = 2000

  /// Returns the agency that gets the parcels; nil if there are no parcels, or they are left out.
  /// - Throws: `OfficeRefusal`: unknown, or input-invalid if the agency has to be named first.
  func planParcels(_ stage: DumpStage) async throws -> String? {
    guard !options.without.contains(.parcels),
      try stage.count(of: OlderTable.parcel.rawValue) > 0
    else { return nil }
    let names = Set(agencies.values.map(\.name)).sorted()
    if let name = options.parcelsAgency {
      if !names.contains(name) { try await office.people.requireAgency(name) }
      return name
    }
    guard let name = names.first, names.count == 1 else {
      throw OfficeRefusal(
        .inputInvalid,
        "parcels belong to no agency there: name their agency with --agency"
          + " (\(names.joined(separator: ", "))), or leave them out with --without parcels")
    }
    return name
  }

  /// Carries parcels over into an agency's register, a few thousand at a time. A parcel that the
  /// register has already stays as it is.
  func carryParcels(_ stage: DumpStage, into agency: String) async throws {
    let all = try stage.count(of: OlderTable.parcel.rawValue)
    var identifiers: Set<String> = []
    var batch: [DeclaredParcel] = []
    var done = 0
    try await forEach(.parcel, of: stage, .parcels) { row in
      if done.isMultiple(of: 200) { try report(.parcels, done, all) }
      done += 1
      if let parcel = try await parcel(row, agency, &identifiers) { batch.append(parcel) }
      if batch.count >= Self.parcelsAtOnce {
        try await take(batch, into: agency)
        batch = []
      }
    }
    try await take(batch, into: agency)
    try report(.parcels, done, all)
  }

  /// Returns the parcel of a row; nil if it is here already, or is left out.
  private func parcel(
    _ row: OlderRow, _ agency: String, _ identifiers: inout Set<String>
  ) async throws -> DeclaredParcel? {
    guard let identifier = row.text("identificator") else {
      try leave(
        .identifierMissing, .parcels, row, "a parcel", why: "its column identificator is empty")
      return nil
    }
    guard identifiers.insert(identifier).inserted else {
      try leave(
        .identifierTwice, .parcels, row, identifier,
        why: "another parcel of this identifier stands before it")
      return nil
    }
    let parcel: DeclaredParcel
    do {
      parcel = try OlderParcel.read(
        identifier: identifier, description: row.text("pa_description"),
        geometry: row.raw("wgs_geometry"))
    } catch {
      try leave(.outlineUnusable, .parcels, row, identifier, why: error.words)
      return nil
    }
    try noteDamage(row, identifier)
    switch try await office.database.read(in: agency, { try $0.parcels.effect(of: parcel) }) {
    case .new:
      count(.parcels) { $0.carried += 1 }
      return parcel
    case .unchanged: count(.parcels) { $0.here += 1 }
    case .changed:
      count(.parcels) { $0.here += 1 }
      try note(
        .parcelDiffers, row, identifier,
        why: "\(agency)'s register has it with other words or another outline")
    }
    return nil
  }

  private func take(_ parcels: [DeclaredParcel], into agency: String) async throws {
    guard !options.isCheck, !parcels.isEmpty else { return }
    try office.core.requireDisk()
    _ = try await office.database.takeParcels(in: agency, at: now) { offer in
      for parcel in parcels { try offer(parcel) }
      return true
    } taken: { session, count in
      try session.log.add(
        office.log(
          "parcels-carried-over", on: agency, by: person, agency: agency,
          detail:
            "\(count.new) new, \(count.changed) changed, \(count.unchanged) unchanged, of \(options.source)"
        ))
    }
  }
}
