import Foundation
import Inspection
import PDFWriting

/// The pages of the sets, behind the photos.
struct PDFSets {
  let sets: [Dossier.SetPart]
  let flow: PDFFlow

  func draw() throws(PDFError) {
    for (index, part) in sets.enumerated() {
      try flow.newPage()
      if index == 0 { flow.haru.bookmark(flow.words.onSets.sets, at: flow.page) }
      try PDFSet(part: part, flow: flow).draw()
    }
  }
}

/// The document of one set.
struct PDFSetReport {
  let dossier: SetDossier
  let flow: PDFFlow

  func draw() throws(PDFError) {
    let words = flow.words
    flow.haru.bookmark(words.onSets.title(dossier.part.set.terms.kind), at: flow.page)
    try flow.letterhead()
    try flow.paragraph(dossier.taskName.map(words.photoOfTask) ?? words.photoAlone, .label)
    flow.space(4)
    try PDFSet(part: dossier.part, flow: flow).draw()
  }
}

/// A set on paper: what it lacks, its facts beside the ring of its sectors, and eight views.
struct PDFSet {
  /// The numbers of columns, the largest views first.
  private static let columns = [2, 3, 4]
  private static let gap = 8.0
  /// The side of the square that holds the ring, points.
  private static let ringSide = 132.0
  /// The longer side of a view, pixels: more than 200 to the inch.
  private static let viewPixels = 720

  let part: Dossier.SetPart
  let flow: PDFFlow

  func draw() throws(PDFError) {
    let (words, set) = (flow.words, part.set)
    try flow.heading(words.onSets.title(set), keeping: 300)
    for shortcoming in set.summary.shortcomings {
      try flow.item("!", words.t(shortcoming), .strong)
    }
    flow.space(4)
    let top = flow.y
    SetRingDrawing(
      set, on: flow.page,
      middle: HaruPage.Point(
        x: PDFFlow.left + PDFFlow.width - Self.ringSide / 2, y: top + Self.ringSide / 2),
      radius: Self.ringSide / 2 - 12
    ).draw(flow)
    var table = PDFTable.labelled(width: PDFFlow.width - Self.ringSide - 12)
    for fact in words.onSets.facts(
      of: set, inspectorName: part.inspectorName, record: part.record)
    { table.add(fact.label, fact.text) }
    let page = flow.page
    try flow.table(table)
    if page == flow.page { flow.clear(top + Self.ringSide) }
    try drawViews()
  }

  private func drawViews() throws(PDFError) {
    let words = flow.words
    let views = part.set.views()
    let shown = views.compactMap(\.frame)
    let made = PDFPicture.Making(
      reading: shown.map { index in { try part.frame(index + 1) } }, smallSide: Self.viewPixels
    ).pictures()
    let pictures = Dictionary(zip(shown, made), uniquingKeysWith: { first, _ in first })
    try flow.heading(words.onSets.views, keeping: 120)
    flow.space(3)
    let shape =
      pictures.values.compactMap { try? $0.get().upright }
      .map { Double($0.height) / Double($0.width) }.max() ?? 0.75
    let sizes = Self.columns.map { Size(columns: $0, shape: shape) }
    let size =
      sizes.first { $0.height(of: views.count) <= flow.remaining } ?? sizes[sizes.count - 1]
    var faults: [String] = []
    for row in stride(from: 0, to: views.count, by: size.columns) {
      let row = views[row..<min(row + size.columns, views.count)]
      faults += try draw(Array(row), pictures, size)
    }
    for fault in faults { try flow.item("!", fault, .strong) }
  }

  /// The size of a view, points.
  private struct Size {
    let columns: Int
    let width: Double
    let height: Double

    /// - Parameter shape: the height of the pictures in widths.
    init(columns: Int, shape: Double) {
      self.columns = columns
      width = (PDFFlow.width - PDFSet.gap * Double(columns - 1)) / Double(columns)
      // A strip that is much higher than wide is made smaller.
      height = width * min(shape, 1.6)
    }

    /// The height of a row with its captions.
    var rowHeight: Double { height + PDFStyle.label.leading + PDFSet.gap }

    /// Returns the height of some views.
    func height(of count: Int) -> Double {
      Double((count + columns - 1) / columns) * rowHeight
    }
  }

