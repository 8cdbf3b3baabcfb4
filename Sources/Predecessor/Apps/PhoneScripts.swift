import Foundation
import Inspection
import NIOPosix
import Office
import Store
import Sync
import TimeAndText
import Web

/// The web service for the EGNSS4CAP and EGNSS4ALL apps, on top of the office's own tasks, photos
/// and tracks.
///
/// The apps are in thousands of pockets and will not change, so the names, order, types, sentences,
/// dates and zones of the answers are those of the predecessor, which had these eleven scripts. If
/// the predecessor lost something and said "ok", this service says what is true; docs/egnss4cap.md
/// lists these cases.
struct PhoneScripts: Sendable {
  let office: OfficeServer
  let service: PredecessorService
  var desk: PhoneDesk { service.desk }

  static let mediaType = "application/json; charset=utf-8"

  /// The predecessor's eleven scripts.
  enum Script: String, CaseIterable {
    case login, tasks, photo, update, status, path, unassigned, shapes
    case getPaths = "get_paths"
    case getPhoto = "get_photo"
    case taskPhotos = "task_photos"

    init?(fileName: String) {
      guard fileName.hasPrefix("comm_"), fileName.hasSuffix(".php") else { return nil }
      self.init(rawValue: String(fileName.dropFirst(5).dropLast(4)))
    }

    /// Creates the script that an address ends with; nil if it ends with none.
    init?(path: String) {
      guard let name = path.split(separator: "/").last else { return nil }
      self.init(fileName: String(name))
    }

    var fileName: String { "comm_\(rawValue).php" }

    /// The field that the iOS app sends last, with text that its user has typed; nil if the script
    /// has none.
    var lastField: String? {
      switch self {
      case .status, .update: "note"
      default: nil
      }
    }
  }

  private static let folders: Set = ["ws", "egnss4allservices"]

  /// Adds the routes of both apps' folders, below the agency's secret part of the address or at the
  /// root. Slashes may be double, because a server's name that ends with a slash makes them so.
  func add(to routes: inout Routes) {
    for secret in ["", "/{service}"] {
      for folder in Self.folders.sorted() {
        for (before, behind) in [("/", "/"), ("//", "/"), ("/", "//")] {
          routes.program(
            "\(secret)\(before)\(folder)\(behind){script}",
            refusing: Self.refusal
          ) { await answer($0, Script(fileName: $0.parameters["script"] ?? "")) }
        }
      }
    }
    // EGNSS4ALL on iOS puts no folder before a script. Each script gets its own route, because
    // other addresses of two parts are no phone's.
    for script in Script.allCases {
      for slashes in ["/", "//"] {
        routes.program(
          "/{service}\(slashes)\(script.fileName)",
          refusing: Self.refusal
        ) { await answer($0, script) }
      }
    }
    Self.hideAddresses(in: &routes) { _, path in
      .phone(PhoneRefusal.unknownService, to: Script(path: path))
    }
  }

  /// Keeps mistyped addresses for phones out of the logs, and answers them with `refusal`. A
  /// mistyped address belongs to no agency, but its secret part may be right. So may that of phones
  /// which do not know yet that they are no longer served.
  /// - Parameter refusal: nil to answer such an address as any other one.
  static func hideAddresses(in routes: inout Routes, refusing refusal: Routes.Refusal? = nil) {
    routes.strayPrograms(
      folders: folders, filePrefix: "comm_", pattern: "/{service}/…", refusing: refusal)
  }

  /// The answer to a request that is refused before it reaches a script.
  private static let refusal: Routes.Refusal = { problem, path in
    .phone(PhoneRefusal(problem.detail), to: Script(path: path))
  }

  /// Answers a request, whatever happens, with JSON that a phone can read and that tells nothing of
  /// the office's internals.
  private func answer(_ request: WebRequest, _ script: Script?) async -> WebResponse {
    let response = await outcome(of: request, script)
    // After an early answer with status 200 the apps send on, and take the end of the connection
    // for a fault: the rest of the body is read and thrown away.
    await request.discardBody(bytesAtMost: Self.unwantedBytesAtMost)
    return response
  }

