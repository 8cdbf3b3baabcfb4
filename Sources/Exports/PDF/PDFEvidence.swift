/// The small print: how anybody checks the evidence, and what it shows and does not show.
struct PDFEvidence {
  /// The most attached files that are listed with their digests; the list of all evidence has the
  /// digests of the others.
  private static let attachmentsAtMost = 16
  private static let columnGap = 16.0
  /// The distance of the columns' lines, in points.
  private static let leading = 9.5

  /// The list of all evidence files; nil if it is not known.
  let list: EvidenceList?
  let attachments: [Dossier.Attachment]
  /// The SHA-256 of the office's certification authority; nil if there is none.
  let authorityFingerprint: String?
  /// The words that say how to obtain the evidence that the command checks.
  let howToCheck: String

  private typealias Line = (text: String, style: PDFStyle)

  func draw(on flow: PDFFlow) throws(PDFError) {
    // It stays together, so that the last page does not hold its last lines alone.
    try flow.reserve(min(height(on: flow), flow.fullHeight))
    try flow.heading(flow.words.evidence, keeping: 60)
    flow.haru.bookmark(flow.words.evidence, at: flow.page)
    for line in wide(flow.words) { try flow.paragraph(line.text, line.style) }
    flow.space(4)
    try draw(columns(on: flow), on: flow)
  }

  /// Returns the height on one page, in points.
  func height(on flow: PDFFlow) -> Double {
    let wide = wide(flow.words).reduce(0) { $0 + flow.height(of: $1.text, $1.style) }
    let rows = (columns(on: flow).count + 1) / 2
    return PDFFlow.headingHeight + wide + 4 + Double(rows) * Self.leading
  }

  /// Returns the paragraphs over the whole width: what somebody types and compares.
  private func wide(_ words: DocumentWords) -> [Line] {
    var lines: [Line] = [
      (words.readingCopy + " " + howToCheck, .fine),
      (words.command(fingerprint: authorityFingerprint), .fineHead),
    ]
    if let authorityFingerprint {
      lines += [
        (words.fingerprintKnown, .fine), ("\(words.fingerprint): \(authorityFingerprint)", .fine),
      ]
    } else {
      lines.append((words.fingerprintMissing, .fine))
    }
    if let list {
      let digest = words.evidenceDigest(list.digest, files: list.entries.count)
      lines.append(("\(words.evidenceDigest): \(digest)", .fine))
    }
    if !attachments.isEmpty {
      lines.append((words.attached(attachments.count), .fine))
      for attachment in attachments.prefix(Self.attachmentsAtMost) {
        lines.append(
          ("\(HaruDocument.plainName(attachment.name))  \(attachment.digest)", .fineLabel))
      }
    }
    return lines
  }

  /// Returns the lines of the two columns below.
  private func columns(on flow: PDFFlow) -> [Line] {
    let words = flow.words
    let width = (PDFFlow.width - Self.columnGap) / 2
    var lines: [Line] = []
    for (head, items) in [
      (words.shows, words.showsItems), (words.showsNot, words.showsNotItems),
      (words.numbers, words.numbersItems),
    ] {
      lines.append((head, .fineHead))
      for item in items {
        lines += flow.typeface(.fine).lines(
          of: "• \(item)", size: PDFStyle.fine.size, width: width
        ).map { ($0, .fine) }
      }
    }
    return lines
  }

  /// Draws lines in two columns, over as many pages as they need.
  private func draw(_ lines: [Line], on flow: PDFFlow) throws(PDFError) {
    let leading = Self.leading
    let second = PDFFlow.left + (PDFFlow.width + Self.columnGap) / 2
    var rest = lines[...]
    while !rest.isEmpty {
      let rows = min((rest.count + 1) / 2, Int(flow.remaining / leading))
      if rows < min(6, (rest.count + 1) / 2), !flow.isFresh {
        try flow.newPage()
        continue
      }
      for (x, column) in [
        (PDFFlow.left, rest.prefix(rows)), (second, rest.dropFirst(rows).prefix(rows)),
      ] {
        for (row, line) in column.enumerated() {
          flow.draw(line.text, x: x, top: flow.y + Double(row) * leading, line.style)
        }
      }
      flow.space(Double(rows) * leading)
      rest = rest.dropFirst(2 * rows)
    }
  }
}
