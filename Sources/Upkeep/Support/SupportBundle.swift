import Evidence
import FieldUnit
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TimeAndText

/// The information for support in one ZIP: the program, the machine, the settings, the outbox, and
/// the last lines of the log. Keys, passwords, tokens, photos, positions and names of people are
/// not in it.
public struct SupportBundle: Sendable {
  /// One file of the bundle.
  public struct Part: Hashable, Sendable {
    /// The file's name in the ZIP.
    public let path: String
    /// The file's whole text, in English.
    public let text: String
  }

  /// Every file but the README, in reading order.
  public let parts: [Part]
  /// The time at which the bundle was made.
  public let made: DeviceTime
  private let secrets: SupportSecrets

  /// Makes a bundle; a part that cannot be read says so in its place.
  /// - Parameters:
  ///   - office: the address of the office with which the program was started; nil for none.
  ///   - camera: the source of pictures; nil for the pages' own camera.
  ///   - receiver: the lines about the receiver.
  ///   - delivery: the result of the last try to reach the office, in words; nil if there is none.
  public init(
    configuration: FieldUnitConfiguration, clock: any Timepiece, office: String?, camera: Camera?,
    receiver: [String], delivery: String?
  ) {
    let folder = DataFolder(dataDirectory: configuration.dataDirectory)
    let known = Known(folder.database)
    let (store, signIn) = (known.store, known.signIn)
    let secrets = SupportSecrets(
      dataDirectory: configuration.dataDirectory, people: known.people)
    let made = clock.deviceTime
    let (new, old) = FieldLog.paths(in: folder.log)
    var parts = [
      Part(path: "program.txt", text: Self.program(configuration, made)),
      Part(
        path: "settings.txt",
        text: Self.settings(configuration, office: office, camera: camera, store, signIn?.person)),
      Part(path: "receiver.txt", text: receiver.joined(separator: "\n")),
      Part(path: "storage.txt", text: Self.storage(configuration.dataDirectory)),
      Part(path: "work.txt", text: Self.work(store, signIn?.person, delivery)),
    ]
    for path in [old, new] {
      guard let bytes = try? DurableFile.read(path) else { continue }
      let name = path.hasSuffix(".1") ? "log/field-before.log" : "log/field.log"
      let text =
        known.trouble.map {
          "left out: the database cannot be read, so nobody's name can be taken out: \($0)\n"
            + "It lies in field/log of the data directory; look through it before you hand it on."
        } ?? String(decoding: bytes, as: UTF8.self)
      parts.append(Part(path: name, text: text))
    }
    self.parts = parts.map { part in
      let lines = part.text.split(separator: "\n", omittingEmptySubsequences: false)
      let text = lines.map { secrets.redacted(String($0)) }.joined(separator: "\n")
      // A bundle with a gap is still of use, but a leaked key cannot be taken back.
      return Part(
        path: part.path,
        text: secrets.isLeaked(in: Array(text.utf8)) ? "left out: it held a secret" : text)
    }
    self.made = made
    self.secrets = secrets
  }

  /// The people whom the database knows; nothing is known if it cannot be read.
  private struct Known {
    var store: FieldStore?
    var signIn: SignIn?
    var people: [SupportSecrets.Somebody]?
    /// The reason why the database cannot be read; nil if it can.
    var trouble: String?

    init(_ path: String) {
      do {
        let opened = try FieldStore(path: path)
        signIn = try opened.signedIn()
        people = try opened.everybody()
        store = opened
      } catch {
        (signIn, people, trouble) = (nil, nil, "\(error)")
      }
    }
  }

  /// Writes the ZIP, whole or not at all.
  /// - Throws: `EvidenceError.unwritable`.
  public func write(to path: String) throws {
    try Bundle.write(
      parts.map { Bundle.Entry(path: $0.path, content: .bytes(Array(($0.text + "\n").utf8))) },
      made: made, toFile: path, readme: readme)
  }

  /// Returns the ZIP's bytes.
  /// - Parameter folder: the folder in which the ZIP is made and removed again.
  /// - Throws: `EvidenceError` or `StoreError` if it cannot be written there.
  package func bytes(in folder: String) throws -> [UInt8] {
    try DurableFile.makeFolder(folder)
    let path = "\(folder)/support-\(UUID().uuidString).zip"
    defer { try? DurableFile.remove(path) }
    try write(to: path)
    return try DurableFile.read(path)
  }

  private var readme: String {
    """
    A support bundle of a Standpoint field unit, made \(made.rfc3339).

    \(parts.map(\.path).joined(separator: "\n"))

    It holds no key, password, session token, photo, track, position or name of a person. Where the
    program's words held one, [secret], [long] or [name] stands in its place, and ~ for the home folder.
    Look through it before you hand it on.

    """
  }

  // MARK: parts

  private static func program(_ configuration: FieldUnitConfiguration, _ made: DeviceTime) -> String
  {
    let machine = MachineDescription.current
    return """
      program: \(configuration.software)
      made: \(made.rfc3339)
      device: \(machine.model ?? "not said")
      system: \(machine.system)
      architecture: \(machine.architecture ?? "not known")
      demonstration: \(configuration.isDemonstration ? "yes" : "no")
      """
  }

