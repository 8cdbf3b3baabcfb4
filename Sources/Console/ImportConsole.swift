import Evidence
import Foundation
import Imports
import Inspection
import NIOPosix
import Office
import Positioning
import Sync
import TimeAndText
import Web

/// The import of tasks and parcels from a file, which is the body itself. The file is only
/// previewed, or taken as a whole or not at all.
struct ImportConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    for kind in ImportReport.Kind.allCases {
      routes.post("\(Self.path)/imports/\(kind.rawValue)", machine: true) { request in
        try await asking(request, kind.importers, query: ["preview"]) { try await take(kind, $0) }
      }
    }
  }

  private func take(_ kind: ImportReport.Kind, _ asker: Asker) async throws -> WebResponse {
    let isPreview = try asker.query.flag("preview")
    let report = try await read(kind, asker, isCarriedOut: !isPreview)
    let message = ConsoleImport(report)
    guard !isPreview, !report.isTaken else { return try json(message) }
    var problem = OfficeRefusal(
      .importFaulty,
      "\(report.faultCount) rows or features are wrong, and nothing was imported: correct them,"
        + " then send the file again. The report says which line is wrong, and why"
    ).problem
    problem.rawMembers["report"] = try WireJSON.bytes(message)
    throw problem
  }

  private func read(
    _ kind: ImportReport.Kind, _ asker: Asker, isCarriedOut: Bool
  ) async throws -> ImportReport {
    let format = try Self.format(of: asker.request)
    let (office, request) = (office, asker.request)
    let (agency, login) = (asker.agency, asker.login)
    let limit = office.configuration.maximumImportBytes
    do {
      return try await ImportShelf(office.imports).lending(
        agency: agency,
        { body in
          try await request.stream(limit: limit) { try body($0) }
          return true
        },
        { path, digest in
          if let named = Digest.base64(ofHexadecimal: digest) {
            try office.requests.requireNamedDigest(named, of: request)
          }
          return try await ImportShelf.reading.runInTurn {
            try await office.imports.importFile(
              ImportedFile(path: path, format: format), of: kind, in: agency, by: login,
              isCarriedOut: isCarriedOut, expected: digest)
          }
        })
    } catch WebProblem.tooLarge {
      throw OfficeRefusal(
        .fileTooLarge,
        "the file has more than \(limit >> 20) MB: divide it, or use the command standpoint office"
          + " \(kind == .tasks ? "task" : "parcel") import on the office's machine")
    }
  }

  /// Returns the format that the Content-Type of the body names.
  private static func format(of request: WebRequest) throws -> ImportFormat {
    let parts = (request.header("Content-Type") ?? "").lowercased().split(separator: ";")
      .map { $0.filter { $0 != " " && $0 != "\"" } }
    // Files are read as UTF-8: the names in a file of another encoding would come out wrong.
    let isUTF8 = parts.dropFirst().allSatisfy {
      !$0.hasPrefix("charset=") || $0 == "charset=utf-8"
    }
    switch parts.first {
    case "application/geo+json" where isUTF8, "application/json" where isUTF8: return .geojson
    case "text/csv" where isUTF8: return .csv
    default: throw WebProblem.unsupportedMediaType
    }
  }
}
