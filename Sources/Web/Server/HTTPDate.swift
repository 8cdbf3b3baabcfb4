import Foundation

/// The date of RFC 9110, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
  /// Returns a date as header fields have it, in GMT.
  public static func text(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents(
      [.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    func digits(_ number: Int?, _ count: Int = 2) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let day = days[((parts.weekday ?? 1) - 1) % 7]
    let month = months[((parts.month ?? 1) - 1) % 12]
    return "\(day), \(digits(parts.day)) \(month) \(digits(parts.year, 4)) "
      + "\(digits(parts.hour)):\(digits(parts.minute)):\(digits(parts.second)) GMT"
  }
}
