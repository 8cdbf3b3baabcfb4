import SwiftASN1
import TimeAndText
import X509

// Here a person, an authority and an office are written into a certificate's name and read back.
// The attributes are those that every reader shows with words: O is the agency, CN the inspector's
// login, serialNumber the device, as X.520 means it ("the serial number of a device"). The
// certificate of an office's receipt key has OU=receipts instead. No text of a person or an agency
// can put that there, so a device's certificate never passes for an office's.

extension DeviceSubject {
  /// The longest text in a name, in UTF-8 bytes; longer ones are refused. RFC 5280 asks for 64
  /// characters at most, but agencies have longer names, and the readers that we know of accept them.
  static let longestBytes = 256

  /// Returns the subject as a certificate's name.
  /// - Throws: `EvidenceError.malformedCertificate` if a part is empty or too long, or has a
  ///   control character.
  func distinguishedName() throws(EvidenceError) -> DistinguishedName {
    DistinguishedName([
      try CertificateNames.part(.RDNAttributeType.organizationName, agency, "agency"),
      try CertificateNames.part(.RDNAttributeType.commonName, inspector, "inspector"),
      try CertificateNames.part(CertificateNames.serialNumber, device, "device"),
    ])
  }

  /// Reads the subject from a certificate's name; nil if the name is not of the form that we write.
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
  /// The object identifier of X.520's attribute serialNumber.
  static let serialNumber: ASN1ObjectIdentifier = [2, 5, 4, 5]
  /// The OU in the certificate whose key signs receipts.
  static let receipts = "receipts"

  /// Returns the name of an authority.
  static func authority(_ name: String) throws(EvidenceError) -> DistinguishedName {
    DistinguishedName([try part(.RDNAttributeType.commonName, name, "authority")])
  }

  /// Returns the name of the office that signs receipts under an authority with the given name.
  static func office(of authority: DistinguishedName) throws(EvidenceError) -> DistinguishedName {
    let name = attributes(of: authority)?[.RDNAttributeType.commonName] ?? "office"
    return DistinguishedName([
      try part(.RDNAttributeType.commonName, name, "authority"),
      try part(.RDNAttributeType.organizationalUnitName, receipts, "unit"),
    ])
  }

  /// Returns true if a name is that of an office that signs receipts.
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
    // serialNumber is a PrintableString whenever the text allows it, as X.520 has it.
    if type == serialNumber,
      let value = try? RelativeDistinguishedName.Attribute.Value(printableString: text)
    {
      return RelativeDistinguishedName(.init(type: type, value: value))
    }
    return RelativeDistinguishedName(.init(type: type, utf8String: text))
  }

  /// Returns the texts of a name by their types; nil if a type comes twice, if a part has more than
  /// one attribute, or if a value is no text.
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
