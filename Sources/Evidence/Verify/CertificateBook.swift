import Positioning

/// The certificates at hand, and which authority vouches for which key.
struct CertificateBook {
  /// A certificate that its authority really issued.
  struct Vouched: Hashable {
    var certificate: EvidenceCertificate
    /// Fingerprint of the authority's certificate.
    var authority: String
  }

  /// Where a certificate lies, and which others lie in the same file.
  private struct Place {
    var path: String
    var beside: Set<String> = []
  }

  /// What there is to say about one certificate.
  struct Problem {
    var path: String
    var severity: Finding.Severity
    var message: Wording
  }

  /// Each certificate is held against each authority of its name, so there may not be any number.
  static let mostAuthorities = 32

  /// The authorities at hand, the trusted one among them if its certificate is known.
  private(set) var authorities: [EvidenceCertificate] = []
  private var vouched: [String: [Vouched]] = [:]
  private var certificates: [EvidenceCertificate] = []
  private var places: [String: Place] = [:]
  private let trusted: String?

  init(trust: Trust?) {
    trusted = trust?.fingerprint
    if case .certificate(let certificate) = trust, certificate.isAuthority {
      authorities = [certificate]
    }
  }

  /// Whether there is no certificate at all.
  var isEmpty: Bool { certificates.isEmpty }

  /// Takes the certificates of one file. The same one may lie in several.
  mutating func add(_ found: [EvidenceCertificate], from path: String) {
    let fingerprints = found.map(\.fingerprint)
    for (certificate, fingerprint) in zip(found, fingerprints) {
      if places[fingerprint] == nil {
        certificates.append(certificate)
        places[fingerprint] = Place(path: path)
      }
      places[fingerprint]?.beside.formUnion(fingerprints)
    }
  }

  /// Finds out who issued what, once all certificates are there.
  mutating func settle() -> [Problem] {
    var others: [EvidenceCertificate] = []
    var own: [EvidenceCertificate] = []
    for certificate in certificates {
      if certificate.isAuthority { own.append(certificate) } else { others.append(certificate) }
    }
    own.removeAll { authorities.first == $0 }
    // The trusted one first, so that no crowd of strangers pushes it out.
    own.sort { $0.fingerprint == trusted && $1.fingerprint != trusted }
    let room = Self.mostAuthorities - authorities.count
    authorities += own.prefix(room)
    var problems = others.compactMap { settle($0) }
    if let first = own.dropFirst(room).first, let place = places[first.fingerprint] {
      problems.append(
        Problem(
          path: place.path, severity: .doubtful,
          message: "more than \(Self.mostAuthorities) authorities are here: this one counts for"
            + " nothing"))
    }
    return problems
  }

  private mutating func settle(_ certificate: EvidenceCertificate) -> Problem? {
    guard let place = places[certificate.fingerprint] else { return nil }
    func problem(_ severity: Finding.Severity, _ message: Wording) -> Problem {
      Problem(path: place.path, severity: severity, message: message)
    }
    if certificate.isAuthorityByForm {
      return certificate.namesIssuer(certificate)
        ? problem(.altered, "an authority's own certificate, and its signature does not hold")
        : problem(.note, "an authority below another one: what it certifies counts for nothing")
    }
    let candidates = authorities.filter(certificate.namesIssuer)
    let issuers = candidates.filter(certificate.hasSignature)
    if issuers.isEmpty {
      // Authorities may share a name. A certificate says by the key's identifier which of them it
      // means, or by lying beside it.
      let isNamed = candidates.contains { authority in
        certificate.namesIssuersKey(authority) || place.beside.contains(authority.fingerprint)
      }
      return isNamed
        ? problem(.altered, "the authority that it names did not sign it")
        : problem(.note, "the authority that issued it is not here: nobody vouches for its key")
    }
    guard certificate.isLeafByForm else {
      return problem(.doubtful, "it is not made for a key that seals")
    }
    vouched[certificate.publicKey.thumbprint, default: []] += issuers.map {
      Vouched(certificate: certificate, authority: $0.fingerprint)
    }
    return nil
  }

  /// The certificates that count for a key: those of the trusted authority where it gave any.
  func vouched(for key: String) -> [Vouched] {
    let all = vouched[key] ?? []
    let own = all.filter { $0.authority == trusted }
    return own.isEmpty ? all : own
  }

  /// Who vouches for all of `keys` together.
  /// - Parameter offices: certificates of offices that have signed logs.
  func issuer(
    of keys: Set<String>, and offices: [EvidenceCertificate]
  ) -> (Issuer, fingerprint: String?) {
    let perKey =
      keys.map { Set(vouched(for: $0).map(\.authority)) }
      + offices.map { Set(authorities.filter($0.isIssued).map(\.fingerprint)) }
    if let trusted, !perKey.isEmpty, perKey.allSatisfy({ $0 == [trusted] }) {
      return (.trusted, trusted)
    }
    let all = perKey.reduce(into: Set<String>()) { $0.formUnion($1) }
    return (.unknown, all.count == 1 ? all.first : nil)
  }

  /// Why the office that signed something, about a device's key say, is not one to believe; nil when it is.
  func problem(
    ofStatementBy office: EvidenceCertificate, about key: String?
  ) -> (severity: Finding.Severity, message: Wording)? {
    guard office.isOfOffice else {
      return (.doubtful, "the key that signed it is not an office's")
    }
    let issuers = Set(authorities.filter(office.isIssued).map(\.fingerprint))
    if issuers.isEmpty {
      return authorities.isEmpty
        ? (.note, "the authority of the office that signed it is not here")
        : (.doubtful, "no authority that is here certified the office that signed it")
    }
    let vouching = Set((key.map { vouched(for: $0) } ?? []).map(\.authority))
    if let trusted, !issuers.contains(trusted) {
      return (.doubtful, "an office of another authority than the trusted one signed it")
    }
    if !vouching.isEmpty, vouching.isDisjoint(with: issuers) {
      return (.doubtful, "an office of another authority than that of the device signed it")
    }
    return nil
  }
}
