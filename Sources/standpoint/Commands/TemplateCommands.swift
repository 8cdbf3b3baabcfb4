import ArgumentParser
import Evidence
import FormTables
import Foundation
import Inspection
import Office
import OrderFiles
import Store
import Sync
import Telling
import TimeAndText

extension OfficeCommand {
  /// The commands for templates.
  struct TemplateGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "template", abstract: "Templates: what tasks of a type ask for.",
      discussion: """
        A template lists items: shots, questions, tracks, notes. It has versions, and a new version
        changes no order that is there.
        """,
      subcommands: [Import.self, List.self, Show.self, Export.self])
  }
}

/// The agency and the type of tasks of a template.
private struct TemplateOptions: ParsableArguments {
  @Option(help: "The agency.") var agency: String
  @Option(help: "The version (default: the newest).") var version: Int?

  func validate() throws {
    if let version, version < 1 { throw ValidationError("--version \(version) is not 1 or more.") }
  }

  func template(_ type: String, _ data: OfficeDataOptions) async throws -> ItemTemplate {
    let office = try await data.office()
    try await office.people.requireAgency(agency)
    return try await office.templates.template(ofType: type, version: version, in: agency)
  }
}

extension OfficeCommand.TemplateGroup {
  /// Takes a template from a file.
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a template from an XLSForm or a JSON file.",
      discussion: """
        XLSForm is the workbook that users of Survey123, Kobo and ODK have, with the sheets survey
        and choices. Understood are the types select_one, select_multiple, integer, decimal, text,
        date, image, geotrace, note and groups; label, hint and required; relevant with =, !=, <,
        <=, >, >=, selected(), and, or, not(); constraint with the limits of a number; and words in
        several languages, of which --language chooses one.
        Anything else is listed by row and column, and nothing is taken. What only concerns the look
        of a question is left out, and listed, too.
        JSON is described in schemas/items.schema.json. An item names its example picture by the SHA-256
        of the file: --pictures names the folder in which such pictures are, as export writes them.

        Example: standpoint office template import crops.xlsx --agency north --type "crop check"
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Argument(help: "The file: XLSX or JSON.") var file: String
    @Option(help: "The agency.") var agency: String
    @Option(help: "The type of the tasks.") var type: String
    @Option(help: "The language of the words in an XLSForm, such as cs or \"Czech (cs)\".")
    var language: String?
    @Option(help: "The folder with the example pictures that the file names by their SHA-256.")
    var pictures: String?
    @Flag(help: "Only check the file; keep nothing.") var dryRun = false

    func validate() throws {
      guard !type.allSatisfy(\.isWhitespace), type.utf8.count <= CapturePolicy.typeByteLimit else {
        throw ValidationError("A type's name must have 1 to \(CapturePolicy.typeByteLimit) bytes.")
      }
    }

    func run() async throws {
      let office = try await data.office()
      try await office.people.requireAgency(agency)
      let (items, title) = try read()
      guard !items.items.isEmpty else { throw complain([TableFault("the file has no item")]) }
      let found = try pictures.map { try ExamplePictures(in: $0, for: items) }
      if !dryRun { try found?.keep(at: office, in: agency) }
      let (template, isNew) = try await office.templates.take(
        items, title: title, forType: type, in: agency, by: OfficeCommand.terminal,
        pictures: found?.digests ?? [], isCarriedOut: !dryRun)
      if common.isJSON {
        return Terminal.say(
          TemplateLine.json(
            template, with: [("new", .bool(isNew)), ("taken", .bool(isNew && !dryRun))]))
      }
      let words =
        !isNew ? "nothing changed" : dryRun ? "new, not kept" : "new"
      Terminal.say("\(TemplateLine.text(template)): \(words)")
    }

    /// Returns the items of the file and its title.
    private func read() throws -> (OrderItems, String?) {
      guard !XLSXReader.isWorkbook(path: file) else {
        let form = XLSForm.read(try workbook(), language: language)
        for fault in form.leftOut {
          Terminal.complain("\(file): \(fault.wording.description) (left out)")
        }
        guard let items = form.items else { throw complain(form.faults) }
        return (items, form.title.map { String($0.prefix(Templates.titleCharactersAtMost)) })
      }
      guard language == nil else {
        throw ValidationError("--language is for an XLSForm; \(file) is none.")
      }
      do {
        return (try ItemsJSON.items(try TemplateFile.json(file)), nil)
      } catch let fault as ItemsJSONFault {
        throw complain([TableFault(fault.wording)])
      }
    }

    private func workbook() throws -> Workbook {
      do {
        return try XLSXReader.workbook(path: file)
      } catch {
        throw complain([error])
      }
    }

    private func complain(_ faults: [TableFault]) -> ExitStatus {
      for fault in faults { Terminal.complain("\(file): \(fault.wording.description)") }
      Terminal.complain("nothing was taken")
      return .badInput
    }
  }

  /// Lists the templates.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the newest version of each template.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @Option(help: "The agency.") var agency: String

    func run() async throws {
      let office = try await data.office()
      try await office.people.requireAgency(agency)
      let templates = try await office.templates.newest(of: agency)
      if templates.isEmpty, !common.isJSON {
        Terminal.complain("no template yet: take one with office template import")
      }
      for template in templates {
        if common.isJSON {
          Terminal.say(TemplateLine.json(template))
        } else {
          Terminal.say(TemplateLine.text(template))
        }
      }
    }
  }

  /// Shows the items of a template.
  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the items of a template.",
      discussion: "Example: standpoint office template show \"crop check\" --agency north")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: OfficeDataOptions
    @OptionGroup private var options: TemplateOptions
    @Argument(help: "The type of the tasks.") var type: String

    func run() async throws {
      let template = try await options.template(type, data)
      guard !common.isJSON else {
        return Terminal.say(
          .members([
            ("type", .string(template.type)), ("version", .integer(template.version)),
            ("items", ItemsJSON.json(template.items)),
          ]))
      }
      Terminal.say(TemplateLine.text(template))
      for (index, item) in template.items.items.enumerated() {
        Terminal.say(ItemLine.text(item, number: index + 1))
      }
    }
  }

  /// Writes a template into a file.
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a template as JSON, as import reads it.",
      discussion:
        "Example: standpoint office template export \"crop check\" --agency north -o crops.json")
    @OptionGroup var data: OfficeDataOptions
    @OptionGroup private var options: TemplateOptions
    @Argument(help: "The type of the tasks.") var type: String
    @Option(name: [.customShort("o"), .long], help: "The JSON file to write.") var output: String
    @Option(help: "The folder into which the example pictures are written.") var pictures: String?

    func run() async throws {
      let template = try await options.template(type, data)
      if let pictures {
        let files = OrderFileService(of: try await data.office())
        try DurableFile.makeFolder(pictures)
        for digest in template.items.exampleDigests {
          try DurableFile.replace(
            ExamplePictures.path(of: digest, in: pictures),
            with: try files.bytes(of: digest, in: options.agency))
        }
      }
      try await OutputFile.write(ItemsJSON.json(template.items).canonicalBytes + [0x0A], to: output)
      Terminal.complain("\(output): \(TemplateLine.text(template))")
    }
  }
}

/// The example pictures in a folder that a template names.
private struct ExamplePictures {
  private let files: [String: [UInt8]]

  var digests: Set<String> { Set(files.keys) }

  static func path(of digest: String, in folder: String) -> String { "\(folder)/\(digest).jpg" }

  /// Reads the pictures that the items name, and that are in the folder.
  init(in folder: String, for items: OrderItems) throws {
    var files: [String: [UInt8]] = [:]
    for digest in items.exampleDigests {
      let path = Self.path(of: digest, in: folder)
      guard let status = FileStatus(ofPath: path) else { continue }
      guard status.bytes <= OrderFileService.copyBytesAtMost else {
        throw ExitStatus.explained(
          .badInput, "\(path) is too large: use the pictures that template export writes")
      }
      let bytes = try DurableFile.read(path)
      guard Digest.hexadecimal(bytes) == digest else {
        throw ExitStatus.explained(
          .badInput, "\(path) is not the picture that the template names: its bytes are others")
      }
      guard OrderFileService.isExample(bytes) else {
        throw ExitStatus.explained(
          .badInput,
          "\(path) is no example picture: use those that template export writes, or add it on the"
            + " page of the template")
      }
      files[digest] = bytes
    }
    self.files = files
  }

  func keep(at office: OfficeServer, in agency: String) throws {
    let service = OrderFileService(of: office)
    for (_, bytes) in files.sorted(by: { $0.key < $1.key }) {
      try service.keepExample(bytes, in: agency)
    }
  }
}

/// The file of a template.
private enum TemplateFile {
  /// The most bytes of a JSON file.
  static let bytesAtMost = 16 << 20

  static func json(_ path: String) throws -> JSONValue {
    let bytes: [UInt8]
    do {
      bytes = try DurableFile.read(path)
    } catch {
      // The words of a store are about a database.
      throw ExitStatus.explained(.badInput, "\(path) is not there, or cannot be read")
    }
    guard bytes.count <= bytesAtMost else {
      throw ExitStatus.explained(
        .badInput, "\(path) has \(bytes.count) bytes; at most \(bytesAtMost) are read")
    }
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw ExitStatus.explained(
        .badInput, "\(path) is neither an XLSX workbook nor JSON: \(error)")
    }
  }
}

/// A template in one line.
private enum TemplateLine {
  static func text(_ template: ItemTemplate) -> String {
    let count = template.items.items.count
    let title = template.title.map { " (\($0))" } ?? ""
    return
      "\(template.type)\(title): version \(template.version), \(count) \(count == 1 ? "item" : "items")"
  }

  static func json(
    _ template: ItemTemplate, with more: [(String, JSONValue?)] = []
  ) -> JSONValue {
    .members(
      [
        ("type", .string(template.type)), ("version", .integer(template.version)),
        ("title", template.title.map(JSONValue.string)),
        ("count", .integer(template.items.items.count)),
        ("made", .string(template.made.rfc3339)), ("by", .string(template.author)),
      ] + more)
  }
}
