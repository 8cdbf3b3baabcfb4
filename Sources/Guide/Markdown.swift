import CCMark
import Foundation
import Web

/// A Markdown document, read by cmark-gfm with its tables.
///
/// Everything is rendered in the library's safe mode: raw HTML and dangerous addresses are left out.
/// Pictures are left out, too: whoever reads the guide in a program has the page itself.
final class Markdown {
  /// A heading of the document.
  struct Heading {
    let level: Int
    /// The heading without markup.
    let title: String
    /// The heading's name in addresses, as GitHub makes it from its words.
    let slug: String
  }

  /// The headings in their order.
  let headings: [Heading]
  private let root: OpaquePointer

  private static let hasTables: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()

  /// Reads a document in UTF-8.
  init(_ bytes: [UInt8]) {
    precondition(Self.hasTables)
    guard let parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8) else {
      preconditionFailure("cmark-gfm makes no parser")
    }
    defer { cmark_parser_free(parser) }
    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"))
    bytes.withUnsafeBytes {
      cmark_parser_feed(parser, $0.bindMemory(to: CChar.self).baseAddress, $0.count)
    }
    root = cmark_parser_finish(parser)
    var seen: [String: Int] = [:]
    headings = Self.children(of: root).filter(Self.isHeading).map { node in
      let title = Self.words(of: node)
      let slug = Self.slug(of: title)
      let earlier = seen[slug, default: 0]
      seen[slug] = earlier + 1
      return Heading(
        level: Int(cmark_node_get_heading_level(node)), title: title,
        slug: earlier == 0 ? slug : "\(slug)-\(earlier)")
    }
  }

  deinit { cmark_node_free(root) }

  /// Returns the sections of the document, each with its heading.
  /// - Parameters:
  ///   - anchors: the names of the headings in addresses, by their order; a heading that has none
  ///     there keeps its own.
  ///   - address: returns the address for a link; nil if only its words are kept.
  func sections(anchors: [String], address: (String) -> String?) -> [GuideSection] {
    dropPictures()
    rewriteLinks(address)
    var groups: [(heading: OpaquePointer, blocks: [OpaquePointer])] = []
    for node in Self.children(of: root) {
      if Self.isHeading(node) {
        groups.append((node, []))
      } else if !groups.isEmpty {
        groups[groups.count - 1].blocks.append(node)
      }
    }
    return zip(headings, groups).enumerated().map { place, pair in
      let (heading, group) = pair
      return GuideSection(
        anchor: anchors.indices.contains(place) ? anchors[place] : heading.slug,
        level: heading.level, title: heading.title,
        heading: HTML(raw: Self.contents(of: group.heading)),
        words: group.blocks.map(Self.words).joined(separator: " "),
        body: HTML(raw: group.blocks.map(Self.block).joined()))
    }
  }

  // MARK: what the programs show otherwise than the files

  /// Takes the pictures out, and with them the paragraphs and tables that held nothing else.
  private func dropPictures() {
    Self.remove(Self.all(in: root).filter { cmark_node_get_type($0) == CMARK_NODE_IMAGE })
    let empty = Self.children(of: root).filter { node in
      Self.isTable(node)
        ? Self.children(of: node).dropFirst().allSatisfy { Self.words(of: $0).isEmpty }
        : cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH && Self.words(of: node).isEmpty
    }
    Self.remove(empty)
  }

  private func rewriteLinks(_ address: (String) -> String?) {
    var wordsOnly: [OpaquePointer] = []
    for link in Self.all(in: root) where cmark_node_get_type(link) == CMARK_NODE_LINK {
      let target = cmark_node_get_url(link).map { String(cString: $0) } ?? ""
      if let address = address(target) {
        cmark_node_set_url(link, address)
        continue
      }
      for child in Self.children(of: link) { cmark_node_insert_before(link, child) }
      wordsOnly.append(link)
    }
    Self.remove(wordsOnly)
  }

  /// Returns a block as HTML; a table becomes one of the pages' own lists, at any depth.
  private static func block(_ node: OpaquePointer) -> String {
    if isTable(node) { return table(node).text }
    let tables = all(in: node).filter(isTable)
    for inner in tables {
      guard let custom = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK) else { continue }
      cmark_node_set_on_enter(custom, table(inner).text)
      cmark_node_insert_before(inner, custom)
    }
    remove(tables)
    return html(node)
  }

  /// Returns a table as the pages have lists: on a phone each row is a card, and each value tells
  /// the column's name.
  private static func table(_ node: OpaquePointer) -> HTML {
    let rows = children(of: node).map(children)
    let titles = (rows.first ?? []).map(words)
    let head = (rows.first ?? []).map {
      "<th scope=\"col\">\(raw: contents(of: $0))</th>" as HTML
    }
    let body = rows.dropFirst().map { cells -> HTML in
      let values = cells.enumerated().map { column, cell -> HTML in
        let value = HTML(raw: contents(of: cell))
        guard column > 0 else { return "<th scope=\"row\">\(value)</th>" }
        // A card of two values needs no names, and an empty one is not shown.
        let hasName = titles.count > 2 && titles.indices.contains(column) && !value.isEmpty
        return hasName
          ? "<td data-label=\"\(titles[column])\"><span>\(value)</span></td>"
          : "<td>\(value)</td>"
      }
      return "<tr>\(values)</tr>\n"
    }
    return """
      <table class="list"><thead><tr>\(head)</tr></thead>
      <tbody>\(body)</tbody></table>

      """
  }

  // MARK: the library's tree

  private static func isHeading(_ node: OpaquePointer) -> Bool {
    cmark_node_get_type(node) == CMARK_NODE_HEADING
  }

  private static func isTable(_ node: OpaquePointer) -> Bool {
    cmark_node_get_type_string(node).map { String(cString: $0) } == "table"
  }

  private static func children(of node: OpaquePointer) -> [OpaquePointer] {
    Array(
      sequence(first: cmark_node_first_child(node)) { cmark_node_next($0) }.prefix { $0 != nil }
    )
    .compactMap(\.self)
  }

  /// Returns the node and everything in it, parents first.
  private static func all(in node: OpaquePointer) -> [OpaquePointer] {
    [node] + children(of: node).flatMap(all)
  }

  /// Takes nodes out of the tree.
  ///
  /// The list must be complete before the first node is freed: a node that is freed takes all that
  /// is in it along, and a walk that goes on reads memory that another thread may have by then.
  private static func remove(_ nodes: [OpaquePointer]) {
    for node in nodes { cmark_node_unlink(node) }
    for node in nodes { cmark_node_free(node) }
  }

  /// Returns the words of a node without markup, with single blanks between them.
  private static func words(of node: OpaquePointer) -> String {
    all(in: node).map { part -> String in
      switch cmark_node_get_type(part) {
      case CMARK_NODE_TEXT, CMARK_NODE_CODE:
        cmark_node_get_literal(part).map { String(cString: $0) } ?? ""
      case CMARK_NODE_CODE_BLOCK:
        " " + (cmark_node_get_literal(part).map { String(cString: $0) } ?? "")
      // Words of two blocks, cells or lines do not run together.
      case CMARK_NODE_EMPH, CMARK_NODE_STRONG, CMARK_NODE_LINK: ""
      default: " "
      }
    }.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func html(_ node: OpaquePointer) -> String {
    guard let text = cmark_render_html(node, CMARK_OPT_VALIDATE_UTF8, nil) else { return "" }
    defer { free(text) }
    return String(cString: text)
  }

  /// Returns the HTML of what is in a node, without the node's own tag.
  private static func contents(of node: OpaquePointer) -> String {
    children(of: node).map(html).joined()
  }

  /// Returns a heading's name in addresses as GitHub makes it: small letters and digits, hyphens for
  /// blanks, and nothing else.
  private static func slug(of title: String) -> String {
    String(
      title.lowercased().compactMap { character -> Character? in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }
}
