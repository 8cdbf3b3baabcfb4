import ArgumentParser
import FieldUnit
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import TimeAndText

/// The format of results.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

/// Values that the command line does not give: the environment (`STANDPOINT_NAME`) comes first,
/// then the configuration file's lines `name = value`.
enum Fallback {
  static func value(_ name: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    if let value = environment["STANDPOINT_\(name.uppercased())"], !value.isEmpty { return value }
    let folder = environment["XDG_CONFIG_HOME"] ?? "\(NSHomeDirectory())/.config"
    guard
      let text = try? String(contentsOfFile: "\(folder)/standpoint/config", encoding: .utf8)
    else { return nil }
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if parts.count == 2, parts[0] == name { return parts[1] }
    }
    return nil
  }
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
  @Option(help: "How results are written: text for people, json for programs.")
  var format: OutputFormat?

  var isJSON: Bool {
    (format ?? Fallback.value("format").flatMap(OutputFormat.init(rawValue:))) == .json
  }
}

/// The options of commands that work on the field unit's data.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The data directory (default: ~/.local/share/standpoint; STANDPOINT_DATA).",
      valueName: "dir"))
  var data: String?

  @Option(help: ArgumentHelp("The agency, if nobody is signed in.", visibility: .hidden))
  var agency: String?

  @Option(help: ArgumentHelp("The inspector, if nobody is signed in.", visibility: .hidden))
  var inspector: String?

  var directory: URL { Self.directory(data) }

  static func directory(_ data: String?) -> URL {
    if let path = data ?? Fallback.value("data") {
      return URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
    }
    let base =
      ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? "\(NSHomeDirectory())/.local/share"
    return URL(fileURLWithPath: base).appendingPathComponent("standpoint")
  }

  /// Returns the person whom the command line, the environment or the configuration file names; if
  /// none of them names one, the person who is signed in, or else `inspector` of the agency `local`.
  func person() throws -> Person {
    let agency = agency ?? Fallback.value("agency")
    let login = inspector ?? Fallback.value("inspector")
    if agency == nil, login == nil,
      let signedIn = try desk(clock: MachineClock()).signedIn()
    {
      return signedIn.person
    }
    return Person(agency: agency ?? "local", login: login ?? "inspector", role: .inspector)
  }

  func desk(clock: any Timepiece) throws -> SignInDesk {
    try SignInDesk(
      dataDirectory: directory, software: "standpoint \(Program.version)", clock: clock)
  }

  func configuration() throws -> FieldUnitConfiguration {
    FieldUnitConfiguration(
      dataDirectory: directory, person: try person(), software: "standpoint \(Program.version)")
  }

  func unit(clock: any Timepiece = MachineClock()) throws -> InspectorUnit {
    try InspectorUnit.make(configuration: try configuration(), clock: clock)
  }
}

/// The options of commands that listen to a receiver.
struct SourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The receiver: gpsd://HOST:PORT[/DEVICE], tcp://HOST:PORT, serial:///dev/ttyACM0?baud=115200, \
      bluetooth://AA:BB:CC:DD:EE:FF[/CHANNEL][?adapter=hci0], or file:///PATH?rate=1|max (default: \
      STANDPOINT_GNSS, then the one chosen with gnss use, then gpsd://localhost:2947).
      """, valueName: "source"))
  var gnss: String?

  @Flag(help: "Accept simulated positions; the records say that they are simulated.")
  var allowSimulated = false

  static let defaultSource = "gpsd://localhost:2947"

  /// Returns the source, and the clock that belongs to it: a replay runs under its log's own clock.
  func prepared(
    in dataDirectory: URL
  ) throws -> (source: ReceiverSource, clock: any Timepiece, log: LogTimeline?) {
    try Self.prepared(gnss, in: dataDirectory)
  }

  /// Returns the source that is named; otherwise that of the environment or the configuration file,
  /// otherwise the remembered one, otherwise `defaultSource`.
  static func prepared(
    _ named: String?, in dataDirectory: URL
  ) throws -> (source: ReceiverSource, clock: any Timepiece, log: LogTimeline?) {
    let source: ReceiverSource
    if let text = named ?? Fallback.value("gnss") {
      source = try ReceiverSource(text)
    } else {
      source =
        try ChosenReceiver.source(in: dataDirectory) ?? ReceiverSource(defaultSource)
    }
    guard case .file(let path, let rate) = source else { return (source, MachineClock(), nil) }
    let log = try LogFile.timeline(path: path)
    let today = MachineClock().deviceTime
    let first = log.firstTime.map { $0.date == nil ? $0.on(today.date) : $0 }
    let start =
      first?.millisecondsSince1970.map(DeviceTime.init(millisecondsSince1970:)) ?? today
    return (source, ReplayClock(start: start, rate: rate), log)
  }
}
