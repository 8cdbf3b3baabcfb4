import Foundation

extension MapGrid {
  /// The part of the world that a cell covers; nil for numbers that are no cell of this level.
  /// - Parameter inset: how much of its width and height is left out on each side, 0 ..< 0.5. Neighbours
  ///   share their sides: only a box that is a little smaller touches one cell alone.
  public func box(of cell: Cell, inset: Double = 0) -> CoordinateBox? {
    let count = 1 << level
    guard (0..<count).contains(cell.x), (0..<count).contains(cell.y), (0..<0.5).contains(inset)
    else { return nil }
    func longitude(_ x: Double) -> Double { x / Double(count) * 360 - 180 }
    func latitude(_ y: Double) -> Double {
      atan(sinh(.pi * (1 - 2 * y / Double(count)))) * 180 / .pi
    }
    return CoordinateBox(
      westDegrees: longitude(Double(cell.x) + inset),
      southDegrees: latitude(Double(cell.y + 1) - inset),
      eastDegrees: longitude(Double(cell.x + 1) - inset),
      northDegrees: latitude(Double(cell.y) + inset))
  }
}
