/// The things that a task holds, as they are counted before it is sent.
public struct TaskContents: Hashable, Sendable {
  /// The number of its photos that are not deleted.
  public var photos: Int
  /// The number of its finished tracks.
  public var tracks: Int
  /// The number of its tracks that are being recorded, or were cut off.
  public var unfinishedTracks: Int
  /// The number of its photo points that have neither a repeat nor a reason.
  public var lackingRepeats: Int
  /// Its sets.
  public var sets: [FrameSetHead]
  /// The standing of its order's items; nil if its order has none.
  public var items: ItemStanding?

  /// Creates the contents of a task; what is not named is not there.
  public init(
    photos: Int, tracks: Int = 0, unfinishedTracks: Int = 0, lackingRepeats: Int = 0,
    sets: [FrameSetHead] = [], items: ItemStanding? = nil
  ) {
    self.photos = photos
    self.tracks = tracks
    self.unfinishedTracks = unfinishedTracks
    self.lackingRepeats = lackingRepeats
    self.sets = sets
    self.items = items
  }
}
