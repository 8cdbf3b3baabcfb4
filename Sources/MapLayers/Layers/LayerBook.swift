import Foundation
import Store
import Synchronization

/// The agencies' map services, and the order of their layers, in one file among the office's keys. It
/// contains passwords: only its owner can read it, and backups keep it as they keep keys. Pages and commands of several programs change it,
/// one after the other.
final class LayerBook: Sendable {
  /// The choices of one agency.
  struct Choices: Hashable, Sendable {
    /// The names of layers in the agency's order; layers that are not named come after them.
    var order: [String] = []
    var services: [MapService] = []
  }

  let path: String
  private let lock: String
  private let known = Mutex<(mark: [UInt64], agencies: [String: Choices])?>(nil)

  /// Creates the book of a file; both paths need not exist.
  init(path: String, lock: String) { (self.path, self.lock) = (path, lock) }

  /// Returns the choices of an agency.
  /// - Throws: `StoreError.unavailable` if the file is there and cannot be read.
  func choices(of agency: String) throws -> Choices { try all()[agency] ?? Choices() }

  /// Changes the choices of an agency, durably.
  func change<Value>(
    of agency: String, _ body: (inout Choices) throws -> Value
  ) throws -> Value {
    for one in [path, lock] {
      try DurableFile.makeFolder((one as NSString).deletingLastPathComponent)
    }
    return try DurableFile.withLock(lock) {
      var agencies = try read()
      var choices = agencies[agency] ?? Choices()
      let value = try body(&choices)
      agencies[agency] = choices
      try DurableFile.replace(path, with: try LayerBookFile(agencies).bytes())
      known.withLock { $0 = nil }
      return value
    }
  }

  private func all() throws -> [String: Choices] {
    let mark = mark()
    if let known = known.withLock({ $0 }), known.mark == mark { return known.agencies }
    let agencies = try read()
    known.withLock { $0 = (mark, agencies) }
    return agencies
  }

  /// The file is replaced with each change, so that its identity changes.
  private func mark() -> [UInt64] {
    guard let status = FileStatus(ofPath: path) else { return [] }
    return status.identity + [
      UInt64(clamping: status.bytes), UInt64(clamping: status.writtenSecondsSince1970),
    ]
  }

  private func read() throws -> [String: Choices] {
    guard FileStatus(ofPath: path) != nil else { return [:] }
    do {
      return try LayerBookFile(parsing: try DurableFile.read(path)).agencies
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError.unavailable(path: path, reason: "it is damaged: \(Self.words(error))")
    }
  }

  /// The file has passwords: an error's own words could show a part of it.
  private static func words(_ error: any Error) -> String {
    guard case .dataCorrupted(let context)? = error as? DecodingError else {
      return "a member is missing or wrong"
    }
    return context.codingPath.map(\.stringValue).joined(separator: ".")
  }
}

/// The file as JSON.
private struct LayerBookFile: Codable {
  var schema = "standpoint.layers/1"
  private var agenciesByName: [String: AgencyRow]

  private enum CodingKeys: String, CodingKey {
    case schema
    case agenciesByName = "agencies"
  }

  private struct AgencyRow: Codable {
    var order: [String]
    var services: [ServiceRow]
  }

  private struct MatrixRow: Codable {
    var zoom: Int
    var name: String
    var column: Int
    var row: Int
  }

  private struct ServiceRow: Codable {
    var name: String
    var kind: String
    var title: String
    var attribution: String?
    var address: String
    var layer: String?
    var style: String?
    var mediaType: String
    var version: String
    var referenceSystem: String
    var matrixSet: String?
    var matrices: [MatrixRow]
    var template: String?
    var leastZoom: Int
    var mostZoom: Int
    var user: String?
    var password: String?
    var isOffered: Bool

    init(_ service: MapService) {
      (name, kind, title) = (service.name, service.kind.rawValue, service.title)
      (attribution, address, layer) = (service.attribution, service.address, service.layer)
      (style, mediaType, version) = (service.style, service.mediaType, service.version)
      (referenceSystem, matrixSet) = (service.referenceSystem, service.matrixSet)
      matrices = service.matrices.map {
        MatrixRow(zoom: $0.zoom, name: $0.name, column: $0.column, row: $0.row)
      }
      template = service.template
      (leastZoom, mostZoom) = (service.zooms.lowerBound, service.zooms.upperBound)
      (user, password, isOffered) = (service.user, service.password?.text, service.isOffered)
    }

    /// The service; nil if the row names an unknown protocol or impossible zooms.
    var service: MapService? {
      guard let kind = MapService.Kind(rawValue: kind), (0...30).contains(leastZoom),
        (leastZoom...30).contains(mostZoom)
      else { return nil }
      var service = MapService(name: name, kind: kind, title: title, address: address)
      (service.attribution, service.layer, service.style) = (attribution, layer, style)
      (service.mediaType, service.version) = (mediaType, version)
      (service.referenceSystem, service.matrixSet) = (referenceSystem, matrixSet)
      service.matrices = matrices.map {
        MapService.Matrix(zoom: $0.zoom, name: $0.name, column: $0.column, row: $0.row)
      }
      (service.template, service.zooms) = (template, leastZoom...mostZoom)
      (service.user, service.password) = (user, Secret(password))
      service.isOffered = isOffered
      return service
    }
  }

  init(_ agencies: [String: LayerBook.Choices]) {
    agenciesByName = agencies.mapValues {
      AgencyRow(order: $0.order, services: $0.services.map(ServiceRow.init))
    }
  }

  init(parsing bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(bytes))
  }

  func bytes() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  var agencies: [String: LayerBook.Choices] {
    get throws {
      try agenciesByName.mapValues { row in
        LayerBook.Choices(
          order: row.order,
          services: try row.services.map { row in
            guard let service = row.service else {
              throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "a service is of no known kind"))
            }
            return service
          })
      }
    }
  }
}
