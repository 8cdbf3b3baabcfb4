/// The spread of the numbers that were given for a question, each with the number of its tasks.
public struct NumberSpread: Hashable, Sendable {
  /// A part of the range from the least to the largest number.
  public struct Part: Hashable, Sendable {
    /// The number at which it begins.
    public let start: Double
    /// The number of tasks whose numbers lie in it. The largest number lies in the last part.
    public fileprivate(set) var tasks: Int
  }

  /// The least number.
  public let least: Double
  /// The largest number.
  public let most: Double
  /// The mean over all tasks.
  public let mean: Double
  private let numbers: [Double: Int]

  /// Creates the spread of numbers; nil if there are none, or if they lie too far apart to be counted.
  /// - Parameter numbers: the number of tasks, 1 or more, of each number; the numbers are finite.
  public init?(_ numbers: [Double: Int]) {
    let tasks = Double(numbers.values.reduce(0, +))
    guard let least = numbers.keys.min(), let most = numbers.keys.max(), (most - least).isFinite
    else { return nil }
    (self.least, self.most, self.numbers) = (least, most, numbers)
    // Each number's share is small: a sum of the numbers themselves could be infinite.
    mean = numbers.reduce(0) { $0 + $1.key * (Double($1.value) / tasks) }
  }

  /// Returns parts of equal width, from the least number on; nil if all numbers are equal.
  public func parts(_ count: Int) -> (width: Double, parts: [Part])? {
    let width = (most - least) / Double(count)
    guard count > 0, width > 0 else { return nil }
    var parts = (0..<count).map { Part(start: least + Double($0) * width, tasks: 0) }
    for (number, tasks) in numbers {
      let place = Int(exactly: ((number - least) / width).rounded(.down)) ?? count - 1
      parts[min(count - 1, max(0, place))].tasks += tasks
    }
    return (width, parts)
  }
}
