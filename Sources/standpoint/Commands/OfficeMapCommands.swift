import ArgumentParser
import Evidence
import Foundation
import Geodesy
import Inspection
import MapLayers
import Office
import Store
import Sync
import Telling
import TimeAndText

extension OfficeCommand {
  /// An agency's base maps: files of tiles, and map services whose tiles the office fetches.
  struct MapGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "maps", abstract: "Base maps of an agency.",
      discussion: """
        Examples:
          standpoint office maps import land.mbtiles --agency north
          standpoint office maps layers https://maps.example/wms --kind wms
          standpoint office maps add https://maps.example/wms --kind wms --layer ortho --agency north
        """,
      subcommands: [
        List.self, Import.self, Layers.self, Add.self, Test.self, First.self, Remove.self,
      ], defaultSubcommand: List.self)

    /// The account that a service asks for.
    struct Account: ParsableArguments {
      @Option(help: "The user's name that the service asks for; its password is asked for here.")
      var user: String?
      @Flag(help: "Read the password from standard input instead of asking for it.")
      var passwordStdin = false

      func take(into service: inout MapService) throws {
        guard let user else { return }
        service.user = user
        service.password = Secret(try Password.read(fromStandardInput: passwordStdin))
      }
    }

    static func service(_ address: String, _ kind: String) throws -> MapService {
      guard let kind = MapService.Kind(rawValue: kind) else {
        throw ValidationError(
          "--kind \(kind) is unknown; choose one of \(MapService.Kind.allCases.map(\.rawValue).joined(separator: ", "))."
        )
      }
      return MapService(
        name: "", kind: kind, title: "", address: try ServiceAddress(address, kind: kind).text)
    }

    static func note(_ action: String, _ name: String, of agency: String, in office: OfficeServer)
      async throws
    {
      let entry = office.log(action, on: name, by: OfficeCommand.terminal, agency: agency)
      try await office.database.write(in: agency) { try $0.log.add(entry) }
    }

    static func say(_ layer: BaseLayer, isFirst: Bool, _ common: CommonOptions) {
      let kind: String
      switch layer.source {
      case .archive(_, let isShared): kind = isShared ? "shared" : "file"
      case .service(let tiles): kind = tiles.service.kind.rawValue
      }
      if common.isJSON {
        Terminal.say(
          .members([
            ("name", .string(layer.name)), ("title", .string(layer.title)),
            ("kind", .string(kind)), ("first", .bool(isFirst)),
            ("attribution", .text(layer.attribution)),
            ("leastZoom", .integer(layer.zooms.lowerBound)),
            ("mostZoom", .integer(layer.zooms.upperBound)),
            ("address", .text(layer.service?.address)), ("layer", .text(layer.service?.layer)),
          ]))
      } else {
        Terminal.say(
          "\(isFirst ? "*" : " ") \(layer.name)  \(kind)  \(layer.zooms.lowerBound)-\(layer.zooms.upperBound)  \(layer.title)"
        )
      }
    }
  }
}

extension OfficeCommand.MapGroup {
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List an agency's base maps; the one with a star is shown first.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Option(help: "The agency's name.") var agency: String

