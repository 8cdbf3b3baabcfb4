import Evidence
import Imagery
import TimeAndText
import Web

/// The side on which composites are made: the field unit for its inspector, or the office for an
/// agency. It knows the photos, and keeps the composites.
public protocol ComposeSite: Sendable {
  /// The hidden field that a form of this reader needs.
  var formField: HTML { get }
  /// Returns a photo as a source.
  func source(_ id: String) async throws -> CompositeSource
  /// Returns the photos that may be laid over or under one, with that one itself.
  func choices(
    with id: String
  ) async throws -> (photo: CompositeParts.Choice, others: [CompositeParts.Choice])
  /// Returns the map from an earlier picture to a later one, both as squares of 1 × 1, row by row; nil
  /// if they share too little.
  /// - Throws: `ComposeUnmatched` if pictures cannot be compared here.
  func map(from earlier: CompositeSource, to later: CompositeSource) async throws -> [Double]?
  /// Makes a composite, and keeps it.
  /// - Parameter changed: the composite that it replaces; nil for a new one.
  func make(
    _ changed: String?, _ plan: CompositePlan, below: CompositeSource, above: CompositeSource
  ) async throws -> CompositeRecord
  /// Returns all composites, the newest first.
  func all() async throws -> [CompositeRecord]
  /// Returns a composite's record.
  func composite(_ id: String) async throws -> CompositeRecord
  /// Returns a composite's file.
  func file(_ id: String) async throws -> [UInt8]
  /// Removes a composite.
  func remove(_ id: String) async throws
}

/// The thread on which composites are drawn, so that no other answer waits for them.
public enum ComposeLane {
  /// One thread: drawing itself takes all cores.
  public static let pictures = WorkLane(width: 1)
}

/// Pictures cannot be compared on this machine, or not now.
public struct ComposeUnmatched: Error, Sendable {
  /// Creates the error.
  public init() {}
}

/// The middle of a page, for which a side has a frame of its own.
public struct ComposePage: Sendable {
  /// The page's title, which is its first heading, too.
  public var title: String
  /// The notice above; nil for none.
  public var notice: PageFrame.Notice?
  /// The status of the answer.
  public var status = 200
  /// The content below the heading.
  public var content: HTML
  /// The scripts that the page loads.
  public var scripts: [String] = []
}

/// The pages on which composites are made and shown, the same on both sides.
public struct ComposeFlow<Site: ComposeSite>: Sendable {
  /// The longest side of a picture that a page shows, pixels.
  private let screenPixels = 1600
  private let site: Site
  private let t: Texts

  /// Creates the pages of a side for one reader.
  public init(_ site: Site, _ t: Texts) { (self.site, self.t) = (site, t) }

  private var parts: CompositeParts { CompositeParts(t) }

  // MARK: choosing

  /// Returns the page on which the second photo is chosen.
  public func choose(_ request: WebRequest) async throws -> ComposePage {
    let (photo, others) = try await site.choices(with: request.query["photo"] ?? "")
    return ComposePage(
      title: t("Then and now"), content: parts.choices(others, with: photo))
  }

  /// Returns the address of the page for two chosen photos: the earlier one is laid over the later.
  private func address(of one: String, _ other: String) async throws -> String {
    let (first, second) = (try await site.source(one), try await site.source(other))
    var entries = CompositeEntries { _ in nil }
    (entries.old, entries.new) =
      first.original.taken <= second.original.taken ? (one, other) : (other, one)
    return "\(ComposeView.path)?\(entries.query)"
  }

  // MARK: making

  /// Answers the page of two photos, or leads to it.
  public func show(
    _ request: WebRequest, _ frame: (ComposePage) -> WebResponse
  ) async throws -> WebResponse {
    if let one = request.query["with"], let other = request.query["photo"] {
      let match = request.query["match"] == nil ? "" : "&match=yes"
      return .redirect(try await address(of: one, other) + match)
    }
    let entries = CompositeEntries { request.query[$0] }
    // Without two photos, the page that says how they are chosen.
    if entries.old.isEmpty || entries.new.isEmpty { return .redirect(CompositeParts.path) }
    if request.query["match"] != nil { return frame(try await matched(entries)) }
    return frame(try await view(entries, nil))
  }

