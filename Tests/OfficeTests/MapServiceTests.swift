import Foundation
import Geodesy
import Sync
import Testing

@testable import MapLayers

@Suite("Map services: addresses, boxes and capabilities")
struct MapServiceTests {
  static let wms = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE WMT_MS_Capabilities SYSTEM "http://maps.example/wms.dtd" [ <!ELEMENT Vendor EMPTY> ]>
    <WMS_Capabilities version="1.3.0" xmlns:xlink="x"><Service><Title>Land &amp; sea</Title></Service>
    <Capability><Request><GetMap><Format>image/jpeg</Format><Format>image/png</Format></GetMap></Request>
    <Layer><Title>All</Title><CRS>EPSG:5514</CRS>
      <Layer><Name>ortho</Name><Title>Aerial photo</Title><CRS>EPSG:3857</CRS><CRS>EPSG:4326</CRS>
        <Attribution><Title>Survey</Title></Attribution><Style><Name>plain</Name></Style>
        <EX_GeographicBoundingBox><westBoundLongitude>12</westBoundLongitude><eastBoundLongitude>19</eastBoundLongitude>
        <southBoundLatitude>48</southBoundLatitude><northBoundLatitude>51</northBoundLatitude></EX_GeographicBoundingBox></Layer>
      <Layer><Name>degrees</Name><CRS>EPSG:4326</CRS></Layer>
      <Layer><Name>local</Name><Title>Only there</Title></Layer>
    </Layer></Capability></WMS_Capabilities>
    """
  static let wmts = """
    <Capabilities xmlns:ows="o"><ows:ServiceIdentification><ows:Title>Tiles</ows:Title></ows:ServiceIdentification>
    <ows:ServiceProvider><ows:ProviderName>Survey</ows:ProviderName></ows:ServiceProvider>
    <Contents><Layer><ows:Title>Map</ows:Title><ows:Identifier>base</ows:Identifier>
      <Style><ows:Identifier>grey</ows:Identifier></Style><Style isDefault="true"><ows:Identifier>colour</ows:Identifier></Style>
      <Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>local</TileMatrixSet></TileMatrixSetLink>
      <TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet></TileMatrixSetLink>TEMPLATE</Layer>
      <TileMatrixSet><ows:Identifier>local</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::5514</ows:SupportedCRS></TileMatrixSet>
      <TileMatrixSet><ows:Identifier>web</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
        <TileMatrix><ows:Identifier>web:10</ows:Identifier><ScaleDenominator>545978.7734655447</ScaleDenominator>
          <TopLeftCorner>0 20037508.342789244</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight></TileMatrix>
        <TileMatrix><ows:Identifier>web:11</ows:Identifier><ScaleDenominator>272989.38673277234</ScaleDenominator>
          <TopLeftCorner>-20037508.342789244 20037508.342789244</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight></TileMatrix>
        <TileMatrix><ows:Identifier>odd</ows:Identifier><ScaleDenominator>300000</ScaleDenominator>
          <TopLeftCorner>-20037508 20037508</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight></TileMatrix>
      </TileMatrixSet></Contents></Capabilities>
    """

  private func chosen(
    _ text: String, _ kind: MapService.Kind, _ layer: String
  ) throws -> MapService {
    var service = MapService(
      name: "m", kind: kind, title: "", address: "https://maps.example/ows?map=x")
    try service.choose(
      layer,
      from: try ServiceCapabilities(Array(text.utf8), of: kind, host: "maps.example"))
    return service
  }

  private func query(_ address: String?) throws -> [String: String] {
    let items = try #require(address.flatMap(URLComponents.init(string:))?.queryItems)
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  @Test("WMS is asked in metres, or in degrees in the order that its version takes")
  func axes() throws {
    let place = TileExtract.Place(zoom: 10, x: 559, y: 350)
    let metres = try chosen(Self.wms, .wms, "ortho")
    #expect(metres.title == "Aerial photo" && metres.attribution == "Survey")
    #expect(metres.mediaType == "image/png" && metres.style == nil)
    var asked = try query(metres.address(of: place))
    #expect(asked["CRS"] == "EPSG:3857" && asked["map"] == "x" && asked["LAYERS"] == "ortho")
    #expect(asked["BBOX"] == "1839380.6487,6300857.1156,1878516.4071,6339992.8741")
    // The trap: version 1.3.0 has the latitude of EPSG:4326 first, version 1.1.1 the longitude.
    var degrees = try chosen(Self.wms, .wms, "degrees")
    #expect(degrees.zooms.lowerBound == 8)
    asked = try query(degrees.address(of: place))
    #expect(asked["CRS"] == "EPSG:4326" && asked["BBOX"]?.hasPrefix("49.15") == true)
    degrees.version = "1.1.1"
    asked = try query(degrees.address(of: place))
    #expect(asked["SRS"] == "EPSG:4326" && asked["CRS"] == nil)
    #expect(asked["BBOX"]?.hasPrefix("16.5234375") == true)
    degrees.referenceSystem = "CRS:84"
    degrees.version = "1.3.0"
    #expect(try query(degrees.address(of: place))["BBOX"]?.hasPrefix("16.5234375") == true)
    #expect(throws: MapServiceError.self) { try chosen(Self.wms, .wms, "local") }
  }

  @Test("WMTS is asked by template or by query, in the zooms that fit, counted from its own corner")
  func matrices() throws {
    let plain = Self.wmts.replacing("TEMPLATE", with: "")
    let byQuery = try chosen(plain, .wmts, "base")
    #expect(byQuery.zooms == 10...11 && byQuery.style == "colour" && byQuery.matrixSet == "web")
    var asked = try query(byQuery.address(of: .init(zoom: 10, x: 559, y: 350)))
    #expect(
      asked["TILEMATRIX"] == "web:10" && asked["TILECOL"] == "47" && asked["TILEROW"] == "350")
    #expect(try byQuery.address(of: .init(zoom: 10, x: 5, y: 350)) == nil, "west of its corner")
    asked = try query(byQuery.address(of: .init(zoom: 11, x: 1118, y: 700)))
    #expect(asked["TILECOL"] == "1118")
    #expect(try byQuery.address(of: .init(zoom: 12, x: 0, y: 0)) == nil)
    let template =
      "<ResourceURL format=\"image/png\" resourceType=\"tile\" template=\"https://t.example/{Style}/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png\"/>"
    let byTemplate = try chosen(Self.wmts.replacing("TEMPLATE", with: template), .wmts, "base")
    #expect(
      try byTemplate.address(of: .init(zoom: 11, x: 1118, y: 700))
        == "https://t.example/colour/web/web:11/700/1118.png")
    let hostile = template.replacing("t.example", with: "169.254.169.254")
    #expect(throws: MapServiceError.self) {
      try chosen(Self.wmts.replacing("TEMPLATE", with: hostile), .wmts, "base")
    }
  }

  @Test(
    "a scale without bounds is no zoom, and the set's other zooms stay",
    arguments: [
      "0", "-1", "1e-300", "5e-324", "1e308", "nan", "-nan", "inf", "-inf", "1e999", "-1e999",
    ])
  func boundlessScale(_ scale: String) throws {
    let text = Self.wmts.replacing("TEMPLATE", with: "").replacing("300000", with: scale)
    #expect(try chosen(text, .wmts, "base").matrices.map(\.zoom) == [10, 11])
    let corner = Self.wmts.replacing("TEMPLATE", with: "")
      .replacing("-20037508.342789244 20037508.342789244", with: "\(scale) \(scale)")
    #expect(try chosen(corner, .wmts, "base").matrices.map(\.zoom).first == 10)
  }

  /// Returns the capabilities of a WMTS whose layer has a template, and further dimensions.
  private static func templated(_ path: String, _ dimensions: [(String, String)]) -> String {
    let further = dimensions.map {
      "<Dimension><ows:Identifier>\($0)</ows:Identifier><Default>\($1)</Default></Dimension>"
    }.joined()
    return wmts.replacing(
      "TEMPLATE",
      with: further
        + "<ResourceURL format=\"image/png\" resourceType=\"tile\" template=\"https://t.example/\(path)\"/>"
    )
  }

  @Test("the defaults of a template's dimensions are filled once, and never looked into")
  func dimensions() throws {
    let place = TileExtract.Place(zoom: 11, x: 1118, y: 700)
    let dated = Self.templated(
      "{Time}/{TileMatrix}/{TileRow}/{TileCol}.png", [("time", "2025-06-01T09:30:00Z")])
    #expect(
      try chosen(dated, .wmts, "base").address(of: place)
        == "https://t.example/2025-06-01T09:30:00Z/web:11/700/1118.png")
    // Each names the next one twice: replaced one after the other, they would fill the memory.
    let bomb = (0..<60).map { ("d\($0)", "{d\($0 + 1)}{TileRow}{d\($0 + 1)}") }
    #expect(
      try chosen(Self.templated("{d0}/{TileCol}", bomb), .wmts, "base").address(of: place)
        == "https://t.example/%7Bd1%7D%7BTileRow%7D%7Bd1%7D/1118")
  }

  @Test("an address that grows beyond all bounds is refused with the reason")
  func endless() throws {
    let value = String(repeating: "v", count: 1000)
    let wide = Self.templated(String(repeating: "{d}", count: 100), [("d", value)])
    #expect {
      try chosen(wide, .wmts, "base")
    } throws: { "\($0)".contains("more than 8000 characters") }
    let long = Self.templated(String(repeating: "{TileMatrix}", count: 100), [])
      .replacing("web:11", with: String(repeating: "m", count: 400))
    let service = try chosen(long, .wmts, "base")
    #expect {
      try service.address(of: .init(zoom: 11, x: 1118, y: 700))
    } throws: { "\($0)".contains("more than 8000 characters") }
    #expect(try service.address(of: .init(zoom: 10, x: 559, y: 350)) != nil)
  }

  @Test("XYZ fills its places, and counts rows from the south if it is told to")
  func places() throws {
    var service = MapService(
      name: "m", kind: .xyz, title: "", address: "https://t.example/{z}/{x}/{y}.png?key=a")
    #expect(
      try service.address(of: .init(zoom: 3, x: 4, y: 2)) == "https://t.example/3/4/2.png?key=a")
    service.address = "https://t.example/{z}/{x}/{-y}.png"
    #expect(try service.address(of: .init(zoom: 3, x: 4, y: 2)) == "https://t.example/3/4/5.png")
  }

  @Test("an address is cleaned of one request's parts; what is no map service's is refused")
  func addresses() throws {
    let pasted = "https://Maps.example/ows?map=/a.map&SERVICE=WMS&request=GetCapabilities#top"
    let address = try ServiceAddress(" \(pasted) ", kind: .wms)
    #expect(address.text == "https://Maps.example/ows?map=/a.map" && address.host == "maps.example")
    #expect(
      try ServiceAddress("http://t/{z}/{x}/{-y}.png", kind: .xyz).text
        == "http://t/{z}/{x}/{-y}.png")
    for (text, kind) in [
      ("", .wms), ("maps.example/wms", .wms), ("ftp://maps.example", .wms),
      ("file:///etc/passwd", .wms),
      ("https://user:secret@maps.example/wms", .wms), ("https://maps.example/tiles.png", .xyz),
      ("http://169.254.169.254/latest/meta-data", .wms), ("http://[fe80::1]/", .wms),
      ("http://[::ffff:169.254.1.1]/", .wms), ("http://0.0.0.0/", .wms),
      ("http://224.0.0.1/", .wms),
      ("https://maps.example:0/", .wms), ("https://a/" + String(repeating: "a", count: 3000), .wms),
    ] as [(String, MapService.Kind)] {
      #expect(throws: MapServiceError.self, "\(text)") { try ServiceAddress(text, kind: kind) }
    }
    // Agencies keep their services in networks of their own.
    for text in ["http://10.1.2.3/wms", "http://localhost:8080/wms", "http://[::1]/wms"] {
      #expect(throws: Never.self, "\(text)") { try ServiceAddress(text, kind: .wms) }
    }
  }

  @Test(
    "an IPv4 address inside an IPv6 one is judged by its own rule, in whatever dress",
    arguments: [
      "::ffff:", "::", "64:ff9b::", "0:0:0:0:0:ffff:", "0064:ff9b:0:0:0:0:",
    ])
  func dressed(_ prefix: String) {
    for four in ["169.254.169.254", "0.0.0.2", "224.0.0.1", "255.255.255.255"] {
      #expect(ServiceAddress.isOffLimits(prefix + four), "\(four)")
      #expect(ServiceAddress.isOffLimits("[\(prefix)\(four)]"), "\(four)")
    }
    // Agencies keep their services in networks of their own, also behind a translation.
    for four in ["10.1.2.3", "127.0.0.1", "192.0.2.1"] {
      #expect(!ServiceAddress.isOffLimits(prefix + four), "\(four)")
    }
  }

  @Test("6to4 and a network's own translation lead to no forbidden machine either")
  func translated() {
    for host in [
      "2002:a9fe:a9fe::1", "2002:e000:1::", "2002::1", "64:ff9b:1::1", "64:ff9b:1::a00:1",
      "64:ff9b:1:a9fe:a9:fe00::", "[64:ff9b:1:ffff:ffff:ffff:ffff:ffff]", "fe80::1%eth0", "::",
      "ff02::1",
    ] {
      #expect(ServiceAddress.isOffLimits(host), "\(host)")
      #expect(throws: MapServiceError.self, "\(host)") {
        let bare = host.trimmingCharacters(in: ["[", "]"]).prefix { $0 != "%" }
        return try ServiceAddress("http://[\(bare)]/wms", kind: .wms)
      }
    }
    for host in [
      "2002:a01:203::1", "2002:c000:201::1", "64:ff9b::a01:203", "64:ff9b:2::a9fe:a9fe", "::1",
      "2001:db8::a9fe:a9fe", "fd00::1",
    ] {
      #expect(!ServiceAddress.isOffLimits(host), "\(host)")
    }
  }

  @Test("what is no capabilities is refused with the reason, and a hostile document harms nothing")
  func hostile() {
    func words(_ text: String, _ kind: MapService.Kind = .wms) -> String {
      do {
        _ = try ServiceCapabilities(Array(text.utf8), of: kind, host: "h")
        return "taken"
      } catch {
        return "\(error)"
      }
    }
    #expect(words("<html><body>Sign in</body></html>").contains("web page"))
    #expect(words("no XML").contains("not XML"))
    #expect(words("").contains("not XML"))
    #expect(words(Self.wms, .wmts).contains("choose WMS"))
    #expect(words(Self.wmts, .wms).contains("choose WMTS"))
    let report =
      "<ServiceExceptionReport><ServiceException>Layer\n unknown</ServiceException></ServiceExceptionReport>"
    #expect(words(report).contains("h says: Layer unknown"))
    let local = Self.wms.replacing("EPSG:3857", with: "EPSG:1").replacing(
      "EPSG:4326", with: "EPSG:2")
    #expect(words(local).contains("Web Mercator"))
    #expect(words(String(repeating: "<a>", count: 100_000)).contains("not XML"))
    #expect(words("<WMS_Capabilities version='1.3.0'>").contains("not XML"))
    let bomb =
      "<!DOCTYPE a [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
      + "<ServiceExceptionReport><ServiceException>&b;&f;</ServiceException></ServiceExceptionReport>"
    #expect(words(bomb).contains("&b;&f;"), "entities are never expanded")
    #expect(
      XMLTree(parsing: Array("<a b='1 &gt; 0'>x<![CDATA[<y>]]>&#x41;</a>".utf8))?.text == "x<y>A")
  }

  @Test("of a service that names without end a layer has its first hundred styles, and short names")
  func bounds() throws {
    let styles = (0..<5000).map { "<Style><Name>s\($0)</Name></Style>" }.joined()
    let systems = (0..<5000).map { "<CRS>EPSG:9\($0)</CRS>" }.joined()
    let long = String(repeating: "n", count: 501)
    let inner = (0..<3000).map {
      "<Layer><Name>l\($0)</Name><Style><Name>own</Name></Style><CRS>EPSG:1\($0)</CRS></Layer>"
    }.joined()
    let text = Self.wms.replacing(
      "<Layer><Name>degrees</Name>",
      with: "<Layer><Name>outer</Name><CRS>EPSG:3857</CRS>\(systems)\(styles)"
        + "<Attribution><Title>\(String(repeating: "a", count: 5000))</Title></Attribution>"
        + "<Layer><Name>\(long)</Name></Layer>\(inner)</Layer><Layer><Name>degrees</Name>")
    let read = try ServiceCapabilities(Array(text.utf8), of: .wms, host: "h")
    #expect(read.layers.count == ServiceCapabilities.layersAtMost)
    let outer = try #require(read.layers.first { $0.name == "outer" })
    #expect(outer.styles == (0..<100).map { "s\($0)" } && outer.attribution?.count == 1000)
    let first = try #require(read.layers.first { $0.name == "l0" })
    #expect(first.styles == ["own"] + (0..<99).map { "s\($0)" })
    #expect(first.referenceSystem == "EPSG:3857")
    #expect(!read.layers.contains { $0.name == long })
    let many = (0..<5000).map { "<Style><ows:Identifier>t\($0)</ows:Identifier></Style>" }.joined()
    let copies = (0..<5000).map { _ in
      """
      <TileMatrix><ows:Identifier>copy</ows:Identifier><ScaleDenominator>545978.7734655447</ScaleDenominator>
      <TopLeftCorner>0 20037508.342789244</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight></TileMatrix>
      """
    }.joined()
    let tiles = Self.wmts.replacing("TEMPLATE", with: many)
      .replacing("</TileMatrixSet></Contents>", with: copies + "</TileMatrixSet></Contents>")
    let base = try #require(
      try ServiceCapabilities(Array(tiles.utf8), of: .wmts, host: "h").layers.first)
    #expect(base.styles.count == 100 && base.styles.first == "colour")
    #expect(base.matrices.map(\.name) == ["web:10", "web:11"])
  }

  @Test("a password is never printed, and names of layers are letters, digits and hyphens")
  func secrets() {
    var service = MapService(name: "m", kind: .xyz, title: "t", address: "a")
    service.password = Secret("hidden words")
    var dumped = ""
    dump(service, to: &dumped)
    #expect(!"\(service)".contains("hidden") && !dumped.contains("hidden"))
    #expect(!String(reflecting: service).contains("hidden"))
    #expect(
      MapService.name(for: "Ortofoto České republiky 2025!", taken: [])
        == "ortofoto-ceske-republiky-2025")
    #expect(MapService.name(for: "../..", taken: ["map"]) == "map-2")
  }

  @Test(
    "a password belongs to scheme, host and port of the address, and goes when one of them changes")
  func origins() throws {
    var service = MapService(
      name: "m", kind: .wmts, title: "t", address: "https://maps.example/wmts")
    (service.user, service.password) = ("anna", Secret("over the hills"))
    service.template = "https://tiles.example/{TileMatrix}/{TileRow}/{TileCol}"
    service.matrices = [.init(zoom: 3, name: "3")]
    for address in ["https://maps.example/a", "https://MAPS.example:443/{z}"] {
      #expect(service.account(at: address) != nil, "\(address)")
    }
    for address in [
      "http://maps.example/wmts", "https://maps.example:8443/wmts", "https://tiles.example/3/0/0",
      "https://maps.example.org/", "https://maps.example@elsewhere.example/", "/wmts", "",
    ] {
      #expect(service.account(at: address) == nil, "\(address)")
    }
    var same = service
    same.move(to: try ServiceAddress("https://maps.example/wmts", kind: .wmts))
    #expect(same == service)
    for (address, isKept) in [
      ("https://maps.example/other", true), ("http://maps.example/wmts", false),
      // The former template's host is not the one for which the password was entered.
      ("https://tiles.example/wmts", false), ("https://maps.example:8443/wmts", false),
    ] {
      var moved = service
      moved.move(to: try ServiceAddress(address, kind: .wmts))
      #expect((moved.password != nil) == isKept, "\(address)")
      #expect(moved.template == nil && moved.matrices.isEmpty && !moved.isComplete)
    }
  }

  @Test("header fields say how long a tile is fresh, within bounds")
  func freshness() {
    #expect(Freshness.seconds(cacheControl: [], age: nil) == Freshness.defaultSeconds)
    #expect(Freshness.seconds(cacheControl: ["public, max-age=60"], age: "20") == 40)
    #expect(Freshness.seconds(cacheControl: ["max-age=9", "s-maxage=7"], age: nil) == 7)
    #expect(
      Freshness.seconds(cacheControl: ["max-age=99999999"], age: nil) == Freshness.mostSeconds)
    #expect(Freshness.seconds(cacheControl: ["no-cache"], age: nil) == 0)
    #expect(Freshness.seconds(cacheControl: ["private, no-store"], age: nil) == nil)
  }
}
