import ArgumentParser
import Foundation

/// The executable: arguments in, one call, an exit status out.
@main
struct Program: AsyncParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "standpoint",
    abstract: "GNSS-geotagged field inspection whose photos anyone can check.",
    discussion: """
      An inspector stands still at a place, the receiver's own data prove where that is, a photo
      is taken for a task, and both are sealed.

      Try it:     standpoint demo
      Work:       standpoint office, standpoint field, and their pages in a browser
      Look first: standpoint gnss gate walk.nmea
      Then:       standpoint task import tasks.geojson
                  standpoint capture --task ID --camera 'rpicam-still -o {file}'
                  standpoint verify ~/.local/share/standpoint

      Exit status: 0 done, 1 a rule said no, 2 bad arguments or unreadable input,
      3 something is not available (receiver, database, port, disk).
      """,
    version: version,
    subcommands: [
      DemoCommand.self, FieldCommand.self, OfficeCommand.self, LoginCommand.self,
      LogoutCommand.self, DeliverCommand.self, GNSSCommand.self, TaskCommand.self,
      CaptureCommand.self,
      PhotoCommand.self, PointCommand.self, ComposeCommand.self, AroundCommand.self,
      TrackCommand.self,
      OutboxCommand.self, ReconcileCommand.self,
      MapsCommand.self,
      SettingsCommand.self, KeyCommand.self, StatusCommand.self, BackupCommand.self,
      RestoreCommand.self,
      SupportCommand.self,
      ExportCommand.self, VerifyCommand.self, DemoPictureCommand.self, MeasureCommand.self,
      MatchPicturesCommand.self, TokenWorkerCommand.self,
    ])

  static func main() async {
    // A reader that went away (`| head`) ends the program quietly instead of killing it.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let status as ExitStatus {
      Foundation.exit(status.rawValue)
    } catch {
      if let status = ExitStatus(of: error) {
        Terminal.complain("standpoint: \(error)")
        Foundation.exit(status.rawValue)
      }
      let code = exitCode(for: error)
      guard code == .success else {
        Terminal.complain(fullMessage(for: error))
        Foundation.exit(ExitStatus.badInput.rawValue)
      }
      // --help and --version are answers, not errors.
      Terminal.say(fullMessage(for: error))
    }
  }
}