  /// Returns the page with the photo above placed where comparing both pictures finds it.
  private func matched(_ entries: CompositeEntries) async throws -> ComposePage {
    let tooLittle = t("Both pictures share too little to be compared. Place the photo by hand.")
    do {
      var entries = entries
      let (below, above) = try await sources(entries)
      try entries.propose(below: below, above: above)
      var plan = try entries.plan()
      let (base, upper) = (try below.size, try above.size)
      guard let rows = try await site.map(from: above, to: below),
        let found = Projection(
          unitRows: rows, fromWidth: upper.width, height: upper.height, toWidth: base.width,
          height: base.height)
      else { return try await view(entries, nil, saying: tooLittle) }
      plan.placement = .projected(found)
      entries.show(plan, upper: upper)
      return try await view(
        entries, nil,
        PageFrame.Notice(kind: .success, text: t("Placed by comparing both pictures.")))
    } catch is ComposeUnmatched {
      return try await view(
        entries, nil, saying: t("Pictures cannot be compared here now. Place the photo by hand."))
    } catch let error where error is CompositeProblem || error is ImageryError {
      return try await view(entries, error)
    }
  }

  private func view(
    _ entries: CompositeEntries, _ refusal: (any Error)?, saying words: String
  ) async throws -> ComposePage {
    try await view(entries, refusal, PageFrame.Notice(kind: .warning, text: words))
  }

  private func view(
    _ entries: CompositeEntries, _ refusal: (any Error)?, _ said: PageFrame.Notice? = nil
  ) async throws -> ComposePage {
    let title = entries.changed == nil ? t("Then and now") : t("Change the composite")
    var entries = entries
    do {
      let (below, above) = try await sources(entries)
      try entries.propose(below: below, above: above)
      let lower = try picture(below, t("Below: {1}", below.original.takenWords))
      let upper = try picture(above, t("Above: {1}", above.original.takenWords))
      let view = ComposeView(below: lower, above: upper, entries, t)
      return ComposePage(
        title: title, notice: try refusal.map(notice) ?? said,
        status: refusal == nil ? 200 : 422,
        content: """
          <p class="muted">\(upper.caption) · \(lower.caption)</p>\(view.html(formField: site.formField))
          """, scripts: [ComposeView.script.href])
    } catch let error where error is CompositeProblem || error is ImageryError {
      // Without two pictures there is nothing to lay over each other.
      return ComposePage(
        title: title, notice: try notice(error), status: 422,
        content: """
          <p><a class="button" href="\(CompositeParts.path)">\(t("All composites"))</a></p>
          """)
    }
  }

  private func picture(
    _ source: CompositeSource, _ caption: String
  ) throws -> ComposeView.Picture {
    let size = try source.size
    return ComposeView.Picture(
      caption: caption,
      address: "\(ComposeView.path)/photo.jpg?id=\(QueryText.escaped(source.original.id))",
      width: size.width, height: size.height)
  }

  private func sources(
    _ entries: CompositeEntries
  ) async throws -> (below: CompositeSource, above: CompositeSource) {
    let below = try await site.source(entries.below)
    let above = try await site.source(entries.above)
    guard below.original.id != above.original.id else { throw CompositeProblem.samePhoto }
    return (below, above)
  }

  /// Returns the words for an error that a person can mend; throws any other one again.
  private func notice(_ error: any Error) throws -> PageFrame.Notice {
    switch error {
    case let error as CompositeProblem:
      return PageFrame.Notice(kind: .error, text: t(error.wording))
    case let error as ImageryError:
      return PageFrame.Notice(
        kind: .error, text: t("One of the pictures cannot be used: {1}", "\(error)"))
    default: throw error
    }
  }

