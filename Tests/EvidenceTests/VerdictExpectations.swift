import Testing

@testable import Evidence
@testable import Verification

extension MemoryFiles {
  func verified(_ scope: Verifier.Scope = .whole) -> VerificationReport {
    Verifier.verify(self, scope: scope)
  }
}

/// Expects a verdict, and a finding of the right check and severity about the right file.
func expect(
  _ report: VerificationReport, _ verdict: EvidenceVerdict, _ check: Finding.Check,
  about subject: String, says words: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(report.verdict == verdict, "\(report.findings)", sourceLocation: sourceLocation)
  let severity: Finding.Severity =
    switch verdict {
    case .intact: .note
    case .doubtful: .doubtful
    case .incomplete: .incomplete
    case .altered: .altered
    }
  #expect(
    report.findings.contains {
      $0.check == check && $0.severity == severity && $0.subject == subject
        && (words.isEmpty || $0.message.contains(words))
    }, "no such finding in \(report.findings)", sourceLocation: sourceLocation)
}

/// Expects an intact report without findings but notes, in which all seals were checked.
func expectIntact(
  _ report: VerificationReport, seals: Int, _ comment: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(report.verdict == .intact, comment, sourceLocation: sourceLocation)
  #expect(report.checked == seals, comment, sourceLocation: sourceLocation)
  #expect(
    report.findings.filter { $0.severity != .note } == [], comment, sourceLocation: sourceLocation)
}
