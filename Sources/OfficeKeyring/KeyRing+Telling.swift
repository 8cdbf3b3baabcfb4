import Evidence
import TimeAndText

extension KeyRing {
  /// A key for people and programs.
  private struct Told {
    var entry: Entry
    var keeping: KeyKeeping?
    var revocation: OfficeKeyRevocation?
  }

  private var told: [Told] {
    entries.map { entry in
      let last = entries.last { $0.kind == entry.kind }
      let keeping = entry.kind == .authority ? authority.signer.keeping : receiptKey.keeping
      return Told(
        entry: entry, keeping: entry == last ? keeping : nil,
        revocation: revocation(ofKey: entry.key))
    }
  }

  /// The office's keys, in a few lines each.
  public var lines: [Wording] {
    told.flatMap { told -> [Wording] in
      let entry = told.entry
      let state: Wording =
        switch (told.revocation, told.keeping) {
        case (let revocation?, _):
          "revoked at \(moment: revocation.time): \(revocation.reason). It counts for the first \(revocation.entries) entries of the log"
        case (nil, .file?): "in use, in a file: whoever has the file can sign"
        case (nil, .token(let maker, let model, let serial)?):
          "in use, in a token: \(maker) \(model), serial number \(serial)"
        case (nil, nil): "earlier: it counts for what it has signed"
        }
      return [
        "\(entry.name)  \(state)",
        "  SHA-256 \(entry.certificate.fingerprint), \(moment: entry.certificate.notBefore) to \(moment: entry.certificate.notAfter)",
      ]
    }
  }

  /// The same as JSON, an array: each key's `name key fingerprint from until state keeping`, and `revoked reason
  /// entries` of one that counts no more.
  public var json: JSONValue {
    .array(
      told.map { told in
        let certificate = told.entry.certificate
        return .object(known: [
          ("name", .string(told.entry.name)), ("key", .string(told.entry.key)),
          ("fingerprint", .string(certificate.fingerprint)),
          ("from", .string(certificate.notBefore.rfc3339)),
          ("until", .string(certificate.notAfter.rfc3339)),
          (
            "state",
            .string(
              told.revocation != nil ? "revoked" : told.keeping == nil ? "earlier" : "in use")
          ),
          ("keeping", told.keeping.map { .string($0 == .file ? "file" : "token") }),
          ("revoked", told.revocation.map { .string($0.time.rfc3339) }),
          ("reason", told.revocation.map { .string($0.reason) }),
          ("entries", told.revocation.map { .integer($0.entries) }),
        ])
      })
  }
}