  /// Makes the composite of a form, and leads to it; shows the form again with what is wrong.
  public func make(
    _ form: WebForm, _ frame: (ComposePage) -> WebResponse
  ) async throws -> WebResponse {
    let entries = CompositeEntries { form[$0] }
    do {
      let plan = try entries.plan()
      let (below, above) = try await sources(entries)
      let record = try await site.make(entries.changed, plan, below: below, above: above)
      return .redirect("\(CompositeParts.path)/\(record.id)?done=composite")
    } catch let error where error is CompositeProblem || error is ImageryError {
      return frame(try await view(entries, error))
    }
  }

  /// Returns the marked picture of the numbers in an address, at a screen's size.
  public func preview(_ request: WebRequest) async throws -> WebResponse {
    let entries = CompositeEntries { request.query[$0] }
    do {
      let (below, above) = try await sources(entries)
      let plan = try entries.plan()
      let bytes = try await ComposeLane.pictures.run {
        try CompositeFile.preview(plan, below: below, above: above, maximumSide: screenPixels)
      }
      return .bytes(bytes, mediaType: "image/jpeg", fileName: nil, isAttachment: false)
    } catch let error where error is CompositeProblem || error is ImageryError {
      return .empty(422)
    }
  }

  /// Returns a photo at a screen's size, upright, as the page draws it.
  public func photo(_ request: WebRequest) async throws -> WebResponse {
    do {
      let source = try await site.source(request.query["id"] ?? "")
      return .bytes(
        try await ComposeLane.pictures.run { try Thumbnail.jpeg(of: source.file, .reference) },
        mediaType: "image/jpeg", fileName: nil,
        isAttachment: false
      ).setting(header: "Cache-Control", to: "private, max-age=3600")
    } catch let error where error is CompositeProblem || error is ImageryError {
      return .empty(422)
    }
  }

  // MARK: composites

  /// Returns the list.
  public func list() async throws -> ComposePage {
    ComposePage(title: t("Composites"), content: parts.list(try await site.all()))
  }

  /// Returns the page of one composite.
  public func whole(_ id: String) async throws -> ComposePage {
    let record = try await site.composite(id)
    return ComposePage(
      title: parts.caption(record),
      content: parts.whole(
        record, photoPath: "/photos", isAllHere: try await areHere(record),
        formField: site.formField))
  }

  private func areHere(_ record: CompositeRecord) async throws -> Bool {
    do {
      for original in [record.below, record.above] {
        guard try await site.source(original.id).original.digest == original.digest else {
          return false
        }
      }
      return true
    } catch let error where error is any ProblemConvertible || error is CompositeProblem {
      return false
    }
  }

  /// Leads to the page on which a composite is changed.
  public func change(_ id: String) async throws -> WebResponse {
    let record = try await site.composite(id)
    let entries = CompositeEntries(record, above: try await site.source(record.above.id))
    return .redirect("\(ComposeView.path)?\(entries.query)")
  }

  /// Returns a composite's file.
  /// - Parameter isDownload: true if the browser keeps it instead of showing it.
  public func file(_ id: String, isDownload: Bool) async throws -> WebResponse {
    .bytes(
      try await site.file(id), mediaType: "image/jpeg", fileName: "composite-\(id).jpg",
      isAttachment: isDownload)
  }

  /// Returns a small picture of a composite.
  public func thumbnail(_ id: String) async throws -> WebResponse {
    let file = try await site.file(id)
    return .bytes(
      try await ComposeLane.pictures.run { try Thumbnail.jpeg(of: file) },
      mediaType: "image/jpeg", fileName: nil, isAttachment: false)
  }

  /// Removes a composite, and leads to the list.
  public func remove(_ id: String) async throws -> WebResponse {
    try await site.remove(id)
    return .redirect("\(CompositeParts.path)?done=composite-removed")
  }
}
