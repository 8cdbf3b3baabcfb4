import GRDB

// The wall around one inspector's things, for inspectors who look at what the office holds of theirs.
//
// The obvious idea: the pages read the agency's things and leave out what is another's. It fails at the
// first page that forgets to: counts, neighbours in a list and the next page's number tell of what is left
// out.
//
// What is done: the transaction itself is an inspector's. Each statement of the functions that such a
// transaction is handed out with has these words, and nothing else is read. The office's protocol
// `ReadingTransaction` has those functions and no others, so that a page cannot come by any more.
extension AgencySession {
  /// What a row of a table with an inspector must fulfil besides; nothing where all of the agency is seen.
  /// - Parameter column: the column of the inspector. With a `+` before it no index is looked up for it,
  ///   and a list keeps the index of its order.
  func own(_ column: String = "inspector") -> String {
    inspector == nil ? "" : "AND \(column) = :own"
  }

  /// The same of a table that names a task alone.
  func own(taskOf table: String) -> String {
    guard inspector != nil else { return "" }
    return """
      AND EXISTS (SELECT 1 FROM task AS owned WHERE owned.id = \(table).task
        AND owned.agency = :agency AND owned.inspector = :own)
      """
  }
}
