import Crypto
import Evidence
import Foundation
import Geodesy
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

/// The made-up database and pictures of an EGNSS4CAP office: two agencies with data, one of them in
/// western longitudes.
///
/// | number | what |
/// | --- | --- |
/// | agencies 1, 2, 3 | admin; Agentura Západ; Açores |
/// | users 10, 11, 12 | root (role 3); jan, inspector, and olda, officer, of 2 |
/// | users 13, 14 | `joão x`, inspector of 3; another jan, of 3 |
/// | users 15, 16 | eva, inactive, MD5, of 2; nemo, without a role |
/// | tasks 17 to 20 | checked and valid; returned; new; deleted |
/// | tasks 21 to 24 | checked, undecided; of 3, provided; invalid; open |
/// | photos 101 to 110 | see `photos` |
/// | paths 201 to 204 | two whose points are mixed; deleted; without points |
/// | parcels | with a hole; in the west; crossing itself; of the first one's identifier; of none |
struct OlderOffice {
  let folder: URL
  var rows: [(table: String, columns: [String], rows: [[String?]])] = []

  var dump: DumpFile { DumpFile(path: folder.appendingPathComponent("dump.sql").path) }
  var photos: String { folder.appendingPathComponent("older-photos").path }

  static let password = "tajné heslo"
  /// The apps' own words for the times of photos 101 and 102, which the older database does not
  /// have.
  static let android = "2023-06-01T12:34:56.789+02:00"
  static let iOS = "2023-06-01 12:40:00"

  static func sha1(_ text: String) -> String {
    Digest.hexadecimal(of: Insecure.SHA1.hash(data: Array(text.utf8)))
  }

  init(_ folder: URL) throws {
    self.folder = folder
    try addPeople()
    try addTasks()
    try addPhotos()
    addTracks()
    addParcels()
    try write()
  }

  mutating func add(_ table: String, _ columns: String, _ rows: [[String?]]) {
    self.rows.append((table, columns.split(separator: " ").map(String.init), rows))
  }

  /// Changes values of a row that is there already.
  mutating func change(_ table: String, _ number: Int, _ values: [String: String?]) {
    for place in rows.indices where rows[place].table == table {
      guard let row = rows[place].rows.firstIndex(where: { $0[0] == "\(number)" }) else { continue }
      for (column, value) in values {
        guard let index = rows[place].columns.firstIndex(of: column) else { continue }
        rows[place].rows[row][index] = value
      }
    }
  }

  // MARK: rows

  private mutating func addPeople() throws {
    add(
      "pa", "id name timestamp",
      [
        ["1", "admin", "2020-01-01 00:00:00"], ["2", "Agentura Západ", "2020-01-02 00:00:00"],
        ["3", "Açores", "2020-01-03 00:00:00"],
      ])
    add(
      "user",
      "id pa_id login pswd name surname identification_number email vat active timestamp",
      [
        [
          "10", "1", "root", Self.sha1("x"), "Root", "Root", nil, nil, nil, "1",
          "2020-01-01 00:00:00",
        ],
        [
          "11", "2", "jan", Self.sha1(Self.password), "Jan", "O'Novák", "7", "jan@example.org", nil,
          "1",
          "2020-02-01 00:00:00",
        ],
        [
          "12", "2", "olda", Self.sha1("olda"), "Olda", nil, nil, nil, nil, "1",
          "2020-02-02 00:00:00",
        ],
        [
          "13", "3", "joão x", Self.sha1("acores").uppercased(), "João", "Silva", nil, nil, nil,
          "1",
          "2020-02-03 00:00:00",
        ],
        [
          "14", "3", "jan", Self.sha1("other"), nil, nil, nil, nil, nil, "1", "2020-02-04 00:00:00",
        ],
        [
          "15", "2", "eva", "5f4dcc3b5aa765d61d8327deb882cf99", "Eva", "", nil, nil, nil, "0",
          "2020-02-05 00:00:00",
        ],
        ["16", "2", "nemo", Self.sha1("n"), nil, nil, nil, nil, nil, "1", "2020-02-06 00:00:00"],
      ])
    add(
      "user_role", "id user_id role_id timestamp",
      [(10, 3), (11, 1), (11, 2), (12, 2), (13, 1), (14, 1), (15, 1)].enumerated().map {
        ["\($0 + 1)", "\($1.0)", "\($1.1)", "2020-01-01 00:00:00"]
      })
  }

  private static let taskColumns =
    "id user_id created_id type_id status name text text_returned text_reason date_created"
    + " task_due_date note timestamp flg_deleted"

  /// Returns a task's row. Dates of tasks are the console's, 11:20 in Prague in summer.
  static func task(
    _ number: Int, _ status: String, user: Int = 11, deleted: Bool = false,
    returned: String? = nil, reason: String? = nil
  ) -> [String?] {
    [
      "\(number)", "\(user)", "12", "1", status, "Task \(number)",
      "Photograph; it's \"beet\"\nwell",
      returned, reason, "2023-05-01 11:20:00", "2023-07-01 23:59:59", "done & dusted",
      "2023-06-02 08:00:00", deleted ? "1" : "0",
    ]
  }

