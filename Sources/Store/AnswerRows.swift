import Evidence
import GRDB
import Inspection
import Sync
import TimeAndText

/// Answers in rows of either database.
enum AnswerRows {
  /// Returns an answer as its column holds it: the member `answer` of its record.
  static func text(_ answer: SealedAnswer) -> String {
    String(decoding: answer.json.canonicalBytes, as: UTF8.self)
  }

  /// Reads an answer from a row.
  /// - Parameters:
  ///   - id: the name of the column with the record's identifier.
  ///   - revision: the order's revision that the device knew; nil if it is not kept.
  static func answer(_ row: Row, id: String, revision: Int?) throws -> SealedAnswer {
    let damage = StoreError.damagedRow("an answer of task \(row["task"] as String)")
    let text: String = row["answer"]
    guard let record = Identifier(row[id]), let task = Identifier(row["task"]) else { throw damage }
    do throws(EvidenceError) {
      return try SealedAnswer(
        try JSONValue(parsing: Array(text.utf8)), id: record, task: task, revision: revision,
        at: DeviceTime(millisecondsSince1970: row["answered"]))
    } catch { throw damage }
  }
}
