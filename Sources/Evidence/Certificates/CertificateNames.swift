import Positioning
import SwiftASN1
import X509

// How a person, an authority and an office are written into a certificate's name and back. The
// attributes are those that every reader shows with words: O the agency, CN the inspector's login,
// serialNumber the device, as X.520 means it ("the serial number of a device"). An office's receipt
// certificate has OU=receipts instead: no text of a person or an agency can put that there, so a
// device's certificate never passes for an office's.

extension DeviceSubject {
  /// Longer texts are refused. RFC 5280 asks for 64 characters at most; agencies have longer names,
  /// and the readers that we know of do not mind.
  static let longestBytes = 256

  /// The name for a certificate.
  /// - Throws: `EvidenceError.malformedCertificate` for a part that is empty or too long.
  func distinguishedName() throws(EvidenceError) -> DistinguishedName {
    DistinguishedName([
      try CertificateNames.part(.RDNAttributeType.organizationName, agency, "agency"),
      try CertificateNames.part(.RDNAttributeType.commonName, inspector, "inspector"),
      try CertificateNames.part(CertificateNames.serialNumber, device, "device"),
    ])
  }

  /// The subject that a name writes; nil when it is none of ours.
  init?(_ name: DistinguishedName) {
    guard let attributes = CertificateNames.attributes(of: name), attributes.count == 3,
      let agency = attributes[.RDNAttributeType.organizationName],
      let inspector = attributes[.RDNAttributeType.commonName],
      let device = attributes[CertificateNames.serialNumber]
    else { return nil }
    self.init(agency: agency, inspector: inspector, device: device)
  }
}

/// The names of certificates.
enum CertificateNames {
  /// X.520's serialNumber.
  static let serialNumber: ASN1ObjectIdentifier = [2, 5, 4, 5]
  /// What stands as OU in the certificate whose key signs receipts.
  static let receipts = "receipts"

  /// The name of an authority.
  static func authority(_ name: String) throws(EvidenceError) -> DistinguishedName {
    DistinguishedName([try part(.RDNAttributeType.commonName, name, "authority")])
  }

  /// The name of the office that signs receipts under an authority of this name.
  static func office(of authority: DistinguishedName) throws(EvidenceError) -> DistinguishedName {
    let name = attributes(of: authority)?[.RDNAttributeType.commonName] ?? "office"
    return DistinguishedName([
      try part(.RDNAttributeType.commonName, name, "authority"),
      try part(.RDNAttributeType.organizationalUnitName, receipts, "unit"),
    ])
  }

  /// Whether a name is that of an office that signs receipts.
  static func isOffice(_ name: DistinguishedName) -> Bool {
    attributes(of: name)?[.RDNAttributeType.organizationalUnitName] == receipts
  }

  static func part(
    _ type: ASN1ObjectIdentifier, _ text: String, _ what: String
  ) throws(EvidenceError) -> RelativeDistinguishedName {
    guard !text.isEmpty, text.utf8.count <= DeviceSubject.longestBytes,
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else {
      throw .malformedCertificate(
        "the \(what) must have 1 to \(DeviceSubject.longestBytes) bytes and no control characters")
    }
    // serialNumber is a PrintableString wherever it can be, as X.520 has it.
    if type == serialNumber,
      let value = try? RelativeDistinguishedName.Attribute.Value(printableString: text)
    {
      return RelativeDistinguishedName(.init(type: type, value: value))
    }
    return RelativeDistinguishedName(.init(type: type, utf8String: text))
  }

  /// The texts of a name by their types; nil when one comes twice, stands beside another in one part,
  /// or is no text.
  static func attributes(of name: DistinguishedName) -> [ASN1ObjectIdentifier: String]? {
    var texts: [ASN1ObjectIdentifier: String] = [:]
    for part in name {
      guard part.count == 1, let attribute = part.first, texts[attribute.type] == nil,
        let text = String(attribute.value)
      else { return nil }
      texts[attribute.type] = text
    }
    return texts
  }
}
