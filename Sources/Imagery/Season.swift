/// The colours and the crop of one scene.
struct Season: Sendable {
  let skyTop: Colour
  let skyBottom: Colour
  let sun: Colour
  let hill: Colour
  let leaf: Colour
  let soil: Colour
  let crop: Colour
  let haze: Colour
  /// Half the width of a row of plants, as a share of the distance between rows.
  let rowShare: Double
  /// The height of a plant at the lower edge, in thousandths of the picture.
  let plantHeight: Double
  /// Half the width of a leaf as a share of its height.
  let leafShare: Double
  /// The distance by which leaves lean outwards, as a share of their height.
  let lean: Double

  static let all = [youngBeet, ripeWheat, springMaize]

  /// Young beet: broad leaves on brown soil under a clear sky.
  private static let youngBeet = Season(
    skyTop: Colour(red: 70, green: 138, blue: 208),
    skyBottom: Colour(red: 216, green: 234, blue: 246),
    sun: Colour(red: 255, green: 246, blue: 204), hill: Colour(red: 118, green: 152, blue: 92),
    leaf: Colour(red: 62, green: 104, blue: 50), soil: Colour(red: 138, green: 104, blue: 72),
    crop: Colour(red: 84, green: 142, blue: 56), haze: Colour(red: 176, green: 184, blue: 150),
    rowShare: 0.2, plantHeight: 30, leafShare: 0.24, lean: 0.8)

  /// Ripe wheat: gold almost from row to row, in warm light.
  private static let ripeWheat = Season(
    skyTop: Colour(red: 92, green: 142, blue: 196),
    skyBottom: Colour(red: 248, green: 230, blue: 198),
    sun: Colour(red: 255, green: 236, blue: 170), hill: Colour(red: 148, green: 152, blue: 92),
    leaf: Colour(red: 76, green: 98, blue: 48), soil: Colour(red: 164, green: 128, blue: 72),
    crop: Colour(red: 214, green: 174, blue: 88), haze: Colour(red: 224, green: 206, blue: 156),
    rowShare: 0.34, plantHeight: 44, leafShare: 0.08, lean: 0.35)

  /// Maize in spring: slender bright plants on dark soil, in a cool morning.
  private static let springMaize = Season(
    skyTop: Colour(red: 110, green: 160, blue: 210),
    skyBottom: Colour(red: 228, green: 238, blue: 240),
    sun: Colour(red: 255, green: 250, blue: 224), hill: Colour(red: 104, green: 150, blue: 104),
    leaf: Colour(red: 70, green: 118, blue: 66), soil: Colour(red: 108, green: 82, blue: 62),
    crop: Colour(red: 122, green: 176, blue: 66), haze: Colour(red: 170, green: 184, blue: 164),
    rowShare: 0.13, plantHeight: 46, leafShare: 0.1, lean: 0.65)
}
