/// What the inspector has set for the map and for tracks.
struct MapPreferences: Hashable, Sendable {
  /// Whether the map begins by following the inspector.
  var follows = true
  /// Whether a point that is recorded makes a tone.
  var tonesOnPoint = false
  /// Seconds from one point of a track to the next, at least.
  var trackIntervalSeconds = 1.0
}

extension FieldServer {
  /// The one place that map and tracks ask for what the inspector has set.
  var mapPreferences: MapPreferences { MapPreferences() }
}