  private mutating func addTasks() throws {
    add("task_type", "id name description", [["1", "Crop check", nil]])
    add(
      "task", Self.taskColumns,
      [
        Self.task(17, "data checked"), Self.task(18, "returned", returned: "Too dark."),
        Self.task(19, "new"), Self.task(20, "open", deleted: true), Self.task(21, "data checked"),
        Self.task(22, "data provided", user: 13),
        Self.task(23, "data checked", reason: "Not that parcel."), Self.task(24, "open"),
      ])
    add(
      "task_flag", "id task_id flag_id timestamp",
      [
        ["1", "17", "2", "2023-06-03 10:00:00"], ["2", "23", "2", "2023-06-04 10:00:00"],
        ["3", "17", "1", "2023-06-05 10:00:00"],
      ])
  }

  private static let photoColumns =
    "id user_id task_id note lat lng centroidLat altitude created photo_heading accuracy"
    + " device_platform sats_info nmea_msg nmea_distance network_info flg_checked_location path"
    + " file_name timestamp digest flg_original rotation_correction flg_deleted efkLatGpsL1 efkLngGpsL1"

  /// Returns a photo's row.
  static func photo(
    _ number: Int, user: Int? = 11, task: Int? = nil, lat: String? = "49.080000",
    lng: String? = "16.630000", created: String? = "2023-06-01 10:34:56", platform: String? = nil,
    path: String? = nil, file: String? = nil, digest: String? = nil, deleted: Bool = false,
    note: String? = nil
  ) -> [String?] {
    [
      "\(number)", user.map { "\($0)" }, task.map { "\($0)" }, note, lat, lng, "49.080001", "231.2",
      created, "123.4", "3.5", platform,
      platform == nil ? nil : "[{\"prn\":\"12_L1\",\"snr\":38.5}]",
      nil, "12.25", nil, "0", path, file, "2023-06-01 10:35:00", digest, "1", "90",
      deleted ? "1" : "0", platform == nil ? nil : "49.0801", platform == nil ? nil : "16.6301",
    ]
  }

  static func digest(_ picture: Int, _ created: String, user: Int = 11) throws -> String {
    AppDigest.make(
      pictureDigest: Digest.hexadecimal(try OfficeScene.picture(picture)), created: created,
      user: "\(user)")
  }

  private mutating func addPhotos() throws {
    add(
      "photo", Self.photoColumns,
      [
        // The file of this Android photo lies where its row says; the app's words for its time are
        // lost.
        Self.photo(
          101, task: 17, platform: "Android", path: "photos/2/11/", file: "image_101.jpeg",
          digest: try Self.digest(101, Self.android), note: "řepa & \"len\""),
        // The row of this iOS photo names no file, which lies where the older office put it.
        Self.photo(
          102, task: 17, created: "2023-06-01 10:40:00", digest: try Self.digest(102, Self.iOS)),
        // The photo has no task, and its digest is over words that nobody finds.
        Self.photo(103, digest: try Self.digest(103, "yesterday")),
        Self.photo(104, task: 17, deleted: true), Self.photo(105, task: 20),
        // The photo's file is missing.
        Self.photo(106, task: 18),
        // The photo is from the west, of the other agency.
        Self.photo(107, user: 13, task: 22, lat: "37.741249", lng: "-25.675594"),
        // The first of these is no JPEG, the second has no place, the third is of a task that does
        // not exist.
        Self.photo(108), Self.photo(109, lat: nil, lng: nil), Self.photo(110, task: 999),
      ])
    for (number, user) in [
      (101, "2/11"), (102, "2/11"), (103, "2/11"), (104, "2/11"), (105, "2/11"), (107, "3/13"),
      (109, "2/11"), (110, "2/11"),
    ] {
      try put(try OfficeScene.picture(number), at: "\(user)/image_\(number).jpeg")
    }
    try put(Array("<?php no picture".utf8), at: "2/11/image_108.jpeg")
  }