  private func outcome(of request: WebRequest, _ script: Script?) async -> WebResponse {
    do {
      guard let script else { throw PhoneRefusal.unknownScript }
      let caller = try await caller(of: request)
      return try await answer(script, request, caller)
    } catch {
      return .phone(refusal(of: error, request), to: script)
    }
  }

  private func refusal(of error: any Error, _ request: WebRequest) -> PhoneRefusal {
    switch error {
    case let refusal as PhoneRefusal: return refusal
    case let problem as WebProblem where problem == .tooLarge: return .tooLarge
    // Mostly a body that broke off: the phone is no longer there to get the answer.
    case let problem as WebProblem: return PhoneRefusal(problem.problem.detail)
    case is CancellationError:
      return PhoneRefusal("the office is being stopped: try again later")
    default:
      let refusal = OfficeRefusal(of: error)
      guard let refusal, refusal.kind != .storeUnavailable else {
        office.configuration.log("phones: \(error) (request \(request.id))")
        return PhoneRefusal("the office cannot use its storage: try again later")
      }
      return PhoneRefusal(refusal.detail)
    }
  }

  private func answer(
    _ script: Script, _ request: WebRequest, _ caller: PhoneCaller
  ) async throws -> WebResponse {
    switch script {
    case .login: return .phone(try await login(request, caller))
    case .photo: return .phone(try await photo(request, caller))
    case .update: return .phone(try await update(request, caller))
    case .path: return .phone(try await path(request, caller))
    case .getPaths: return try await paths(try await form(script, request), caller)
    case .getPhoto:
      let form = try await form(script, request)
      return try await working { try await getPhoto(form, caller, request) }
    case .taskPhotos:
      let form = try await form(script, request)
      return try await desk.turns.holding("task photos") {
        try await working { try await taskPhotos(form, caller, request) }
      }
    case .tasks, .status, .unassigned, .shapes:
      let form = try await form(script, request)
      return .phone(
        try await working {
          switch script {
          case .tasks: try await tasks(form, caller)
          case .status: try await status(form, caller)
          case .unassigned: try await unassigned(form, caller)
          default: try await shapes(form, caller)
          }
        })
    }
  }

  /// Does work that waits for disk and database, on the threads that are kept for it.
  func working<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await PhoneDesk.threads.runInTurn(body)
  }

  /// The most bytes of a rest of a body that are thrown away, more than any of the apps sends:
  /// beyond them the connection is closed.
  private static let unwantedBytesAtMost = 64 << 20
  /// The most bytes of a form without photos; no field of these forms is longer.
  private static let formBytesAtMost = 256 << 10

  /// Reads the fields of a form without photos; the address's fields fill in for those that the
  /// body lacks.
  func form(
    _ script: Script, _ request: WebRequest, limit: Int = formBytesAtMost
  ) async throws -> PHPForm {
    PHPForm(try await body(of: request, limit: limit), last: script.lastField)
      .filled(with: request.query)
  }

  /// Reads the bytes of a form, without a line end after it, as a terminal adds one.
  func body(of request: WebRequest, limit: Int) async throws -> [UInt8] {
    var bytes = try await request.bytes(limit: limit)
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    return bytes
  }

  static func ok(_ members: [(String, PHPJSON)] = []) -> PHPJSON {
    .object(
      [("status", .text("ok")), ("error_msg", .null)] + members.map { (name: $0.0, value: $0.1) })
  }

  /// Returns a number as the original's database gave it: as text, without trailing zeros, and with
  /// every digit that came; null for nil.
  static func digits(_ value: Double?) -> PHPJSON {
    guard let value, value.isFinite else { return .null }
    let text = "\(value)"
    return .text(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }
}
