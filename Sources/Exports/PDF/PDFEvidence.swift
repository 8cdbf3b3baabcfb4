import PDFWriting

/// The small print: how anybody checks the evidence, and what it shows and does not show.
struct PDFEvidence {
  /// The most attached files that are listed with their digests; the list of all evidence has the
  /// digests of the others.
  private static let attachmentsAtMost = 16
  private static let columnGap = 16.0
  /// The styles of the words, and the distance of the columns' lines in points.
  private struct Look {
    var text: PDFStyle
    var head: PDFStyle
    var label: PDFStyle
    var leading: Double

    /// The look below other content.
    static let small = Look(text: .fine, head: .fineHead, label: .fineLabel, leading: 9.5)
    /// The look on a page of its own, which small print would leave nearly empty.
    static let large = Look(text: .body, head: .strong, label: .label, leading: 11.5)
  }

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
    let height = height(on: flow)
    let look = flow.isFresh || height > flow.remaining ? Look.large : .small
    try flow.reserve(min(height, flow.fullHeight))
    try flow.heading(flow.words.evidence, keeping: 60)
    flow.haru.bookmark(flow.words.evidence, at: flow.page)
    for line in wide(flow.words, look) { try flow.paragraph(line.text, line.style) }
    flow.space(4)
    try draw(columns(look, on: flow), look, on: flow)
  }

  /// Returns the height below other content on one page, in points.
  func height(on flow: PDFFlow) -> Double {
    let look = Look.small
    let wide = wide(flow.words, look).reduce(0) { $0 + flow.height(of: $1.text, $1.style) }
    let rows = (columns(look, on: flow).count + 1) / 2
    return PDFFlow.headingHeight + wide + 4 + Double(rows) * look.leading
  }

  /// Returns the paragraphs over the whole width: what somebody types and compares.
  private func wide(_ words: DocumentWords, _ look: Look) -> [Line] {
    var lines: [Line] = [
      (words.readingCopy + " " + howToCheck, look.text),
      (words.command(fingerprint: authorityFingerprint), look.head),
    ]
    if let authorityFingerprint {
      lines += [
        (words.fingerprintKnown, look.text),
        ("\(words.fingerprint): \(authorityFingerprint)", look.text),
      ]
    } else {
      lines.append((words.fingerprintMissing, look.text))
    }
    if let list {
      let digest = words.evidenceDigest(list.digest, files: list.entries.count)
      lines.append(("\(words.evidenceDigest): \(digest)", look.text))
    }
    if !attachments.isEmpty {
      lines.append((words.attached(attachments.count), look.text))
      for attachment in attachments.prefix(Self.attachmentsAtMost) {
        lines.append(
          ("\(HaruDocument.plainName(attachment.name))  \(attachment.digest)", look.label))
      }
    }
    return lines
  }

  /// Returns the lines of the two columns below.
  private func columns(_ look: Look, on flow: PDFFlow) -> [Line] {
    let words = flow.words
    let width = (PDFFlow.width - Self.columnGap) / 2
    var lines: [Line] = []
    for (head, items) in [
      (words.shows, words.showsItems), (words.showsNot, words.showsNotItems),
      (words.numbers, words.numbersItems),
    ] {
      lines.append((head, look.head))
      for item in items {
        lines += flow.typeface(look.text).lines(
          of: "• \(item)", size: look.text.size, width: width
        ).map { ($0, look.text) }
      }
    }
    return lines
  }

  /// Draws lines in two columns, over as many pages as they need.
  private func draw(
    _ lines: [Line], _ look: Look, on flow: PDFFlow
  ) throws(PDFError) {
    let leading = look.leading
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
