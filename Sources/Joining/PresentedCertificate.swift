// An office may have a TLS certificate that the device's system does not trust: its own. The QR code
// carries the certificate's SHA-256, but a connection needs the certificate itself. So it is asked
// for once: a handshake that is broken off as soon as the certificate has come, before anything is
// sent. Only the one whose SHA-256 the code names is used, and no other of its chain, since the
// other side has proved nothing by then.

import Evidence
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// The TLS certificate that a server shows.
struct PresentedCertificate: Sendable {
  /// The certificate, DER.
  let bytes: [UInt8]

  /// The SHA-256 of the certificate, hexadecimal.
  var fingerprint: String { Digest.hexadecimal(bytes) }

  /// The certificate, PEM.
  var pem: String {
    let base64 = Data(bytes).base64EncodedString(
      options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
  }

  /// The time that the handshake may take.
  private static let patience = TimeAmount.seconds(10)

  /// Asks a server for its certificate.
  /// - Parameter address: the server's address, `https` with host and port.
  /// - Returns: nil if there is no such server, or it shows none.
  static func of(_ address: String) async -> PresentedCertificate? {
    guard let url = URLComponents(string: address), url.scheme == "https", let host = url.host
    else { return nil }
    let name = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let shown = loop.makePromise(of: PresentedCertificate?.self)
    let late = loop.scheduleTask(in: patience) { shown.succeed(nil) }
    let bootstrap = ClientBootstrap(group: loop).connectTimeout(patience).channelInitializer {
      channel in
      channel.eventLoop.makeCompletedFuture {
        let context = try NIOSSLContext(configuration: .makeClientConfiguration())
        let handler = try NIOSSLClientHandler(
          context: context, serverHostname: isAddress ? nil : name,
          customVerificationCallback: { certificates, verdict in
            let bytes = try? certificates.first?.toDERBytes()
            shown.succeed(bytes.map { PresentedCertificate(bytes: $0) })
            verdict.succeed(.failed)
          })
        try channel.pipeline.syncOperations.addHandler(handler)
      }
    }
    let channel: any Channel
    do {
      channel = try await bootstrap.connect(host: name, port: url.port ?? 443).get()
    } catch {
      late.cancel()
      shown.succeed(nil)
      return nil
    }
    let certificate = try? await shown.futureResult.get()
    late.cancel()
    try? await channel.close()
    return certificate ?? nil
  }
}
