import GRDB
import Inspection
import Positioning
import Sync
import TimeAndText

/// The columns of the table `carried_over`.
enum CarriedOverColumns {
  static let insert = """
    INSERT INTO carried_over (agency, source, kind, number, inspector, subject, marks, facts, time)
    VALUES (:agency, :source, :kind, :number, :inspector, :subject, :marks, :facts, :time)
    """

  static func values(_ carried: CarriedOver) -> [String: (any DatabaseValueConvertible)?] {
    [
      "source": carried.source, "kind": carried.kind.rawValue, "number": carried.number,
      "inspector": carried.inspector, "subject": carried.subject,
      "marks": RowJSON.text(carried.marks), "facts": carried.facts,
      "time": carried.time.millisecondsSince1970,
    ]
  }

  static func carriedOver(_ row: Row) throws -> CarriedOver {
    guard let kind = CarriedOver.Kind(rawValue: row["kind"]) else {
      throw StoreError.damagedRow("what was carried over")
    }
    return CarriedOver(
      agency: row["agency"], inspector: row["inspector"], source: row["source"], kind: kind,
      number: row["number"], subject: row["subject"],
      marks: try RowJSON.value([String].self, row["marks"]), facts: row["facts"],
      time: DeviceTime(millisecondsSince1970: row["time"]))
  }
}
