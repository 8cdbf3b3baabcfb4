import Evidence
import Positioning
import TimeAndText

/// The certificates at hand, and the authorities that vouch for each key.
struct CertificateBook {
  /// A certificate that the named authority really issued.
  struct Vouched: Hashable {
    var certificate: EvidenceCertificate
    /// Fingerprint of the authority's certificate.
    var authority: String
  }

  /// The first file in which a certificate lies, and the fingerprints of all certificates that
  /// share a file with it.
  private struct Place {
    var path: String
    var beside: Set<String> = []
  }

  /// A problem with one certificate.
  struct Problem {
    var path: String
    var severity: Finding.Severity
    var message: Wording
  }

  /// The most authorities that count: each certificate is checked against each authority of its
  /// issuer's name, so their number must be bounded.
  static let mostAuthorities = 32

  /// The authorities at hand; the trusted one is among them if its certificate is known.
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

  /// True if there is no certificate at all.
  var isEmpty: Bool { certificates.isEmpty }

  /// Adds the certificates of one file. A certificate may lie in several files.
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

  /// Finds the issuers of all certificates, once all are added, and returns the problems with them.
  mutating func settle() -> [Problem] {
    var others: [EvidenceCertificate] = []
    var own: [EvidenceCertificate] = []
    for certificate in certificates {
      if certificate.isAuthority { own.append(certificate) } else { others.append(certificate) }
    }
    own.removeAll { authorities.first == $0 }
    // The trusted authority comes first, so that no crowd of strangers pushes it out.
    own.sort { $0.fingerprint == trusted && $1.fingerprint != trusted }
    let room = Self.mostAuthorities - authorities.count
    authorities += own.prefix(room)
    var problems = others.compactMap { settle($0) }
    if let first = own.dropFirst(room).first, let place = places[first.fingerprint] {
      problems.append(
        Problem(
          path: place.path, severity: .doubtful,
          message: "there are more than \(Self.mostAuthorities) authorities here: this one does"
            + " not count"))
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
        ? problem(.altered, "an authority's own certificate with an invalid signature")
        : problem(.note, "an authority below another one: its certificates do not count")
    }
    let candidates = authorities.filter(certificate.namesIssuer)
    let issuers = candidates.filter(certificate.hasSignature)
    if issuers.isEmpty {
      // Authorities may share a name. A certificate tells which of them it means by the identifier
      // of the authority's key, or by lying in the same file.
      let isNamed = candidates.contains { authority in
        certificate.namesIssuersKey(authority) || place.beside.contains(authority.fingerprint)
      }
      return isNamed
        ? problem(.altered, "the authority that it names did not sign it")
        : problem(.note, "the authority that issued it is not here: nobody vouches for its key")
    }
    guard certificate.isLeafByForm else {
      return problem(.doubtful, "it was not issued for a key that seals")
    }
    vouched[certificate.publicKey.thumbprint, default: []] += issuers.map {
      Vouched(certificate: certificate, authority: $0.fingerprint)
    }
    return nil
  }

  /// Returns the certificates that count for a key: those of the trusted authority if it issued
  /// any, otherwise all.
  func vouched(for key: String) -> [Vouched] {
    let all = vouched[key] ?? []
    let own = all.filter { $0.authority == trusted }
    return own.isEmpty ? all : own
  }

  /// Returns the issuer of all of `keys` together, and the fingerprint of its certificate; nil if
  /// no authority vouches, or several do and the trusted one does not vouch for all keys.
  /// - Parameter offices: certificates of the offices that signed logs.
  func issuer(
    of keys: Set<String>, and offices: [EvidenceCertificate]
  ) -> (Issuer, fingerprint: String?) {
    let perKey =
      keys.map { Set(vouched(for: $0).map(\.authority)) }
      + offices.map(authorities(of:))
    if let trusted, !perKey.isEmpty, perKey.allSatisfy({ $0 == [trusted] }) {
      return (.trusted, trusted)
    }
    let all = perKey.reduce(into: Set<String>()) { $0.formUnion($1) }
    return (.unknown, all.count == 1 ? all.first : nil)
  }

  /// Returns the fingerprints of the authorities that issued an office's certificate.
  func authorities(of office: EvidenceCertificate) -> Set<String> {
    Set(authorities.filter(office.isIssued).map(\.fingerprint))
  }

  /// Returns why the signer of an office's statement is not to be believed; nil if it is to be believed.
  /// - Parameter key: the device's key that the statement is about; nil if it is about none.
  func problem(
    ofStatementBy office: EvidenceCertificate, about key: String?
  ) -> (severity: Finding.Severity, message: Wording)? {
    guard office.isOfOffice else {
      return (.doubtful, "it was signed with a key that is not an office's")
    }
    let issuers = authorities(of: office)
    if issuers.isEmpty {
      return authorities.isEmpty
        ? (.note, "the authority of the office that signed it is not here")
        : (.doubtful, "none of the authorities here certified the office that signed it")
    }
    let vouching = Set((key.map { vouched(for: $0) } ?? []).map(\.authority))
    if let trusted, !issuers.contains(trusted) {
      return (.doubtful, "it was signed by an office of a different authority than the trusted one")
    }
    if !vouching.isEmpty, vouching.isDisjoint(with: issuers) {
      return (.doubtful, "it was signed by an office of a different authority than the device's")
    }
    return nil
  }
}
