import TimeAndText

/// The text in which a bundle explains itself to a reader who has none of our programs.
enum BundleReadme {
  static func text(made: DeviceTime, isListed: Bool) -> String {
    """
    Evidence, made \(made.rfc3339)

    This archive holds photos and tracks of field inspections with what is needed to check them,
    without the program that made it. \(isListed ? promise : "No office signed a list of its files.")


    \(places)


    \(checks)


    WHAT A SEAL DOES NOT PROVE

    That the scene is real. That the receiver was not deceived by a skilled transmitter. Who held
    the device. And what was never delivered and was deleted at the end of a device's chain, nobody
    can show.

    """
  }

  /// The sentence by which a reader knows that there was a list, if it was taken away.
  private static let promise = "The office signed a list of all its files, of this one, too."

  /// Returns true if a README says that its bundle has a list; earlier ones do not.
  static func promisesList(_ readme: String) -> Bool { readme.contains(promise) }

  /// The paths in the archive.
  private static let places = """
    WHAT LIES WHERE

    photos/ab/ID.jpg          a photo
    photos/ab/ID.jpg.seal     what is claimed of it, and the signature over that (JSON)
    photos/ab/ID.raw          what the receiver said, byte by byte (gzip; lines of milliseconds and
                              Base64), from which the position can be computed again
    tracks/ab/ID.track        the points of a track, and beside them ID.track.seal
    records/ab/ID.seal        notes, steps of a task, deletions: claims without a file
    links/KEY.links           signatures over other work of the same device, whose contents are not
                              here: they only fill their places in the device's chain
    certificates/*.pem        whom each device's key belongs to, and the authority that says so
    receipts/ID.receipt       what the office said that it received, signed by the office
    revocations/KEY.revocation  from when on a key counts no more, signed by the office
    SHA256SUMS                the digest of each other file
    SHA256SUMS.jws            what the office says that this archive holds, signed by the office
    log/checkpoint            the office's log at that time, and log/ID.tlog-proof: that it has a
                              receipt (C2SP tlog-checkpoint and tlog-proof)
    log/stamped/SIZE/         an earlier checkpoint, the proof that it has a receipt, and what a time
                              authority outside the office signed over it: NAME.tsr (RFC 3161),
                              the certificates NAME.pem, its revocation lists NAME-1.crl
    """

  /// The ways to check the archive.
  private static let checks = """
    CHECK IT WITH THE PROGRAM

    standpoint verify THIS.zip --trust FINGERPRINT

    FINGERPRINT is the SHA-256 of the authority's certificate. Get it from the agency by another way
    than this archive: anybody can make an archive like this one with an authority of their own.


    CHECK IT BY HAND

    1. The signature. In ID.jpg.seal the member "seal" is a compact JWS (RFC 7515, ES256):
       three parts with dots between them, each in Base64 for URLs. Its header carries the public
       key ("jwk"); "kid" is that key's thumbprint (RFC 7638). Any JOSE library verifies it.
       Its second part is the link, a small JSON object with the members used below.

    2. The files. "file" and "raw" of the link are what these print:
           sha256sum photos/ab/ID.jpg photos/ab/ID.raw

    3. The record. "record" of the link is the SHA-256 of the member "record" as canonical JSON
       (RFC 8785). For these records that is what this prints:
           jq -cjS .record photos/ab/ID.jpg.seal | sha256sum

    4. The chain. Each device counts its links from 1 in "sequence"; "previous" is the SHA-256 of
       the JWS before it, as text:
           jq -rj .seal photos/ab/ID.jpg.seal | sha256sum
       The files below links/ have one JWS in each line. A place that is nowhere is a gap: something
       was taken away.

    5. Whose key it is. A certificate's public key is the "jwk" of the signature; its name says
       agency (O), inspector (CN) and device (serialNumber), and the record must say the same, of a
       time at which the certificate was valid:
           openssl x509 -in certificates/NAME.pem -noout -subject -dates -pubkey
           openssl verify -CAfile AUTHORITY.pem certificates/NAME.pem
           openssl x509 -in AUTHORITY.pem -noout -fingerprint -sha256

    6. Receipts are compact JWS, too. The certificate of the office's key is in their header
       ("x5c"); "records" and "files" are SHA-256 digests of what the office held, "head" is the
       highest place of the device's chain that it knew.

    7. What this archive holds. "list" of SHA256SUMS.jws, a compact JWS like a receipt, is what the
       first prints; the second names a file that was changed or taken out:
           sha256sum SHA256SUMS
           sha256sum -c SHA256SUMS
       "selection" says of which task this is all evidence.

    8. Time from outside, if there is a folder below log/stamped. A time authority's answer covers the
       checkpoint beside it, ID.tlog-proof leads from a line of the log to that checkpoint, and the
       line has the SHA-256 of receipt ID. So what that receipt names existed at the time that the
       second command prints.
       Get ROOT.pem from somebody else than the office:
           openssl ts -verify -data log/stamped/SIZE/checkpoint -in log/stamped/SIZE/NAME.tsr \\
               -CAfile ROOT.pem -untrusted log/stamped/SIZE/NAME.pem
           openssl ts -reply -in log/stamped/SIZE/NAME.tsr -text
    """
}
