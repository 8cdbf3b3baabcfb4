import Foundation
import TestSupport
import Testing

/// Tests of carrying over an EGNSS4CAP office's data from a terminal.
@Suite("An older office from a terminal")
struct OlderOfficeTests {
  /// The files of the older office, and the data of this one.
  private struct Scene {
    let folder: URL
    var data: URL { folder.appendingPathComponent("data") }
    let zone = "--zone=Europe/Prague"
    var photos: String { "--photos=\(folder.path)/photos" }

    /// A dump as mariadb-dump writes it, with two photos of a task, one of them without a picture.
    static let dump = """
      /*M!999999\\- enable the sandbox mode */\u{20}
      -- MariaDB dump 10.19  Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)
      /*!40101 SET NAMES utf8mb4 */;
      CREATE TABLE `pa` (
        `id` int(11) NOT NULL AUTO_INCREMENT,
        `name` varchar(100) DEFAULT NULL,
        PRIMARY KEY (`id`)
      ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3;
      INSERT INTO `pa` VALUES
      (2,'Agentura Západ');
      CREATE TABLE `user` (
        `id` int(11) NOT NULL, `pa_id` int(11) NOT NULL, `login` varchar(50), `pswd` varchar(50),
        `name` varchar(45), `surname` varchar(45), `active` tinyint(1) DEFAULT 1);
      INSERT INTO `user` VALUES
      (11,2,'jan','7c4a8d09ca3762af61e59520943dc26494f8941b','Jan','O\\'Novák',1);
      CREATE TABLE `user_role` (`id` int(11) NOT NULL, `user_id` int(11), `role_id` int(11));
      INSERT INTO `user_role` VALUES (1,11,1);
      CREATE TABLE `task` (
        `id` int(11) NOT NULL, `user_id` int(11), `name` text, `date_created` datetime,
        `status` enum('new','open','data provided','data checked','returned') NOT NULL,
        `flg_deleted` tinyint(1) DEFAULT 0);
      INSERT INTO `task` VALUES (17,11,'Řepa','2023-05-01 11:20:00','open',0);
      CREATE TABLE `photo` (
        `id` int(11) NOT NULL, `user_id` int(11), `task_id` int(11), `lat` float(10,6), `lng` float(10,6),
        `created` datetime);
      INSERT INTO `photo` VALUES
      (101,11,17,49.080002,16.629999,'2023-06-01 10:34:56'),
      (102,11,17,49.080002,16.629999,'2023-06-01 10:35:56');
      -- Dump completed on 2023-06-30  1:00:00

      """

    func carryOver(_ file: String, _ more: [String]) async throws -> Program.Outcome {
      try await run(["import-egnss4cap", folder.appendingPathComponent(file).path] + more)
    }

    func run(_ arguments: [String]) async throws -> Program.Outcome {
      try await Program.run(
        Program.standpoint, ["office"] + arguments,
        environment: [
          "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "STANDPOINT_DATA": data.path,
        ])
    }

    /// Writes the dump, a dump that is cut off, a file that is no dump, and the folder of pictures.
    init(_ folder: URL) throws {
      self.folder = folder
      let pictures = folder.appendingPathComponent("photos/2/11")
      try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
      let drawn = Repository.root.appendingPathComponent("Examples/phones/pictures/1.jpg")
      try FileManager.default.copyItem(
        at: drawn, to: pictures.appendingPathComponent("image_101.jpeg"))
      let bytes = Data(Self.dump.utf8)
      try bytes.write(to: folder.appendingPathComponent("dump.sql"))
      try bytes.prefix(bytes.count / 2).write(to: folder.appendingPathComponent("cut.sql"))
      try Data("<?php".utf8).write(to: folder.appendingPathComponent("page.sql"))
    }
  }

  @Test("it is looked at, carried over with what was lost told of, and once more brings nothing")
  func carriedOver() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try Scene(folder)
      let look = try await scene.carryOver(
        "dump.sql", [scene.photos, scene.zone, "--check"])
      #expect(look.status == 1 && look.output.contains("nothing was written (--check)"))
      #expect(try await scene.run(["user", "list"]).output == "")

      let report = folder.appendingPathComponent("report.csv").path
      let first = try await scene.carryOver(
        "dump.sql", [scene.photos, scene.zone, "--report", report])
      #expect(first.status == 1 && first.errors == "", "\(first.errors)")
      #expect(first.output.contains("agency 2, Agentura Západ: agentura-zapad here, new"))
      let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\r\n")
      #expect(lines.count == 2 && lines.last?.hasPrefix("photo,102,left,picture-missing,") == true)
      #expect(lines.last?.contains("there is no 2/11/image_102.jpeg in the folder") == true)
      #expect(
        try await scene.run(["user", "list"]).output
          == "jan  inspector  agentura-zapad  Jan O'Novák\n")

      let again = try await scene.carryOver(
        "dump.sql", [scene.photos, scene.zone, "--format", "json"])
      #expect(again.status == 1 && again.output.contains("\"photos\":{\"carried\":0"))
      #expect(try await scene.run(["check"]).status == 0)
      // A run that carries nothing over leaves the report of the run before.
      let nothing = try await scene.carryOver(
        "cut.sql", [scene.photos, scene.zone, "--report", report])
      #expect(nothing.status == 2)
      #expect(
        try String(contentsOfFile: report, encoding: .utf8).split(separator: "\r\n") == lines)
    }
  }

  @Test(
    "what has to be decided first, and what is no dump, is said in a line; nothing is there then")
  func refused() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try Scene(folder)
      for (file, more, words) in [
        ("dump.sql", [scene.photos], "--zone Europe/Prague"),
        ("dump.sql", [scene.zone], "--photos"),
        ("dump.sql", [scene.photos, "--zone=Mars"], "not a time zone"),
        ("dump.sql", ["--photos=\(folder.path)/none", scene.zone], "cannot be read"),
        ("dump.sql", [scene.photos, scene.zone, "--join=2=nobody"], "nobody"),
        ("cut.sql", [scene.photos, scene.zone], "it was cut off"),
        ("page.sql", [scene.photos, scene.zone], "\"<\" begins no statement"),
        ("none.sql", [scene.photos, scene.zone], "none.sql cannot be read"),
      ] {
        let answer = try await scene.carryOver(file, more)
        #expect(answer.status == 2 && answer.output == "", "\(file) \(more)")
        #expect(answer.errors.contains(words), "\(file) \(more): \(answer.errors)")
      }
      #expect(try await scene.run(["agency", "list"]).output == "")
      #expect(try await scene.run(["user", "list"]).output == "")
    }
  }
}
