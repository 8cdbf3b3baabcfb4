import Evidence
import Inspection
import PDFWriting

/// The results of a photo's checks: failed ones first and in words, then those that cannot be told,
/// and the passed ones in one line.
struct PDFPhotoChecks {
  let part: Dossier.PhotoPart
  let flow: PDFFlow

  private var words: DocumentWords { flow.words }

  /// The results with their signs, in their order.
  private var items: [(sign: String, text: String, style: PDFStyle)] {
    var items = part.objections(words).map { (sign: "✗", text: $0, style: PDFStyle.strong) }
    let unclear = part.checks.filter { $0.isGood == nil }
    if !unclear.isEmpty {
      let told = unclear.map { "\($0.name) (\($0.value))" }.joined(separator: ", ")
      items.append(("–", words.unclear(told), .body))
    }
    let notes = part.findings.filter { $0.severity == .note }
    if !notes.isEmpty {
      let told = notes.map { words.finding($0, on: part.photo) }.joined(separator: "; ")
      items.append(("–", words.noted(told), .body))
    }
    let passed = part.checks.filter { $0.isGood == true }
    if !passed.isEmpty {
      let names = passed.map(\.name).joined(separator: ", ")
      items.append(("✓", words.passed(passed.count, names), .body))
    }
    return items
  }

  /// The height on one page, in points.
  var height: Double {
    let items = items
    return items.isEmpty
      ? 0
      : items.reduce(PDFFlow.headingHeight) {
        $0 + flow.height(of: $1.text, $1.style, indent: 15) + 2
      }
  }

  func draw() throws(PDFError) {
    let items = items
    guard !items.isEmpty else { return }
    try flow.heading(words.checks, keeping: 24)
    for item in items {
      try flow.item(item.sign, item.text, item.style)
      flow.space(2)
    }
  }
}
