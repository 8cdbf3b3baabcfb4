import Evidence
import PDFWriting

extension Dossier {
  /// A composite of photos of which at least one belongs to the task. It is no evidence.
  public struct CompositePart {
    /// The composite's record, which names both photos.
    public var record: CompositeRecord
    /// Reads the composite's file; called once.
    public var jpeg: () throws -> [UInt8]
    /// Reads the file of the photo below; called once.
    public var below: () throws -> [UInt8]
    /// Reads the file of the photo above; called once.
    public var above: () throws -> [UInt8]

    /// Creates a composite's part of a dossier.
    public init(
      _ record: CompositeRecord, jpeg: @escaping () throws -> [UInt8],
      below: @escaping () throws -> [UInt8], above: @escaping () throws -> [UInt8]
    ) {
      (self.record, self.jpeg, self.below, self.above) = (record, jpeg, below, above)
    }
  }
}

/// The pages of the composites, behind the photos: each composite large, and below it both photos at
/// one scale.
struct PDFComposites {
  private static let gap = 12.0
  /// The most height of a composite, and of the photos below it, points.
  private static let (wholeHeight, partHeight) = (380.0, 200.0)

  let composites: [Dossier.CompositePart]
  let flow: PDFFlow

  func draw() throws(PDFError) {
    for (index, composite) in composites.enumerated() {
      try flow.newPage()
      if index == 0 { flow.haru.bookmark(flow.words.composites, at: flow.page) }
      try draw(composite)
    }
  }

  private func draw(_ composite: Dossier.CompositePart) throws(PDFError) {
    let (words, record) = (flow.words, composite.record)
    try flow.heading(words.composite, keeping: Self.wholeHeight)
    try flow.paragraph(words.compositeIsNoEvidence, .strong)
    let files = [composite.jpeg, composite.below, composite.above]
    let captions = [
      "", words.below(record.below.takenWords, record.below.id),
      words.above(record.above.takenWords, record.above.id),
    ]
    var pictures: [PDFPicture] = []
    for (number, result) in PDFPicture.Making(reading: files).pictures().enumerated() {
      switch result {
      case .success(let picture): pictures.append(picture)
      case .failure(let reason):
        try flow.paragraph(
          words.notShown(number == 0 ? words.composite : captions[number], reason.reason),
          .strong)
        return
      }
    }
    try draw([pictures[0]], [""], within: Self.wholeHeight)
    try draw(Array(pictures.dropFirst()), Array(captions.dropFirst()), within: Self.partHeight)
    try flow.paragraph(words.compositeMade(by: record.maker, at: words.moment(record.made)), .small)
  }

  /// Draws pictures beside each other at one scale, each below its caption.
  private func draw(
    _ pictures: [PDFPicture], _ captions: [String], within height: Double
  ) throws(PDFError) {
    let count = Double(pictures.count)
    let room = (PDFFlow.width - Self.gap * (count - 1)) / count
    let scale =
      pictures.map {
        min(room / Double($0.upright.width), height / Double($0.upright.height))
      }.min() ?? 1
    let tallest = pictures.map { Double($0.upright.height) * scale }.max() ?? 0
    let leading = captions.contains { !$0.isEmpty } ? 2 * PDFStyle.label.leading : 0
    try flow.reserve(tallest + leading + 8)
    for (index, picture) in pictures.enumerated() {
      let left = PDFFlow.left + Double(index) * (room + Self.gap)
      if leading > 0 {
        flow.draw(captions[index], x: left, top: flow.y, .label)
      }
      let image = try flow.haru.image(jpeg: picture.jpeg)
      flow.page.image(
        image, turn: picture.turn, x: left, y: flow.y + leading,
        width: Double(picture.upright.width) * scale,
        height: Double(picture.upright.height) * scale)
    }
    flow.space(leading + tallest + 8)
  }
}
