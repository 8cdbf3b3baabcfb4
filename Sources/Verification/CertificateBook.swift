import Evidence
import Positioning
import TimeAndText

/// The certificates at hand, and the authorities that vouch for each key.
struct CertificateBook {
  /// A certificate that the named authority really issued.
  struct Vouched: Hashable {
    var certificate: EvidenceCertificate
    /// The authority's certificate.
    var authority: EvidenceCertificate
    /// Thumbprint of the authority's key.
    var issuer: String { authority.publicKey.thumbprint }
  }

  /// The first file in which a certificate lies, and the fingerprints of all certificates that
  /// share a file with it.
  private struct Place {
    var path: String
    var beside: Set<String> = []
  }

  /// The reason why a statement is not to be believed.
  typealias Doubt = (severity: Finding.Severity, message: Wording)

  /// A problem with one certificate.
  struct Problem {
    var path: String
    var severity: Finding.Severity
    var message: Wording
  }

  /// The most authorities that count: each certificate is checked against each authority of its
  /// issuer's name, so their number must be bounded.
  static let mostAuthorities = 32
  /// The most certificates between authorities whose signatures are checked.
  static let mostBridges = 64

  /// The authorities at hand; the trusted one is among them if its certificate is known.
  private(set) var authorities: [EvidenceCertificate] = []
  /// A certificate by which an authority vouches for another one's key, by thumbprints.
  private struct Edge: Hashable {
    var issuer: String
    var subject: String
    var begins: DeviceTime
  }