  private static func settings(
    _ configuration: FieldUnitConfiguration, office: String?, camera: Camera?,
    _ store: FieldStore?, _ person: Person?
  ) -> String {
    let selected: String
    let hasCertificate: Bool
    do {
      let chosen = try ChosenOffice.read(in: configuration.dataDirectory)
      selected = (chosen?.address).map(SupportSecrets.withoutCredentials) ?? "none"
      hasCertificate = chosen?.certificate != nil
    } catch {
      (selected, hasCertificate) = ("\(error)", false)
    }
    let remembered =
      (try? ChosenReceiver.source(in: configuration.dataDirectory)).flatMap(\.self)
    let pictures =
      switch camera {
      // Further words of the command may hold anything, even a secret.
      case .command(let words): "the command \(words.first ?? "")"
      case .imported: "a file"
      case .drawn: "drawn by the program"
      case .page, nil: "no command was given"
      }
    var lines = [
      "default office: \(office.map(SupportSecrets.withoutCredentials) ?? "none")",
      "selected office: \(selected)", "its own certificate: \(hasCertificate ? "yes" : "no")",
      "remembered receiver: \(remembered?.description ?? "none")", "camera: \(pictures)",
    ]
    let (gate, sampler) = (configuration.gate, configuration.sampler)
    lines += [
      "gate: window \(gate.windowSeconds) s, speed \(gate.speedLimitMetresPerSecond) m/s,"
        + " age \(gate.maximumAgeSeconds) s, uncertainty \(gate.maximumUncertaintyMetres95) m,"
        + " dilution \(gate.maximumDilution), simulated \(gate.allowsSimulated ? "yes" : "no")",
      "samples: \(sampler.samples) by \(sampler.method.rawValue)",
      "countdown: \(configuration.countdownSeconds) s",
    ]
    if let store, let person {
      do {
        let (policy, settings) = try store.read(as: person) {
          (try $0.settings.policy(), try InspectorUnit.settings($0))
        }
        lines += FieldSetting.allCases.compactMap { setting in
          settings[own: setting].map { _ in
            "\(setting.rawValue): \(settings.shownText(setting))"
          }
        }
        lines.append(
          "agency's policy: \(policy.map { "revision \($0.policy.revision)" } ?? "none")")
      } catch {
        lines.append("settings and policy cannot be read: \(error)")
      }
    } else {
      lines.append("signed in: nobody, or the database cannot be read")
    }
    return lines.joined(separator: "\n")
  }

  private static func storage(_ dataDirectory: URL) -> String {
    let free = PhotoRoom.freeBytes(at: dataDirectory.path).map { "\($0) bytes" } ?? "not known"
    let sizes = DataSizes(dataDirectory: dataDirectory)
    return
      (["data directory: \(dataDirectory.path)", "free on its disk: \(free)"]
      + sizes.folders.map { "\($0.name): \($0.files) files, \($0.bytes) bytes" })
      .joined(separator: "\n")
  }

  private static func work(
    _ store: FieldStore?, _ person: Person?, _ delivery: String?
  ) -> String {
    guard let store else { return "the database cannot be read" }
    var lines = ["last delivery: \(delivery ?? "not said")"]
    guard let person else { return (lines + ["nobody is signed in"]).joined(separator: "\n") }
    do {
      let (figures, outbox) = try store.read(as: person) {
        (try $0.figures(), try $0.outbox.list())
      }
      lines += [
        "open tasks: \(figures.openTasks)", "photos: \(figures.photos)",
        "waiting: \(figures.waiting)",
      ]
      lines += outbox.prefix(500).map { entry in
        "\(entry.id) \(entry.kind.rawValue), \(entry.bytes) bytes, \(entry.attempts) tries"
          + (entry.nextAttempt.map { ", next \($0.rfc3339)" } ?? "")
          + (entry.lastAnswer.map { ": \(FieldLog.line($0))" } ?? "")
      }
    } catch {
      lines.append("it cannot be read: \(error)")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the lines about a receiver that is followed, without its positions.
  package static func lines(of follower: ReceiverFollower, _ clock: any Timepiece) async -> [String]
  {
    let (counts, state) = (await follower.counts, await follower.state)
    let capability = await follower.capability
    var lines = [
      "receiver: \(follower.source)", "state: \(state.wording)",
      "heard: \(counts.sentences) sentences, \(counts.gpsdMessages) of gpsd,"
        + " \(counts.badChecksums) damaged, \(counts.missingChecksums) without checksum,"
        + " \(counts.overlong) too long, \(counts.otherBytes) other bytes,"
        + " \(counts.backwardEpochs) backward",
      "constellations: \(capability.constellations.map(\.name).joined(separator: ", "))",
      "dual frequency: \(capability.isDualFrequency.map { $0 ? "yes" : "no" } ?? "not said")",
    ]
    if let judged = await follower.lastFix {
      let fix = judged.fix
      lines += [
        "last fix: \(fix.mode.name), \(fix.quality?.name ?? "quality not said"),"
          + " ± \(fix.horizontalUncertaintyMetres95.map { "\($0)" } ?? "?") m,"
          + " \(fix.satellitesUsed.map { "\($0)" } ?? "?") satellites,"
          + " \(clock.elapsed.seconds(since: judged.arrival)) s ago",
        "its time: \(fix.time.rfc3339 ?? fix.time.timeOfDay), this device's clock:"
          + " \(clock.deviceTime.rfc3339)",
        "gate: \(judged.verdict.state.rawValue)"
          + judged.verdict.reasons.map { ", \($0.code)" }.joined(),
      ]
    } else {
      lines.append("no fix so far")
    }
    return lines
  }
}
