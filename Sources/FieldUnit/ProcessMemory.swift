import CMalloc

/// How much of the device's memory the program holds. What was used for a picture or a delivery is wanted
/// again by the browser beside it: with the C library's own habits it stays with the program for ever, some
/// 30 MB of it (docs/measured.md).
public enum ProcessMemory {
  /// Few places from which memory is taken, instead of eight for each core: what is free in one of them is
  /// not asked for from the system by another. To be called before other threads begin.
  public static func beginSparingly() {
    standpoint_limit_arenas(2)
  }

  /// Gives back what is free, behind something that needed a great deal. So is most of the program's code: the
  /// start and a delivery run through 30 MB of it, and nothing but a photo's or a page's needs it again.
  /// What is run next comes back from the file, or from where the system still keeps it. A debugger's
  /// breakpoints go with it.
  static func giveBack() {
    standpoint_release_free_memory()
    standpoint_release_code()
  }
}
