import Inspection

extension GivenItems {
  /// Creates the things given with answers alone. An answer that the office has refused counts no more.
  public init(_ answers: [ItemName: SealedAnswer], _ verdicts: ItemVerdicts) {
    self.init()
    self.answers = answers.filter { !verdicts.refused.contains($1.id) }.mapValues(\.answer)
  }
}
