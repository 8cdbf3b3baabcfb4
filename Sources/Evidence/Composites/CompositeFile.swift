import ContentBoxes
import Foundation
import Imagery
import TimeAndText

/// A composite's file: the picture with its mark, EXIF and XMP that say what it is, and a C2PA
/// manifest with both photos as ingredients.
public enum CompositeFile {
  /// IPTC's term for the source of a composite's pixels.
  static let digitalSourceType =
    "http://cv.iptc.org/newscodes/digitalsourcetype/compositeCapture"
  /// The label of the assertion that carries the record.
  static let recordLabel = "org.standpoint.composite"

  /// Makes a composite's file, and completes its record.
  /// - Parameters:
  ///   - record: the record, whose originals are those of the sources; it gets the picture's size.
  ///   - certificate: the certificate of `key`, which signs the manifest.
  /// - Throws: `CompositeProblem`, `ImageryError`, or the key's error if it does not sign.
  public static func make(
    _ record: inout CompositeRecord, below: CompositeSource, above: CompositeSource,
    certificate: EvidenceCertificate, key: any DeviceKey
  ) throws -> [UInt8] {
    try check(below, above, agency: record.agency)
    let jpeg = try picture(record, below: below.file, above: above.file)
    let made = try JPEGPicture.inspect(jpeg)
    record.size = (made.widthPixels, made.heightPixels)
    let exif = try ExifBlock().adding([.primary: exif(record), .exif: [0xA460: .shorts([2])]])
    let (head, tail) = try JPEGMetadata(jpeg).parts(exif: exif.bytes, xmp: xmp(record))
    let segments = try draft(record, below, above)
      .segments(between: head, and: tail, certificate: certificate, key: key)
    return head + segments + tail
  }

  /// Checks that two photos may go into one composite.
  /// - Throws: `CompositeProblem`.
  public static func check(
    _ below: CompositeSource, _ above: CompositeSource, agency: String
  ) throws {
    guard below.original.digest != above.original.digest, below.original.id != above.original.id
    else { throw CompositeProblem.samePhoto }
    for source in [below, above] {
      guard source.agency ?? agency == agency else { throw CompositeProblem.otherAgency }
    }
  }

  /// Returns the picture with its mark, as a JPEG without metadata. Equal photos and plans give equal
  /// bytes on the same version of libjpeg-turbo.
  static func picture(
    _ record: CompositeRecord, below: [UInt8], above: [UInt8]
  ) throws -> [UInt8] {
    let marked = try record.mark.drawn(round: mixed(record.plan, below: below, above: above))
    return try marked.encodeJPEG(quality: CompositeRecord.quality)
  }

  /// Returns the picture without its mark.
  /// - Parameter maximumSide: the longest side of the picture below, for a preview; nil for all of it.
  /// - Throws: `CompositeProblem`, `ImageryError`.
  public static func mixed(
    _ plan: CompositePlan, below: [UInt8], above: [UInt8], maximumSide: Int? = nil
  ) throws -> PixelBuffer {
    var (base, source) = try decoded(below, above, maximumSide)
    var plan = plan
    if maximumSide != nil {
      plan = plan.scaled(
        below: try scale(of: base, below), above: try scale(of: source, above))
    }
    do {
      try base.compose(with: source, plan)
    } catch let fault as CompositeFault {
      throw CompositeProblem.plan(fault)
    }
    return base
  }

  /// Returns a small composite with its mark, as a JPEG without a manifest, to be looked at before
  /// it is made.
  /// - Throws: `CompositeProblem`, `ImageryError`.
  public static func preview(
    _ plan: CompositePlan, below: CompositeSource, above: CompositeSource, maximumSide: Int
  ) throws -> [UInt8] {
    let record = CompositeRecord(
      id: "", agency: "", maker: "", made: DeviceTime(millisecondsSince1970: 0), software: "",
      below: below.original, above: above.original, plan: plan)
    return try record.mark.drawn(
      round: mixed(plan, below: below.file, above: above.file, maximumSide: maximumSide)
    ).encodeJPEG(quality: CompositeRecord.quality)
  }

  /// Decodes both pictures at once, on two cores.
  private static func decoded(
    _ below: [UInt8], _ above: [UInt8], _ maximumSide: Int?
  ) throws -> (PixelBuffer, PixelBuffer) {
    let results = Parallel.map([below, above]) { file in
      Result { try PixelBuffer(upright: file, maximumSide: maximumSide) }
    }
    return (try results[0].get(), try results[1].get())
  }