    func run() async throws {
      let office = try await data.office()
      let layers = office.core.layers
      try await office.people.requireAgency(agency)
      for (index, layer) in try layers.layers(of: agency).enumerated() {
        OfficeCommand.MapGroup.say(layer, isFirst: index == 0, common)
      }
      for service in try layers.unfinished(of: agency) {
        Terminal.complain("\(service.name) has no layer yet: remove it, or choose one on its page")
      }
      for name in layers.broken(of: agency) { Terminal.complain("\(name) cannot be used") }
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Copy an MBTiles file of pictures into the office.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The file.") var file: String
    @Option(help: "The agency's name.") var agency: String

    func run() async throws {
      let office = try await data.office()
      let layers = office.core.layers
      try await office.people.requireAgency(agency)
      // The file is looked at before it is copied, and again where it lies then.
      do {
        _ = try TileArchive(path: file)
      } catch StoreError.unavailable(_, let reason) {
        throw MapLayerError.unusable(reason)
      }
      let id = Identifier(at: office.clock.deviceTime).description
      let path = try layers.arrivalPath(for: agency, id: id)
      do {
        try FileManager.default.copyItem(atPath: file, toPath: path)
        // A copy may keep its age, and would look like one that was left behind long ago.
        let now = Double(office.clock.deviceTime.millisecondsSince1970) / 1000
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: now)], ofItemAtPath: path)
      } catch {
        try DurableFile.remove(path)
        throw StoreError.unwritable(path: path, reason: "the file cannot be copied")
      }
      let layer = try layers.take(path, called: file, for: agency)
      try await OfficeCommand.MapGroup.note("base-map-added", layer.name, of: agency, in: office)
      OfficeCommand.MapGroup.say(layer, isFirst: false, common)
    }
  }

  struct Layers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the layers of a WMS or WMTS that can be base maps.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @OptionGroup var account: Account
    @Argument(help: "The address of the service.") var address: String
    @Option(help: "wms or wmts.") var kind: String

    func run() async throws {
      var service = try OfficeCommand.MapGroup.service(address, kind)
      try account.take(into: &service)
      let capabilities = try await data.office().core.layers.fetcher.capabilities(of: service)
      for layer in capabilities.layers {
        if common.isJSON {
          Terminal.say(
            .members([
              ("name", .string(layer.name)), ("title", .string(layer.title)),
              ("attribution", .text(layer.attribution)),
              ("mediaTypes", .array(layer.mediaTypes.map { .string($0) })),
            ]))
        } else {
          Terminal.say("\(layer.name)  \(layer.title)")
        }
      }
      if capabilities.unusable > 0 {
        Terminal.complain("\(capabilities.unusable) others are not in Web Mercator (EPSG:3857)")
      }
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a map service, after it has sent a tile.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @OptionGroup var account: Account
    @Argument(help: "The address; for xyz with {z}, {x} and {y}.") var address: String
    @Option(help: "wms, wmts or xyz.") var kind: String
    @Option(help: "The agency's name.") var agency: String
    @Option(help: "The layer of a WMS or WMTS; see office maps layers.") var layer: String?
    @Option(help: "The title on screen.") var title: String?
    @Option(help: "The words that credit the map's makers.") var attribution: String?
    @Option(help: "image/png, image/jpeg or image/webp, if the service has it.")
    var mediaType: String?
    @Option(help: "The zooms that are asked for, such as 6-19.") var zooms: String?
    @Flag(help: "Field units may not keep parts of the map.") var notOnDevices = false
    @Flag(help: "Add it, even if it sends no tile now.") var untested = false

    func run() async throws {
      let office = try await data.office()
      let layers = office.core.layers
      try await office.people.requireAgency(agency)
      var service = try OfficeCommand.MapGroup.service(address, kind)
      try account.take(into: &service)
      service.title = title ?? ""
      service.attribution = attribution
      service.isOffered = !notOnDevices
      if service.kind != .xyz {
        guard let layer else {
          throw ValidationError("Give --layer; standpoint office maps layers lists them.")
        }
        try service.choose(
          layer, mediaType: mediaType, from: try await layers.fetcher.capabilities(of: service))
      }
      if let zooms {
        let ends = zooms.split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, (0...22).contains(ends[0]), (ends[0]...22).contains(ends[1]) else {
          throw ValidationError("--zooms \(zooms) is not two numbers from 0 to 22, such as 6-19.")
        }
        service.zooms = ends[0]...ends[1]
      }
      if !untested { try await OfficeCommand.MapGroup.test(service, of: agency, in: office) }
      let added = try layers.add(service, to: agency)
      try await OfficeCommand.MapGroup.note("base-map-added", added.name, of: agency, in: office)
      if let layer = try layers.layer(added.name, of: agency) {
        OfficeCommand.MapGroup.say(layer, isFirst: false, common)
      }
    }
  }

  /// Asks a service for a tile, and says if it has none.
  static func test(
    _ service: MapService, of agency: String, in office: OfficeServer
  ) async throws {
    let extent = try await office.database.read(in: agency) {
      try $0.map.extent(nil, at: office.clock.deviceTime)
    }
    let middle = extent.flatMap { box in
      Coordinate(
        latitudeDegrees: (box.southDegrees + box.northDegrees) / 2,
        longitudeDegrees: (box.westDegrees + box.eastDegrees) / 2)
    }
    let tile = try await office.core.layers.sampleTile(of: service, near: middle)
    if tile == nil { Terminal.complain("it answers, and has no picture of the agency's area") }
  }

  struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Ask a map service for a tile now.")
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The map's name; see office maps list.") var name: String
    @Option(help: "The agency's name.") var agency: String

    func run() async throws {
      let office = try await data.office()
      try await office.people.requireAgency(agency)
      let service = try office.core.layers.service(name, of: agency)
      try await OfficeCommand.MapGroup.test(service, of: agency, in: office)
      Terminal.say("\(name) works")
    }
  }

  struct First: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a map first, on maps and in documents.")
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The map's name; see office maps list.") var name: String
    @Option(help: "The agency's name.") var agency: String

    func run() async throws {
      let office = try await data.office()
      try await office.people.requireAgency(agency)
      try office.core.layers.prefer(name, of: agency)
      try await OfficeCommand.MapGroup.note("base-map-first", name, of: agency, in: office)
      Terminal.say("\(name) is shown first")
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a map, with everything that the office keeps of it.")
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The map's name; see office maps list.") var name: String
    @Option(help: "The agency's name.") var agency: String

    func run() async throws {
      let office = try await data.office()
      try await office.people.requireAgency(agency)
      try office.core.layers.remove(name, of: agency)
      try await OfficeCommand.MapGroup.note("base-map-removed", name, of: agency, in: office)
      Terminal.say("removed \(name)")
    }
  }
}
