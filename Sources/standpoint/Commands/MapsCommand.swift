import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Geodesy
import Inspection
import MapLayers
import Receivers
import Store
import Sync
import TimeAndText

/// The areas of which this field unit keeps the office's maps.
struct MapsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "maps", abstract: "Areas of which this field unit keeps the office's maps.",
    discussion: """
      The maps around your tasks come by themselves; these are further areas for the time without a
      network.

      Example: standpoint maps add --box 16.60,49.06,16.66,49.10 --name Hills
      """, subcommands: [List.self, Add.self, Fetch.self, Delete.self],
    defaultSubcommand: List.self)

  /// Returns the shelf of this device's maps.
  static func shelf(_ data: DataOptions) -> MapShelf {
    MapShelf(
      folder: DataFolder(dataDirectory: data.directory).maps, clock: MachineClock(),
      hasRoom: {
        PhotoRoom.freeBytes(at: data.directory.path).map {
          !PhotoRoom(freeBytes: $0, meanBytesOfPhoto: nil).isLow
        } ?? true
      }, log: { Terminal.complain($0) })
  }

  static func say(_ area: OfflineArea, _ shelf: MapShelf, _ common: CommonOptions) throws {
    let extent = try shelf.extent(of: area)
    if common.isJSON {
      Terminal.say(
        .object([
          "id": .string(area.id.description), "name": .string(area.title),
          "zoom": .integer(area.finest), "parts": .integer(extent.cells),
          "partsHere": .integer(extent.cellsHere), "bytesToCome": .integer(extent.bytesToCome),
          "isStopped": .bool(area.isStopped),
        ]))
    } else {
      let state =
        extent.isComplete
        ? "complete"
        : "\(extent.cellsHere) of \(extent.cells) parts, at most about \(extent.bytesToCome / 1_000_000 + 1) MB to come"
      Terminal.say(
        "\(area.id)  \(area.title)  zoom \(area.finest)  \(state)\(area.isStopped ? ", stopped" : "")"
      )
    }
  }

  /// Fetches the parts that are missing, with the progress on standard error.
  static func fetch(_ shelf: MapShelf, _ data: DataOptions) async throws {
    let unit = try data.unit()
    let desk = try data.desk(clock: MachineClock())
    guard let signIn = try desk.signedIn() else { throw DeliveryError.notSignedIn }
    let link = try desk.link(to: signIn.office)
    let areas = try shelf.areas()
    do {
      let boxes = MapShelf.boxes(of: try unit.tasks())
      _ = try await shelf.bring(round: boxes, from: unit, over: link) {
        let here = areas.reduce(0) { $0 + ((try? shelf.extent(of: $1).cellsHere) ?? 0) }
        Terminal.progress("\(here) parts are here")
        return true
      }
      Terminal.endProgress()
      await link.close()
    } catch {
      Terminal.endProgress()
      await link.close()
      throw error
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the areas, and how much of each is here.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let shelf = MapsCommand.shelf(data)
      for area in try shelf.areas() { try MapsCommand.say(area, shelf, common) }
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add an area; a running field unit fetches it.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Option(help: "The area: west,south,east,north in degrees.") var box: String
    @Option(help: "The finest zoom: 14 (overview), 17 (fields) or 20 (every detail).")
    var zoom = 17
    @Option(help: "A name for the area.") var name = "Area"

    func run() async throws {
      let sides = box.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard sides.count == 4, let west = sides[0], let south = sides[1], let east = sides[2],
        let north = sides[3],
        let box = CoordinateBox(
          westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north)
      else { throw ValidationError("--box \(self.box) is not west,south,east,north in degrees.") }
      let area = try OfflineArea(
        id: Identifier(at: MachineClock().deviceTime), title: name, box: box, finest: zoom,
        maps: [])
      let shelf = MapsCommand.shelf(data)
      try shelf.add(area)
      try MapsCommand.say(area, shelf, common)
    }
  }

  struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fetch the office's maps now: around tasks, and of the areas.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let shelf = MapsCommand.shelf(data)
      try await MapsCommand.fetch(shelf, data)
      for area in try shelf.areas() { try MapsCommand.say(area, shelf, common) }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete an area with its maps, as far as no task needs them.")
    @OptionGroup var data: DataOptions
    @Argument(help: "The area's identifier; see maps list.") var id: String

    func run() async throws {
      guard let id = Identifier(id) else { throw OfflineAreaError.unknown }
      let shelf = MapsCommand.shelf(data)
      try shelf.delete(id, tasks: MapShelf.boxes(of: try data.unit().tasks()))
      Terminal.say("deleted \(id)")
    }
  }
}
