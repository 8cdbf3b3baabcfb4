import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import Store
import TimeAndText

/// Shows, sends and deletes the inspector's photos.
struct PhotoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo", abstract: "The inspector's photos.",
    subcommands: [List.self, Show.self, Note.self, Send.self, Delete.self, Compare.self])

  /// The one photo that a command line names.
  struct Target: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The photo's identifier, or its beginning.")
    var id: String
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List all photos, oldest first.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let unit = try data.unit()
      let photos = try unit.photos()
      if photos.isEmpty, !common.isJSON {
        Terminal.complain("no photos yet: take one with standpoint capture")
      }
      let removed = try unit.delivery.removedPhotos()
      for photo in photos { PhotoCommand.say(photo, removed: removed[photo.id], common) }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show one photo.")
    @OptionGroup var target: Target

    func run() async throws {
      let unit = try target.data.unit()
      let photo = try unit.photo(try unit.photo(meant: target.id))
      PhotoCommand.say(photo, removed: try unit.delivery.removedPhotos()[photo.id], target.common)
    }
  }

  struct Note: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write the note on a photo.")
    @OptionGroup var target: Target
    @Argument(help: "The note.") var text: String

    func run() async throws {
      let unit = try target.data.unit()
      let id = try unit.photo(meant: target.id)
      try unit.notePhoto(id, text)
      PhotoCommand.say(try unit.photo(id), target.common)
    }
  }

  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put standalone photos into the outbox.",
      discussion: "Photos of a task are sent with it: standpoint task provide ID")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Flag(help: "All standalone photos that are not sent yet.") var all = false
    @Argument(help: "The photos' identifiers, or its beginning.") var ids: [String] = []

    func validate() throws {
      guard all != !ids.isEmpty else { throw ValidationError("Give identifiers, or --all.") }
    }

    func run() async throws {
      let unit = try data.unit()
      let chosen =
        try all
        ? unit.photos(.standalone).filter { $0.sent == nil }.map(\.id)
        : ids.map(unit.photo(meant:))
      try unit.sendPhotos(chosen)
      for id in chosen { PhotoCommand.say(try unit.photo(id), common) }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a photo that was not sent; its record stays and says that it was deleted.")
    @OptionGroup var target: Target
    @Option(help: "Why.") var reason = "deleted by the inspector"
    @Flag(help: "Do not ask.") var yes = false

    func run() async throws {
      let unit = try target.data.unit()
      let id = try unit.photo(meant: target.id)
      let photo = try unit.photo(id)
      guard yes || Question.ask("Delete photo \(PhotoLine.text(photo))?") else { return }
      try unit.deletePhoto(id, reason: reason)
      Terminal.complain("deleted \(id)")
    }
  }

  static func say(_ photo: Photo, removed: DeviceTime? = nil, _ common: CommonOptions) {
    if common.isJSON {
      Terminal.say(PhotoLine.json(photo, removed: removed))
    } else {
      Terminal.say(PhotoLine.text(photo, removed: removed))
    }
  }
}

/// Asks before something is lost. Scripts are not asked: they have already said what they want.
enum Question {
  static func ask(_ question: String) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return true }
    Terminal.complain("\(question) [y/N]")
    return readLine()?.lowercased().hasPrefix("y") ?? false
  }
}
