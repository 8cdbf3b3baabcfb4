import Evidence

extension Authority {
  /// The private key as a file has it.
  var keyPEM: String { (signer as? SoftwareDeviceKey)?.pem ?? "" }
}
