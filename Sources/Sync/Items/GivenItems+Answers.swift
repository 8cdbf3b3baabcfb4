import Inspection

extension GivenItems {
  /// Creates the things given with answers alone. An answer that the office has returned counts no more.
  public init(_ answers: [ItemName: SealedAnswer], _ verdicts: [ItemVerdict]) {
    self.init()
    let gone = Set(verdicts.filter { $0.returned != nil }.flatMap(\.judged))
    self.answers = answers.filter { !gone.contains($1.id) }.mapValues(\.answer)
  }
}
