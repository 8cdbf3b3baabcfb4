import Evidence
import Foundation
import Inspection
import Store
import Sync
import TimeAndText
import Web

// The checks that every interface of the office makes before it answers a request.
/// Reads the requests of field units and programs before they are answered.
package struct DeviceRequests: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let sessions: Sessions
  let devices: Devices
}

extension DeviceRequests {
  /// Returns a message's bytes, and checks them against the digest that the request names (RFC
  /// 9530), if it names one.
  /// - Throws: `OfficeRefusal` (digest-differs).
  package func message(of request: WebRequest, limit: Int) async throws -> [UInt8] {
    let bytes = try await request.bytes(limit: limit)
    if request.header("Content-Digest") != nil {
      try requireNamedDigest(Digest.base64(bytes), of: request)
    }
    return bytes
  }

  /// Requires that a digest is the one that the request names (RFC 9530), if it names one.
  /// - Parameter digest: the SHA-256 of the received bytes, in Base64.
  package func requireNamedDigest(_ digest: String, of request: WebRequest) throws(OfficeRefusal) {
    guard let field = request.header("Content-Digest") else { return }
    let named = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .first { $0.hasPrefix("sha-256=") }
    guard named == "sha-256=:\(digest):" else {
      throw OfficeRefusal(
        .digestDiffers, "the message changed on its way: send it again")
    }
  }

  /// Returns the field unit that sent a request.
  /// - Throws: `OfficeRefusal` if it is no field unit, asks too often or was revoked.
  package func device(_ request: WebRequest) async throws -> Visitor {
    let visitor = try await sessions.visitor(withToken: request.bearerToken)
    guard let key = visitor.key, let agency = visitor.account.agency else {
      throw OfficeRefusal(.roleForbidden, "this address is for field units")
    }
    try devices.limit(key)
    // A revoked device's session ends with it.
    if let device = try await database.read(in: agency, { try $0.devices.device(withKey: key) }) {
      try devices.requireValid(device)
    }
    return visitor
  }

  /// Turns the errors of the modules beneath into problems with stable codes.
  package func answering(
    _ body: () async throws -> WebResponse
  ) async throws -> WebResponse {
    do {
      return try await body()
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      guard refusal.kind == .storeUnavailable else { throw refusal }
      // Paths of this machine are for the log only, and not for strangers.
      configuration.log("storage: \(refusal.detail)")
      throw OfficeRefusal(
        .storeUnavailable, "try again later; its administrator can find the reason in its log")
    }
  }
}
