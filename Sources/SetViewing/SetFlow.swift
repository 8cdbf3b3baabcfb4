import Evidence
import Inspection
import TimeAndText
import Web

/// The side on which sets are shown: the field unit for its inspector, or the office for an agency.
package protocol SetSite: Sendable {
  /// Returns all sets, the newest first, each with the words about whose it is and where it has got
  /// to.
  func all() async throws -> [(head: FrameSetHead, words: String)]
  /// Returns a set with its frames, and the SHA-256 of its record.
  /// - Throws: the side's own error for an address at which there is nothing.
  func frameSet(_ id: String) async throws -> (set: FrameSet, record: String)
  /// Returns the bytes of a frame.
  /// - Parameter number: the frame's number, from 1.
  /// - Throws: the side's own error if there is no such frame.
  func frame(_ number: Int, of set: FrameSet) async throws -> [UInt8]
  /// Returns a frame for an archive, whose bytes were compared with its digest.
  /// - Throws: the side's own error if they are not those that were sealed.
  func content(ofFrame number: Int, of set: FrameSet) async throws -> Evidence.Bundle.Entry.Content
  /// Returns the words around a set's PDF.
  func paper() async throws -> SetPaper
  /// Returns the side's own error for a PDF that cannot be made.
  func impossible(_ reason: Wording) -> any Error
  /// Returns the name of an inspector for people.
  func name(ofInspector login: String) async throws -> String
  /// Returns the name of a set's task; nil if it has none.
  func taskName(of set: FrameSet) async throws -> String?
  /// The address of the page that begins a new set; nil if none begins here.
  var newAddress: String? { get }
  /// Returns what the reader can do with a set; nil for nothing.
  func actions(of set: FrameSet) async throws -> HTML?
}

extension SetSite {
  package var newAddress: String? { nil }

  package func name(ofInspector login: String) async throws -> String { login }

  package func actions(of set: FrameSet) async throws -> HTML? { nil }
}

/// The middle of a page, for which a side has a frame of its own.
package struct SetPage: Sendable {
  /// The page's title, which is its first heading, too.
  package var title: String
  /// The content below the heading.
  package var content: HTML
  /// The scripts that the page loads.
  package var scripts: [String] = []
  /// The style sheets that it loads beside those of all sets.
  package var styles: [String] = []

  /// Creates a page.
  package init(title: String, content: HTML, scripts: [String] = [], styles: [String] = []) {
    (self.title, self.content) = (title, content)
    (self.scripts, self.styles) = (scripts, styles)
  }
}

/// The pages on which sets are shown, the same on both sides.
package struct SetFlow<Site: SetSite>: Sendable {
  let site: Site
  let t: Texts

  /// Creates the pages of a side for one reader.
  package init(_ site: Site, _ t: Texts) { (self.site, self.t) = (site, t) }

  private var parts: SetParts { SetParts(t: t) }

  /// Returns the list of all sets.
  /// - Parameter page: the asked page of the list, from 1; nil for the first.
  func list(page: Int?) async throws -> SetPage {
    let sets = try await site.all()
    let pager = Pager(asked: page, rows: sets.count, each: SetParts.rowsPerPage)
    return SetPage(
      title: t("Sets of pictures"),
      content: parts.list(Array(sets[pager.rows]), pager, newAddress: site.newAddress))
  }

  /// Returns the page of one set.
  func show(_ text: String) async throws -> SetPage {
    let (set, _) = try await site.frameSet(text)
    return SetPage(
      title: parts.title(set.terms.kind),
      content: parts.whole(
        set, task: try await site.taskName(of: set),
        inspector: try await site.name(ofInspector: set.inspector),
        actions: try await site.actions(of: set)),
      scripts: [SetParts.script.href])
  }

  /// Returns a frame. Its address names its digest, so that a browser may keep it for ever.
  func frame(_ text: String, _ name: String, digest: String?) async throws -> WebResponse {
    let set = try await site.frameSet(text).set
    let number = Int(name.replacing(".jpg", with: "")) ?? 0
    let bytes = try await site.frame(number, of: set)
    let isNamed = set.frames.indices.contains(number - 1) && digest == set.frames[number - 1].digest
    return WebResponse.bytes(bytes, mediaType: "image/jpeg", fileName: nil, isAttachment: false)
      .setting(
        header: "Cache-Control", to: isNamed ? "private, max-age=31536000, immutable" : "no-store")
  }

  /// Returns the document of a set, for other programs.
  func document(_ text: String) async throws -> WebResponse {
    let (set, record) = try await site.frameSet(text)
    return WebResponse.bytes(
      AroundDocument(set, record: record).bytes, mediaType: "application/json",
      fileName: AroundDocument.fileName, isAttachment: true)
  }
}

extension SetFlow {
  /// Returns a set as a ZIP: its document and its images.
  func archive(_ text: String) async throws -> WebResponse {
    let (set, record) = try await site.frameSet(text)
    var entries = [
      Evidence.Bundle.Entry(
        path: AroundDocument.fileName, content: .bytes(AroundDocument(set, record: record).bytes))
    ]
    for number in set.frames.indices.map({ $0 + 1 }) {
      entries.append(
        Evidence.Bundle.Entry(
          path: AroundDocument.imageName(number),
          content: try await site.content(ofFrame: number, of: set)))
    }
    return try await .made(
      ending: "zip", mediaType: "application/zip", fileName: "around-\(set.id).zip"
    ) { [entries] path, _ in
      try Evidence.Bundle.writeFile(
        entries, made: set.end.deviceTime, toFile: path, { _, _ in })
    }
  }

  /// Answers a request with the pages of its reader.
  package typealias Answer =
    @Sendable (SetFlow<Site>, (SetPage) -> WebResponse) async throws -> WebResponse

  /// Adds all addresses of the pages.
  /// - Parameter reading: finds the reader of a request, and lets the pages answer.
  package static func add(
    to routes: inout Routes,
    _ reading: @escaping @Sendable (WebRequest, Answer) async throws -> WebResponse
  ) {
    for asset in [SetParts.script, SetParts.style] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    let path = SetParts.path
    routes.get(path) { request in
      try await reading(request) {
        $1(try await $0.list(page: request.query["page"].flatMap { Int($0) }))
      }
    }
    routes.get(path + "/{id}") { request in
      try await reading(request) { $1(try await $0.show(request.parameters["id"] ?? "")) }
    }
    routes.get(path + "/{id}/around.json") { request in
      try await reading(request) { flow, _ in
        try await flow.document(request.parameters["id"] ?? "")
      }
    }
    routes.get(path + "/{id}/around.zip") { request in
      try await reading(request) { flow, _ in
        try await flow.archive(request.parameters["id"] ?? "")
      }
    }
    routes.get(path + "/{id}/set.pdf") { request in
      try await reading(request) { flow, _ in
        try await flow.paper(request.parameters["id"] ?? "")
      }
    }
    routes.get(path + "/{id}/frames/{name}") { request in
      try await reading(request) { flow, _ in
        try await flow.frame(
          request.parameters["id"] ?? "", request.parameters["name"] ?? "",
          digest: request.query["digest"])
      }
    }
  }
}