  func put(_ bytes: [UInt8], at place: String) throws {
    let file = URL(fileURLWithPath: photos).appendingPathComponent(place)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  private mutating func addTracks() {
    func path(_ number: Int, user: Int, deleted: Bool = false) -> [String?] {
      [
        "\(number)", "\(user)", "Edge \(number)", "Maker", "Model", "Android", "13",
        "2023-06-01 09:00:00", "2023-06-01 09:10:00", "1234.5", deleted ? "1" : "0",
        "2023-06-01 09:11:00",
      ]
    }
    add(
      "path",
      "id user_id name device_manufacture device_model device_platform device_version start end area"
        + " flg_deleted timestamp",
      [
        path(201, user: 11), path(202, user: 13), path(203, user: 11, deleted: true),
        path(204, user: 11),
      ])
    // Two phones have sent these points at once, and not in the order of their numbers.
    let points: [[String?]] = [
      (4, 201, "49.0803"), (1, 201, "49.0801"), (2, 202, "37.7412"), (3, 201, "49.0802"),
      (5, 202, "37.7414"), (6, 202, "37.7413"), (7, 203, "49.08"),
    ].map { number, path, latitude in
      [
        "\(number)", "\(path)", latitude, path == 202 ? "-25.6755" : "16.63",
        number == 3 ? nil : "231.25", "2.5", "2023-06-01 09:00:0\(number)", "2023-06-01 09:11:00",
      ]
    }
    add("path_point", "id path_id lat lng altitude accuracy created timestamp", points)
  }

  private mutating func addParcels() {
    add(
      "land", "id identificator pa_description wkt wgs_geometry",
      [
        [
          "1", "P-1", "Beet field", "POLYGON((1 2))",
          "[[[49.07,16.62],[49.07,16.64],[49.09,16.64],[49.09,16.62],[49.07,16.62]],"
            + "[[49.075,16.625],[49.075,16.63],[49.08,16.63],[49.075,16.625]]]",
        ],
        ["2", "P-2", nil, nil, "[[[37.74,-25.68],[37.74,-25.67],[37.75,-25.67]]]"],
        ["3", "P-3", nil, nil, "[[[49.0,16.0],[49.1,16.1],[49.1,16.0],[49.0,16.1]]]"],
        ["4", "P-1", nil, nil, "[[[37.74,-25.68],[37.74,-25.67],[37.75,-25.67]]]"],
        ["5", nil, nil, nil, "[[[37.74,-25.68],[37.74,-25.67],[37.75,-25.67]]]"],
      ])
  }

  // MARK: writing

  static func literal(_ value: String?) -> String {
    guard let value else { return "NULL" }
    if Double(value) != nil { return value }
    let escaped = value.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "'", with: "\\'").replacingOccurrences(of: "\n", with: "\\n")
      .replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\0", with: "\\0")
    return "'\(escaped)'"
  }

  /// The dump as a program writes it, with its tables in the order of their names.
  var text: String {
    var text = "-- MySQL dump 10.13  Distrib 8.0.36\n/*!50503 SET NAMES utf8mb4 */;\n"
    for (table, columns, rows) in rows.sorted(by: { $0.table < $1.table }) {
      text += "DROP TABLE IF EXISTS `\(table)`;\nCREATE TABLE `\(table)` (\n"
      text += columns.map { "  `\($0)` text" }.joined(separator: ",\n")
      text += ",\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8;\n"
      text += "LOCK TABLES `\(table)` WRITE;\n"
      let values = rows.map { "(\($0.map(Self.literal).joined(separator: ",")))" }
      if !values.isEmpty {
        text += "INSERT INTO `\(table)` VALUES \(values.joined(separator: ","));\n"
      }
      text += "UNLOCK TABLES;\n"
    }
    return text + "-- Dump completed on 2023-06-30  1:00:00\n"
  }

  func write() throws { try Data(text.utf8).write(to: URL(fileURLWithPath: dump.path)) }

  /// The options of most tests.
  var options: CarryOverOptions {
    var options = CarryOverOptions()
    options.photos = photos
    options.zone = "Europe/Prague"
    options.parcelsAgency = "agentura-zapad"
    // The cost is as low as the program takes it: hashing has tests of its own.
    options.passwordCost = PasswordHash.Cost(rounds: 1024, blockSize: 1, parallelism: 1)
    return options
  }

  /// Carries everything over, and returns the report's lines.
  @discardableResult
  func carryOver(
    to office: OfficeServer, _ options: CarryOverOptions? = nil,
    progress: @escaping (CarryOverProgress) throws -> Void = { _ in }
  ) async throws -> (summary: CarryOverSummary, lines: [CarryOverLine]) {
    var lines: [CarryOverLine] = []
    let service = try #require(office.services.first as? PredecessorService)
    let carryOver = CarryOver(
      office, service, options ?? self.options, by: "terminal", progress: progress
    ) { lines.append($0) }
    let summary = try await carryOver.run(dump)
    return (summary, lines)
  }
}

extension OfficeServer {
  /// Returns the note about a thing that was carried over; nil if it was not.
  func carried(
    _ kind: CarriedOver.Kind, _ number: Int64, in agency: String = "agentura-zapad"
  ) async throws -> CarriedOver? {
    try await database.read(in: agency) {
      try $0.phones.carriedOver(kind, number: number, source: "EGNSS4CAP")
    }
  }

  /// Returns the identifier of a task, photo or track that was carried over.
  func carriedIdentifier(
    _ kind: CarriedOver.Kind, _ number: Int64, in agency: String = "agentura-zapad"
  ) async throws -> Identifier {
    let carried = try #require(try await carried(kind, number, in: agency))
    return try #require(Identifier(carried.subject))
  }
}
