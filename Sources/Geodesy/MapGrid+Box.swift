import Foundation

extension MapGrid {
  /// Returns the part of the world that a cell covers; nil if the numbers are no cell of this
  /// level.
  /// - Parameter inset: the share of the cell's width and height to leave out on each side, 0 ..<
  ///   0.5. Neighbours share their sides: only a slightly smaller box touches one cell alone.
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