  private static func scale(of decoded: PixelBuffer, _ file: [UInt8]) throws -> Double {
    let whole = try JPEGPicture.inspect(file)
    return Double(max(decoded.width, decoded.height))
      / Double(max(whole.widthPixels, whole.heightPixels))
  }

  // MARK: what the file says

  private static func words(_ record: CompositeRecord) -> String {
    "\(CompositeRecord.notice): \(record.above.takenWords), photo \(record.above.id), laid over "
      + "\(record.below.takenWords), photo \(record.below.id)"
  }

  /// No position and no time of a photograph: the picture was never taken.
  private static func exif(_ record: CompositeRecord) -> [UInt16: ExifBlock.Value] {
    let made = record.made.rfc3339
    return [
      0x010E: .text(words(record)), 0x0131: .text(record.software),
      0x0132: .text("\(made.prefix(10).replacing("-", with: ":")) \(made.dropFirst(11).prefix(8))"),
    ]
  }

  private static func xmp(_ record: CompositeRecord) -> [UInt8] {
    XMPClaims.packet(
      spaces: [
        ("Iptc4xmpExt", "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"),
        ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
        ("xmp", "http://ns.adobe.com/xap/1.0/"),
      ],
      properties: [
        ("Iptc4xmpExt:DigitalSourceType", digitalSourceType),
        ("photoshop:Headline", words(record)), ("xmp:CreateDate", record.made.rfc3339),
        ("xmp:CreatorTool", record.software),
      ] + XMPClaims.members(of: record.json, prefix: "composite"))
  }

  private static func draft(
    _ record: CompositeRecord, _ below: CompositeSource, _ above: CompositeSource
  ) -> ManifestDraft {
    let agent = ManifestDraft.agent(record.software)
    let when = CBOR.tagged(0, .text(record.made.rfc3339))
    let ingredients = [below, above].enumerated().map { number, source in
      ingredient(source, label: ManifestDraft.ingredientLabel + (number == 0 ? "" : "__\(number)"))
    }
    let actions = ManifestDraft.actions([
      CBOR.map([
        "action": .text("c2pa.created"), "when": when, "softwareAgent": agent,
        "digitalSourceType": .text(digitalSourceType),
      ]),
      CBOR.map([
        "action": .text("c2pa.placed"), "when": when, "softwareAgent": agent,
        "parameters": .map(["ingredients": .array(ingredients.map(ManifestDraft.uri))]),
      ]),
    ])
    var manifests: [JUMBF] = []
    for manifest in below.manifests + above.manifests
    where !manifests.contains(where: { $0.label == manifest.label }) {
      manifests.append(manifest)
    }
    return ManifestDraft(
      id: record.id, agent: agent, assertions: ingredients + [actions],
      record: JUMBF(json: record.json.canonicalBytes, recordLabel), ingredients: manifests)
  }

  private static func ingredient(_ source: CompositeSource, label: String) -> JUMBF {
    let manifest = source.manifests.last
    let path = manifest.map { "/c2pa/\($0.label)" }
    let signature = manifest?.child(ManifestDraft.signatureLabel)
    let signaturePath = path.map { "\($0)/\(ManifestDraft.signatureLabel)" }
    // `CompositeSource` has checked the manifest against its file.
    let results = signaturePath.map { path in
      CBOR.map([
        "activeManifest": CBOR.map([
          "success": .array([
            CBOR.map([
              "code": .text("claimSignature.validated"), "url": .text("self#jumbf=\(path)"),
            ])
          ]), "informational": .array([]), "failure": .array([]),
        ])
      ])
    }
    return JUMBF(
      .cbor, label,
      cbor: CBOR.map([
        "relationship": .text("componentOf"), "dc:title": .text("photo \(source.original.id)"),
        "dc:format": .text("image/jpeg"),
        "description": .text(
          "taken \(source.original.taken), SHA-256 of the file \(source.original.digest)"),
        "activeManifest": manifest.flatMap { box in
          path.map { ManifestDraft.reference($0, box) }
        },
        "claimSignature": signature.flatMap { box in
          signaturePath.map { ManifestDraft.reference($0, box) }
        }, "validationResults": results,
      ]).encoded)
  }
}