  private var edges: Set<Edge> = []
  /// The beginning of each authority.
  private var begins: [String: DeviceTime] = [:]
  /// For each authority's key those that have followed it, itself among them.
  private var followers: [String: Set<String>] = [:]
  /// For each authority's key all for which it vouches: its followers, and the earlier ones that these name.
  private var reach: [String: Set<String>] = [:]
  /// The authorities that have revoked each revoked one.
  private var revokers: [String: Set<String>] = [:]
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
    var bridges: [EvidenceCertificate] = []
    for certificate in certificates {
      if certificate.isAuthority {
        own.append(certificate)
      } else if certificate.isBridgeByForm {
        bridges.append(certificate)
      } else {
        others.append(certificate)
      }
    }
    own.removeAll { authorities.first == $0 }
    // The trusted authority comes first, so that no crowd of strangers pushes it out.
    own.sort { $0.fingerprint == trusted && $1.fingerprint != trusted }
    let room = Self.mostAuthorities - authorities.count
    authorities += own.prefix(room)
    var problems = settle(bridges: bridges)
    problems += others.compactMap { settle($0) }
    if let first = own.dropFirst(room).first, let place = places[first.fingerprint] {
      problems.append(
        Problem(
          path: place.path, severity: .doubtful,
          message: "there are more than \(Self.mostAuthorities) authorities here: this one does"
            + " not count"))
    }
    return problems
  }

  /// Finds which authorities vouch for each other. One that is here only by another's word is an authority, too.
  private mutating func settle(bridges: [EvidenceCertificate]) -> [Problem] {
    var problems: [Problem] = []
    var rest = bridges
    var checked = 0
    // Each is checked once its issuer is known by its key's identifier, so that strangers' ones cost nothing.
    while checked < Self.mostBridges,
      let next = rest.firstIndex(where: { authorities.contains(where: $0.namesIssuersKey) })
    {
      let bridge = rest.remove(at: next)
      checked += 1
      if !learn(bridge), let place = places[bridge.fingerprint] {
        problems.append(
          Problem(
            path: place.path, severity: .altered,
            message: "the authority that it names did not sign it"))
      }
    }
    computeReach()
    return problems
      + rest.compactMap { bridge in
        places[bridge.fingerprint].map {
          Problem(
            path: $0.path, severity: .note,
            message: "the authority that vouches for this one is not here")
        }
      }
  }

  /// Takes a bridge, if an authority here has signed it.
  private mutating func learn(_ bridge: EvidenceCertificate) -> Bool {
    let issuers = authorities.filter(bridge.isBridge)
    let subject = bridge.publicKey.thumbprint
    for issuer in issuers {
      edges.insert(
        Edge(
          issuer: issuer.publicKey.thumbprint, subject: subject, begins: bridge.notBefore))
    }
    let isKnown = authorities.contains { $0.publicKey == bridge.publicKey }
    if !issuers.isEmpty, !isKnown, authorities.count < Self.mostAuthorities {
      authorities.append(bridge)
    }
    return !issuers.isEmpty
  }

  /// Takes the bridges that a statement brings.
  mutating func learn(from statement: EvidenceCertificate) {
    let new = statement.bridges.filter { bridge in
      !authorities.contains { $0.publicKey == bridge.publicKey }
    }
    if new.isEmpty { return }
    // The nearest authority comes first in a statement, and the known one is the earliest.
    for bridge in new.reversed() { _ = learn(bridge) }
    computeReach()
  }

  /// Finds who has followed whom. A bridge leads forward if it begins later than its issuer's key. From the followers
  /// one step leads back to the earlier authorities for which they vouch, and no further: whoever steals an earlier
  /// key lets nobody else in.
  private mutating func computeReach() {
    // An authority's own certificate says when it began. Where only others' words are here, the latest counts.
    begins = [:]
    for edge in edges {
      begins[edge.subject] = max(begins[edge.subject] ?? edge.begins, edge.begins)
    }
    for own in authorities where !own.isBridgeByForm {
      begins[own.publicKey.thumbprint] = own.notBefore
    }
    var (forward, back): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for edge in edges {
      if let issuer = begins[edge.issuer], edge.begins > issuer {
        forward[edge.issuer, default: []].insert(edge.subject)
      } else {
        back[edge.issuer, default: []].insert(edge.subject)
      }
    }
    // A revoked authority vouches for those alone that lead to the one that revoked it.
    for (key, revokers) in revokers {
      forward[key] = forward[key]?.filter {
        !Self.closure(of: $0, over: forward).isDisjoint(with: revokers)
      }
      back[key] = nil
    }
    for key in begins.keys {
      let own = Self.closure(of: key, over: forward)
      followers[key] = own
      reach[key] = own.reduce(into: own) { $0.formUnion(back[$1] ?? []) }
    }
  }

  private static func closure(of key: String, over edges: [String: Set<String>]) -> Set<String> {
    var (reached, open): (Set<String>, [String]) = ([key], [key])
    while let next = open.popLast() {
      open += (edges[next] ?? []).filter { reached.insert($0).inserted }
    }
    return reached
  }

  // MARK: keys that follow one another

  /// The keys of the authorities that issued an office's certificate.
  func issuers(of office: EvidenceCertificate) -> Set<String> {
    Set(authorities(of: office).map(\.publicKey.thumbprint))
  }

  /// Returns true if one of `later` is one of these authorities, or has followed it.
  func have(_ later: Set<String>, followed earlier: Set<String>) -> Bool {
    earlier.contains { !(followers[$0] ?? [$0]).isDisjoint(with: later) }
  }

  /// The number of authorities that have followed some, with themselves: the latest have the fewest.
  func countOfFollowers(of keys: Set<String>) -> Int {
    keys.map { followers[$0]?.count ?? 1 }.min() ?? 0
  }

  /// Returns true if a key is that of an authority here.
  func isAuthority(_ key: String) -> Bool {
    authorities.contains { $0.publicKey.thumbprint == key }
  }

  /// Lets a revoked authority vouch for nobody any more but those that revoked it.
  mutating func revoke(_ key: String, by signers: Set<String>) {
    revokers[key, default: []].formUnion(signers)
    computeReach()
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
      Vouched(certificate: certificate, authority: $0)
    }
    return nil
  }

  // MARK: whom the caller trusts

  /// The authority that the caller trusts; nil if it trusts none, or if its certificate is not here.
  var trustedAuthority: EvidenceCertificate? {
    trusted.flatMap { fingerprint in authorities.first { $0.fingerprint == fingerprint } }
  }

  /// The keys of the trusted authority, and of those for which it vouches.
  private var trustedKeys: Set<String>? {
    trustedAuthority.flatMap { reach[$0.publicKey.thumbprint] }
  }

  /// Returns true if the trusted authority is one of these, or vouches for one of them.
  func isTrusted(_ authorities: [EvidenceCertificate]) -> Bool {
    guard let trustedKeys else { return false }
    return authorities.contains { trustedKeys.contains($0.publicKey.thumbprint) }
  }

  /// Returns the certificates that count for a key: those of the trusted authority if it issued
  /// any, otherwise all.
  func vouched(for key: String) -> [Vouched] {
    let all = vouched[key] ?? []
    let own = all.filter { isTrusted([$0.authority]) }
    return own.isEmpty ? all : own
  }

  /// Returns the issuer of all of `keys` together, and the fingerprint of its certificate; nil if
  /// no authority vouches, or several do and the trusted one does not vouch for all keys.
  /// - Parameter offices: certificates of the offices that signed logs.
  func issuer(
    of keys: Set<String>, and offices: [EvidenceCertificate]
  ) -> (Issuer, fingerprint: String?) {
    let perKey =
      keys.map { vouched(for: $0).map(\.authority) } + offices.map(authorities(of:))
    if let trusted, !perKey.isEmpty,
      perKey.allSatisfy({ list in !list.isEmpty && list.allSatisfy { isTrusted([$0]) } })
    {
      return (.trusted, trusted)
    }
    // Of authorities that have followed one another, the one that vouches for all others stands for all.
    let all = Set(perKey.joined())
    let head = all.filter { one in
      all.allSatisfy { reach[one.publicKey.thumbprint]?.contains($0.publicKey.thumbprint) ?? false }
    }
    return (.unknown, head.map { ($0.notBefore, $0.fingerprint) }.max { $0 < $1 }?.1)
  }

  /// Returns the authorities that issued an office's certificate.
  func authorities(of office: EvidenceCertificate) -> [EvidenceCertificate] {
    authorities.filter(office.isIssued)
  }

  /// Returns the authorities that issued an office's certificate, and those that they have followed or that have
  /// followed them.
  func family(of office: EvidenceCertificate) -> [EvidenceCertificate] {
    let issuers = authorities(of: office)
    return authorities.filter { vouch([$0], for: issuers) || vouch(issuers, for: [$0]) }
  }

  /// Returns true if one of `those` is one of these authorities, or one of these vouches for it.
  private func vouch(_ these: [EvidenceCertificate], for those: [EvidenceCertificate]) -> Bool {
    let reached = these.reduce(into: Set<String>()) {
      $0.formUnion(reach[$1.publicKey.thumbprint] ?? [])
    }
    return those.contains { reached.contains($0.publicKey.thumbprint) }
  }

  /// Returns true if a certificate was valid at a time, as far as clocks differ.
  static func isValid(_ certificate: EvidenceCertificate, at time: DeviceTime) -> Bool {
    let before = certificate.notBefore.gnssTime.seconds(since: time.gnssTime)
    let after = time.gnssTime.seconds(since: certificate.notAfter.gnssTime)
    // A device's clock may differ from the office's by as much as from the receiver's.
    return before <= ClockTolerance.seconds && after <= ClockTolerance.seconds
  }

  /// Returns why the signer of an office's statement is not to be believed; nil if it is to be believed.
  /// - Parameter key: the device's key that the statement is about; nil if it is about none.
  func problem(
    ofStatementBy office: EvidenceCertificate, about key: String?
  ) -> Doubt? {
    guard office.isOfOffice else {
      return (.doubtful, "it was signed with a key that is not an office's")
    }
    let issuers = authorities(of: office)
    if issuers.isEmpty {
      return authorities.isEmpty
        ? (.note, "the authority of the office that signed it is not here")
        : (.doubtful, "none of the authorities here certified the office that signed it")
    }
    let vouching = (key.map { vouched(for: $0) } ?? []).map(\.authority)
    if trusted != nil, !isTrusted(issuers) {
      return (.doubtful, "it was signed by an office of a different authority than the trusted one")
    }
    if !vouching.isEmpty, !vouch(vouching, for: issuers) {
      return (.doubtful, "it was signed by an office of a different authority than the device's")
    }
    return nil
  }
}
