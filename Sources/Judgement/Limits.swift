/// The thresholds of the office's checks, each defined once, with its reason. A threshold of one check
/// stands in an extension beside that check, so that a new check is one file here; those of several are
/// below.
package enum Limits {
  /// The largest difference between the claimed position and the one computed again from the raw
  /// window, metres: both are computed by the same code from the same bytes.
  package static let recomputedDifferenceMetres = 0.001

  /// The largest difference between a phone's position and its receiver's sentences, metres: the
  /// limit that the predecessor used.
  package static let phoneAgreementMetres = 50.0
}
