import TimeAndText

/// The last page: what a seal shows and does not show, and how to check it.
struct PDFClosingPage {
  let software: String
  let made: DeviceTime
  /// The SHA-256 of the office's certification authority; nil if there is none.
  let authorityFingerprint: String?
  /// The words that say how to obtain the evidence that the command checks.
  let howToCheck: String
  let flow: PDFFlow

  func draw() throws(PDFError) {
    try flow.newPage()
    flow.haru.bookmark(PDFWords.closing, at: flow.page)
    try flow.paragraph(PDFWords.closing, .subtitle)
    flow.space(4)
    try flow.paragraph(
      PDFWords.closingIntroduction(software: software, at: made))
    try flow.heading(PDFWords.shows)
    try flow.items(PDFWords.showsItems)
    try flow.heading(PDFWords.showsNot)
    try flow.items(PDFWords.showsNotItems)
    try flow.heading(PDFWords.howToCheck)
    try flow.paragraph(howToCheck)
    flow.space(4)
    try drawCommand()
    try drawFingerprint()
    try flow.heading(PDFWords.numbers)
    try flow.items(PDFWords.numbersItems)
  }

  private func drawCommand() throws(PDFError) {
    let style = PDFStyle(face: .regular, size: 7.5, leading: 12, ink: PDFStyle.dark)
    let lines = flow.typeface(style).lines(
      of: PDFWords.command(fingerprint: authorityFingerprint), size: style.size,
      width: PDFFlow.width - 18)
    for line in lines {
      try flow.reserve(style.leading + 8)
      flow.page.rectangle(
        x: PDFFlow.left, y: flow.y, width: PDFFlow.width, height: style.leading + 8,
        HaruPage.Paint(fill: PDFStyle.tint))
      flow.draw(line, x: PDFFlow.left + 9, leading: style.leading + 8, style)
      flow.space(style.leading + 8)
    }
    flow.space(6)
  }

  private func drawFingerprint() throws(PDFError) {
    guard let fingerprint = authorityFingerprint else {
      return try flow.paragraph(PDFWords.fingerprintMissing)
    }
    try flow.paragraph(PDFWords.fingerprint, .label)
    try flow.paragraph(fingerprint, .strong)
    flow.space(4)
    try flow.paragraph(PDFWords.fingerprintKnown)
  }
}
