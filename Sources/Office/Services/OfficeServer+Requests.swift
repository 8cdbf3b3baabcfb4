import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync
import Web

// What every interface of the office asks of a request before it answers.
extension OfficeServer {
  /// A message's bytes. Where it says what its digest is (RFC 9530), it must be that.
  package func message(of request: WebRequest, limit: Int) async throws -> [UInt8] {
    let bytes = try await request.bytes(limit: limit)
    if request.header("Content-Digest") != nil {
      try requireNamedDigest(Digest.base64(bytes), of: request)
    }
    return bytes
  }

  /// Where a message says what its digest is (RFC 9530), it must be this one.
  /// - Parameter digest: SHA-256 of what came, in Base64.
  package func requireNamedDigest(_ digest: String, of request: WebRequest) throws(OfficeRefusal) {
    guard let field = request.header("Content-Digest") else { return }
    let named = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .first { $0.hasPrefix("sha-256=") }
    guard named == "sha-256=:\(digest):" else {
      throw OfficeRefusal(
        .digestDiffers, "the message that came is not the one that was sent: send it again")
    }
  }

  /// The field unit that asks.
  package func device(_ request: WebRequest) async throws -> Visitor {
    let visitor = try await visitor(withToken: request.bearerToken)
    guard let key = visitor.key, let agency = visitor.account.agency else {
      throw OfficeRefusal(.roleForbidden, "this is the field units' interface")
    }
    try limit(key)
    // A revoked device's session ends with it.
    if let device = try await database.read(in: agency, { try $0.devices.device(withKey: key) }) {
      try requireValid(device)
    }
    return visitor
  }

  /// What the modules beneath throw becomes a problem with a stable code.
  package func answering(
    _ body: () async throws -> WebResponse
  ) async throws -> WebResponse {
    do {
      return try await body()
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      guard refusal.kind == .storeUnavailable else { throw refusal }
      // Where things lie on this machine is nobody's business outside.
      configuration.log("storage: \(refusal.detail)")
      throw OfficeRefusal(
        .storeUnavailable, "its administrator finds the reason in its log; try again later")
    }
  }
}
