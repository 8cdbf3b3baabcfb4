import CMalloc

/// The memory that the program holds. Memory that was used for a picture or a delivery is wanted by
/// the browser on the same device: with the C library's defaults some 30 MB of it would stay with
/// the program permanently (docs/measured.md).
public enum ProcessMemory {
  /// Limits the allocator to two arenas, instead of eight for each core, so that memory that is
  /// free in one arena is not requested from the system by another. It must be called before other
  /// threads begin.
  public static func beginSparingly() {
    standpoint_limit_arenas(2)
  }

  /// Takes each block of half a MiB or more from the system, and gives it back at once: files that travel one
  /// after the other leave no holes. It must be called before the first of them.
  public static func keepNoLargeBlocks() {
    standpoint_map_blocks(1 << 19)
  }

  /// Gives free memory back after a step that needed much of it. It also releases most of the
  /// program's code: the start and a delivery run through 30 MB of it, of which only the code for
  /// photos and pages is needed again. Code that runs next is read from the file, or from the
  /// system's cache. A debugger's breakpoints are lost.
  static func giveBack() {
    standpoint_release_free_memory()
    standpoint_release_code()
  }
}
