// Signature Version 4 for S3: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html

import Crypto
import Foundation
import TimeAndText

/// Signs requests to an object store, with the digest of what they carry.
struct RequestSigner: Sendable {
  /// The SHA-256 of nothing.
  static let digestOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  private static let algorithm = "AWS4-HMAC-SHA256"
  private static let service = "s3"

  let credentials: ObjectCredentials
  let region: String

  /// A request, as far as it is signed.
  struct Request {
    var method: String
    /// The path as it is sent.
    var path: String
    var query: [(name: String, value: String)] = []
    var host: String
    /// The headers to sign beside the host, small.
    var headers: [(name: String, value: String)] = []
    /// The SHA-256 of the body, in hexadecimal.
    var digest: String
  }

  /// A moment as signatures write it: `20130524T000000Z`.
  struct Stamp {
    let text: String
    var day: String { String(text.prefix(8)) }

    init(_ time: DeviceTime) {
      text = time.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }
  }

  /// Returns the headers that a request gets: its own, and those of its signature.
  func headers(
    for request: Request, at time: DeviceTime
  ) -> [(name: String, value: String)] {
    let stamp = Stamp(time)
    var signed = request.headers
    signed.append(("x-amz-content-sha256", request.digest))
    signed.append(("x-amz-date", stamp.text))
    if let session = credentials.session { signed.append(("x-amz-security-token", session)) }
    let all = (signed + [("host", request.host)]).sorted { $0.name < $1.name }
    let names = all.map(\.name).joined(separator: ";")
    let canonical = Self.canonical(
      request, query: request.query, headers: all, names: names, digest: request.digest)
    let authorization =
      "\(Self.algorithm) Credential=\(credentials.identifier)/\(scope(stamp)),SignedHeaders=\(names),"
      + "Signature=\(signature(of: canonical, stamp))"
    return signed + [("authorization", authorization)]
  }

  /// Returns the query of an address that everybody may fetch for a while.
  func presigned(
    path: String, host: String, seconds: Int, at time: DeviceTime
  ) -> [(name: String, value: String)] {
    let stamp = Stamp(time)
    var query = [
      ("X-Amz-Algorithm", Self.algorithm),
      ("X-Amz-Credential", "\(credentials.identifier)/\(scope(stamp))"),
      ("X-Amz-Date", stamp.text), ("X-Amz-Expires", String(seconds)),
      ("X-Amz-SignedHeaders", "host"),
    ].map { (name: $0.0, value: $0.1) }
    if let session = credentials.session { query.append(("X-Amz-Security-Token", session)) }
    let request = Request(method: "GET", path: path, host: host, digest: "UNSIGNED-PAYLOAD")
    let canonical = Self.canonical(
      request, query: query, headers: [("host", host)], names: "host", digest: request.digest)
    return query + [("X-Amz-Signature", signature(of: canonical, stamp))]
  }

  private func scope(_ stamp: Stamp) -> String {
    "\(stamp.day)/\(region)/\(Self.service)/aws4_request"
  }

  private static func canonical(
    _ request: Request, query: [(name: String, value: String)],
    headers: [(name: String, value: String)], names: String, digest: String
  ) -> String {
    """
    \(request.method)
    \(request.path)
    \(ObjectText.query(query))
    \(headers.map { "\($0.name):\($0.value)" }.joined(separator: "\n"))

    \(names)
    \(digest)
    """
  }

  private func signature(of canonical: String, _ stamp: Stamp) -> String {
    let digest = ObjectText.hexadecimal(SHA256.hash(data: Data(canonical.utf8)))
    let text = "\(Self.algorithm)\n\(stamp.text)\n\(scope(stamp))\n\(digest)"
    var key = Data("AWS4\(credentials.secret)".utf8)
    for word in [stamp.day, region, Self.service, "aws4_request", text] {
      key = Data(
        HMAC<SHA256>.authenticationCode(
          for: Data(word.utf8), using: SymmetricKey(data: key)))
    }
    return ObjectText.hexadecimal(key)
  }
}
