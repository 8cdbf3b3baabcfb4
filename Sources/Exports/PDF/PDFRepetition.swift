import Foundation
import Inspection
import PDFWriting

extension Dossier {
  /// The photo point that a photo repeats, and how well the photo does so.
  public struct Repetition {
    /// The claims of the photo's sealed record.
    public var claims: RepeatClaims
    /// The photo point's name for people.
    public var point: String
    /// The field of view of the reference photo; nil if it is not known.
    public var camera: CameraGeometry?
    /// The office's own displacement, per cent of the frame; nil if there is none.
    public var displacementPercent: Double?
    /// Reads the reference photo's file; called once.
    public var reference: () throws -> [UInt8]

    /// Creates the repeat of a photo point.
    public init(
      claims: RepeatClaims, point: String, camera: CameraGeometry?,
      displacementPercent: Double? = nil, reference: @escaping () throws -> [UInt8]
    ) {
      (self.claims, self.point, self.camera) = (claims, point, camera)
      (self.displacementPercent, self.reference) = (displacementPercent, reference)
    }
  }
}

/// The block behind a photo's page about the photo point that it repeats: reference and photo at
/// one scale, and the numbers.
struct PDFRepetition {
  /// A picture with its image in the document; the camera is nil if its field of view is not known.
  typealias Side = (picture: PDFPicture, image: PDFImage, camera: CameraGeometry?)

  private static let gap = 12.0
  /// The width of the room for one picture, and the most height of both, points.
  private static let room = (width: (PDFFlow.width - gap) / 2, height: 300.0)

  let repetition: Dossier.Repetition
  let part: Dossier.PhotoPart
  /// The photo's picture; nil if it cannot be shown.
  let shown: Side?
  let flow: PDFFlow

  func draw() throws(PDFError) {
    let words = flow.words
    var sides: [Side] = []
    var refusal: String?
    switch PDFPicture.Making(reading: [repetition.reference]).pictures()[0] {
    case .success(let picture):
      let image = try flow.haru.image(jpeg: picture.jpeg)
      sides.append((picture, image, repetition.camera))
      if let shown { sides.append(shown) }
    case .failure(let reason): refusal = words.referenceMissing(reason.reason)
    }
    var table = PDFTable.labelled()
    for row in words.numbers(
      of: repetition.claims, officePercent: repetition.displacementPercent)
    {
      table.add(row.label, row.text)
    }
    let sizes = Self.sizes(of: sides)
    let height = sizes.map(\.height).max() ?? 0
    try flow.heading(
      words.repeats(repetition.point), keeping: height + flow.height(of: table) + 40)
    if let refusal { try flow.paragraph(refusal, .strong) }
    if !sides.isEmpty { try draw(sides, sizes, height: height) }
    try flow.table(table)
  }

  /// Draws the reference, and the photo to its right, each below its caption.
  private func draw(
    _ sides: [Side], _ sizes: [(width: Double, height: Double)], height: Double
  ) throws(PDFError) {
    let captions = [flow.words.referencePhoto, flow.words.thisPhoto]
    for (index, (side, size)) in zip(sides, sizes).enumerated() {
      let left = PDFFlow.left + Double(index) * (Self.room.width + Self.gap)
      flow.draw(captions[index], x: left, top: flow.y, .label)
      flow.page.image(
        side.image, turn: side.picture.turn, x: left, y: flow.y + PDFStyle.label.leading,
        width: size.width, height: size.height)
    }
    flow.space(PDFStyle.label.leading + height + 4)
    if sides.count > 1, sides.allSatisfy({ Self.focalWidth(of: $0) != nil }) {
      try flow.paragraph(flow.words.oneScale, .small)
    }
  }

  /// Returns the sizes of pictures at one scale, by their fields of view, points. If one of these
  /// is not known, the pictures are equally wide.
  private static func sizes(of sides: [Side]) -> [(width: Double, height: Double)] {
    let known = sides.compactMap(focalWidth)
    let widths = known.count == sides.count ? known : sides.map { _ in 1.0 }
    let heights = zip(sides, widths).map { side, width in
      width * Double(side.picture.upright.height) / Double(side.picture.upright.width)
    }
    let scale = min(room.width / (widths.max() ?? 1), room.height / (heights.max() ?? 1))
    return zip(widths, heights).map { (width: $0 * scale, height: $1 * scale) }
  }

  /// Returns the width of a picture in focal lengths; nil if its field of view is not known.
  private static func focalWidth(of side: Side) -> Double? {
    let isTurned = side.picture.turn.swapsSides
    let degrees = isTurned ? side.camera?.verticalDegrees : side.camera?.horizontalDegrees
    return degrees.flatMap { (1...179).contains($0) ? 2 * tan($0 * .pi / 360) : nil }
  }
}
