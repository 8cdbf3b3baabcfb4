import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync

/// What somebody needs who is asked for help, in one ZIP: the program, the machine, the settings, what
/// waits, and the last lines of the log. Keys, passwords, tokens, photos, positions and names of people
/// stay where they are.
public struct SupportBundle: Sendable {
  /// One file of it.
  public struct Part: Hashable, Sendable {
    /// Its name in the ZIP.
    public let path: String
    /// All that it says, in English.
    public let text: String
  }

  /// Every file but the README, in the order in which they are read.
  public let parts: [Part]
  /// When it was put together.
  public let made: DeviceTime
  private let secrets: SupportSecrets

  /// Puts it together; what cannot be read is said in its place.
  /// - Parameters:
  ///   - office: the address that the program was started with; nil for none.
  ///   - camera: what takes pictures; nil for the pages' own camera.
  ///   - receiver: what is to be said of the receiver, line by line.
  ///   - delivery: what came of the last try to reach the office.
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
      // A bundle with a hole in it is of use; one with a key in it is not to be mended any more.
      return Part(
        path: part.path,
        text: secrets.isLeaked(in: Array(text.utf8)) ? "left out: it held a secret" : text)
    }
    self.made = made
    self.secrets = secrets
  }

  /// What the database says of people, where it can be read.
  private struct Known {
    var store: FieldStore?
    var signIn: SignIn?
    var people: [SupportSecrets.Somebody]?
    /// Why it cannot be read; nil where it can.
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

  /// Writes the ZIP: whole, or not at all.
  /// - Throws: `EvidenceError.unwritable`.
  public func write(to path: String) throws {
    try Bundle.write(
      parts.map { Bundle.Entry(path: $0.path, content: .bytes(Array(($0.text + "\n").utf8))) },
      made: made, toFile: path, readme: readme)
  }

  /// The ZIP's bytes.
  /// - Parameter folder: where it is put together.
  /// - Throws: `EvidenceError` or `StoreError` when it cannot be written there.
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
    let chosen = ChosenOffice.read(in: configuration.dataDirectory)
    let remembered =
      (try? ChosenReceiver.source(in: configuration.dataDirectory)).flatMap(\.self)
    let pictures =
      switch camera {
      // Its further words may hold anything.
      case .command(let words): "the command \(words.first ?? "")"
      case .imported: "a file"
      case .drawn: "drawn by the program"
      case .page, nil: "no command was given"
      }
    var lines = [
      "default office: \(office.map(SupportSecrets.withoutCredentials) ?? "none")",
      "selected office: \((chosen?.address).map(SupportSecrets.withoutCredentials) ?? "none")",
      "its own certificate: \(chosen?.certificate == nil ? "no" : "yes")",
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
          (try $0.policy(), try InspectorUnit.settings($0))
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
      let (figures, outbox) = try store.read(as: person) { (try $0.figures(), try $0.outbox()) }
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

  /// What is to be said of a receiver that is followed; its positions are not.
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

extension FieldServer {
  /// What would be in the bundle just now.
  package func supportBundle() async -> SupportBundle {
    let status: DeliveryStatus
    do {
      status = try deliveryStatus
    } catch {
      status = DeliveryStatus(wording: "it cannot be read who is signed in: \(error)")
    }
    let receiver =
      if let follower { await SupportBundle.lines(of: follower, clock) } else { ["no receiver"] }
    return SupportBundle(
      configuration: configuration, clock: clock, office: defaultOffice, camera: camera,
      receiver: receiver,
      delivery: status.words.map { "\(status.time?.rfc3339 ?? "") \($0)" })
  }
}
