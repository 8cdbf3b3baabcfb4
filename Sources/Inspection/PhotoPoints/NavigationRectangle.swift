import Foundation

// The problem: an inspector looks at the camera's picture and has to bring it onto an earlier one,
// whose middle may lie anywhere: in the picture, beside it, behind the inspector's back.
//
// The obvious idea: draw the earlier picture's frame where it truly lies. Once it is out of view
// there is nothing to see. The next one: put it at the screen's edge. It then says where to turn,
// and not how far.
//
// The solution: two maps of the directions round the inspector. In view, the true projection holds.
// Out of view, the whole turn fits the screen: the frame is small there, as on a map. Between the
// edge of the view and twice its half width the one passes into the other, so that the frame never
// jumps: the map zooms out.

/// The frame on the camera's picture that leads back to an earlier picture.
///
/// Turning the camera right moves the frame left; lifting the lens moves it down.
public struct NavigationRectangle: Hashable, Sendable {
  /// The view of a camera.
  public struct View: Hashable, Sendable {
    /// The width of the picture on the screen, in pixels, above 0.
    public let widthPixels: Double
    /// The height of the picture on the screen, in pixels, above 0.
    public let heightPixels: Double
    /// The tangent of half the horizontal field of view.
    let halfWidthTangent: Double

    /// Creates a view; nil if a length is not above 0, or if the angle is not above 0 and below 180
    /// degrees.
    public init?(widthPixels: Double, heightPixels: Double, horizontalDegrees: Double) {
      guard widthPixels > 0, heightPixels > 0, widthPixels.isFinite, heightPixels.isFinite,
        horizontalDegrees > 0, horizontalDegrees < 180
      else { return nil }
      self.widthPixels = widthPixels
      self.heightPixels = heightPixels
      halfWidthTangent = tan(horizontalDegrees * .pi / 360)
    }

    /// The distance from the lens to the picture, in pixels.
    var focalPixels: Double { widthPixels / 2 / halfWidthTangent }
  }

  /// The frame's middle from the picture's left edge, in pixels.
  public let x: Double
  /// The frame's middle from the picture's upper edge, in pixels.
  public let y: Double
  /// The frame's turn, degrees clockwise on the screen.
  public let turnDegrees: Double
  /// The frame's width, in pixels.
  public let widthPixels: Double
  /// The frame's height, in pixels.
  public let heightPixels: Double
  /// True if the middle of the earlier picture lies in the present one.
  public let isInView: Bool

  /// The share of the way from the edge of the view, in half widths of it, over which the true
  /// projection passes into the map of the whole turn.
  static let passage = 1.0...2.0

  /// Creates the frame.
  /// - Parameters:
  ///   - relative: The rotation from the earlier picture to the present one.
  ///   - view: The present picture on the screen.
  ///   - reference: The earlier picture, in pixels of any size: its shape and its angle count.
  public init(relative: RelativeAttitude, in view: View, reference: View) {
    let (width, height) = (view.widthPixels, view.heightPixels)
    let direction = relative.referenceDirection
    let map = (
      x: (relative.rollDegrees + 180) / 360 * width,
      y: (relative.pitchDegrees + 90) / 180 * height
    )
    let scale = reference.halfWidthTangent / view.halfWidthTangent
    let shape = reference.heightPixels / reference.widthPixels
    turnDegrees = relative.yawDegrees
    guard direction.z < 0 else {
      (x, y, isInView) = (map.x, map.y, false)
      widthPixels = width * scale * view.shareOfTurn
      heightPixels = widthPixels * shape
      return
    }
    let focal = view.focalPixels
    let projected = (
      x: width / 2 + focal * direction.x / -direction.z,
      y: height / 2 - focal * direction.y / -direction.z
    )
    let beyond = max(abs(projected.x / width - 0.5), abs(projected.y / height - 0.5)) * 2
    isInView = beyond <= Self.passage.lowerBound
    let share = Self.smooth(
      (beyond - Self.passage.lowerBound) / (Self.passage.upperBound - Self.passage.lowerBound))
    // Beyond the passage the projection may be infinite, and infinity times nothing is no number.
    x = share == 1 ? map.x : projected.x + (map.x - projected.x) * share
    y = share == 1 ? map.y : projected.y + (map.y - projected.y) * share
    widthPixels = width * scale * (1 + (view.shareOfTurn - 1) * share)
    heightPixels = widthPixels * shape
  }

  /// Creates the frame of a first picture: in the middle, turned with the horizon as a level.
  /// - Parameter rollDegrees: The roll of the camera, degrees clockwise as the photographer sees it.
  public init(levelFor rollDegrees: Double, in view: View) {
    (x, y) = (view.widthPixels / 2, view.heightPixels / 2)
    turnDegrees = -rollDegrees
    (widthPixels, heightPixels) = (view.widthPixels, view.heightPixels)
    isInView = true
  }

  /// Returns 0 below 0, 1 above 1, and between them a curve without a bend at either end.
  private static func smooth(_ share: Double) -> Double {
    let held = min(1, max(0, share))
    return held * held * (3 - 2 * held)
  }
}

extension NavigationRectangle.View {
  /// The share of a whole turn that the picture shows across its width.
  var shareOfTurn: Double { atan(halfWidthTangent) / .pi }
}