  /// Draws views beside each other.
  /// - Returns: the reasons why some of them cannot be shown.
  private func draw(
    _ row: [SetView], _ pictures: [Int: Result<PDFPicture, PDFPicture.Refusal>], _ size: Size
  ) throws(PDFError) -> [String] {
    let words = flow.words
    try flow.reserve(size.rowHeight)
    var faults: [String] = []
    for (column, view) in row.enumerated() {
      let left = PDFFlow.left + Double(column) * (size.width + Self.gap)
      flow.page.rectangle(
        x: left, y: flow.y, width: size.width, height: size.height,
        HaruPage.Paint(fill: PDFStyle.tint))
      var caption = words.onSets.viewMissing(view.degrees)
      if let index = view.frame {
        caption = words.onSets.view(part.set.frames[index].attitude.angleDegrees, of: part.set)
        switch pictures[index] {
        case .success(let picture)?:
          try draw(picture, x: left, width: size.width, height: size.height)
        case .failure(let refusal)?: faults.append(words.notShown(caption, refusal.reason))
        case nil: break
        }
      }
      flow.draw(caption, x: left, top: flow.y + size.height + 1, .label)
    }
    flow.space(size.rowHeight)
    return faults
  }

  private func draw(
    _ picture: PDFPicture, x left: Double, width: Double, height: Double
  ) throws(PDFError) {
    let image = try flow.haru.image(jpeg: picture.small ?? picture.jpeg)
    let (across, down) = (Double(picture.upright.width), Double(picture.upright.height))
    let scale = min(width / across, height / down)
    flow.page.image(
      image, turn: picture.turn, x: left + (width - across * scale) / 2,
      y: flow.y + (height - down * scale) / 2, width: across * scale, height: down * scale)
  }
}

/// The ring of a set: a segment for each sector, light where no picture is. The first frame is at the
/// top, and angles grow clockwise as seen from above.
struct SetRingDrawing {
  /// The width of the ring in radii.
  private static let innerShare = 0.8
  /// The longest step along an arc, degrees.
  private static let arcStepDegrees = 4.0

  private let set: FrameSet
  private let page: HaruPage
  private let middle: HaruPage.Point
  private let radius: Double

  init(_ set: FrameSet, on page: HaruPage, middle: HaruPage.Point, radius: Double) {
    (self.set, self.page, self.middle, self.radius) = (set, page, middle, radius)
  }

  func draw(_ flow: PDFFlow) {
    let ring = set.ring
    let held = Set(set.frames.map { ring.sector(ofDegrees: $0.attitude.angleDegrees) })
    for sector in 0..<ring.count {
      let half = ring.widthDegrees / 2
      let gap = min(1, half / 4)
      let turn = ring.middleDegrees(ofSector: sector)
      page.rings(
        [segment(from: turn - half + gap, to: turn + half - gap)],
        HaruPage.Paint(fill: held.contains(sector) ? PDFStyle.accent : PDFStyle.hairline))
    }
    for degrees in stride(from: 0.0, to: 360, by: 90) {
      let text = flow.words.onSets.view(degrees, of: set)
      let place = point(degrees, Self.innerShare - 0.2)
      flow.draw(
        text, x: place.x - flow.lineWidth(text, .small) / 2,
        top: place.y - PDFStyle.small.leading / 2, .small)
    }
    let count = "\(held.count)/\(ring.count)"
    flow.draw(
      count, x: middle.x - flow.lineWidth(count, .strong) / 2,
      top: middle.y - PDFStyle.strong.leading / 2, .strong)
    // The mark of the first frame.
    page.rings(
      [[point(0, 1.02), point(-4, 1.14), point(4, 1.14)]], HaruPage.Paint(fill: PDFStyle.trail))
  }

  private func segment(from: Double, to: Double) -> [HaruPage.Point] {
    let steps = max(1, Int(((to - from) / Self.arcStepDegrees).rounded(.up)))
    let angles = (0...steps).map { from + (to - from) * Double($0) / Double(steps) }
    return angles.map { point($0, 1) } + angles.reversed().map { point($0, Self.innerShare) }
  }

  private func point(_ degrees: Double, _ share: Double) -> HaruPage.Point {
    let angle = degrees * .pi / 180
    return HaruPage.Point(
      x: middle.x + share * radius * sin(angle), y: middle.y - share * radius * cos(angle))
  }
}
