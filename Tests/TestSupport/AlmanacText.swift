/// Almanacs of satellites that nobody launched, in the form of YUMA.
public enum AlmanacText {
  /// Returns one satellite's entry.
  /// - Parameters:
  ///   - week: the week of GPS, which real almanacs count from 0 to 1023.
  ///   - id: the satellite's number.
  ///   - node: the right ascension of its node, radians, at most 7.
  ///   - anomaly: its mean anomaly, radians, at most 7.
  public static func yuma(
    week: Int, id: Int = 7, node: Double = 1, anomaly: Double = 2
  ) -> String {
    """
    ******** Week \(week) almanac for PRN-\(id) ********
    ID:                         \(id)
    Health:                     000
    Eccentricity:               0.1234567890E-002
    Time of Applicability(s):  122400.0000
    Orbital Inclination(rad):   0.9599310886
    Rate of Right Ascen(r/s):  -0.7940000000E-008
    SQRT(A)  (m 1/2):           5153.600000
    Right Ascen at Week(rad):   \(node)
    Argument of Perigee(rad):   0.5
    Mean Anom(rad):             \(anomaly)
    Af0(s):                     0.1000000000E-004
    Af1(s/s):                   0.0000000000E+000
    week:                       \(week)

    """
  }
}
