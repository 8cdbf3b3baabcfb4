import Inspection
import PDFWriting
import TimeAndText

extension Dossier {
  /// A set of pictures.
  public struct SetPart {
    /// The set with its frames.
    public var set: FrameSet
    /// The inspector's full name; nil if only the login is known.
    public var inspectorName: String?
    /// The SHA-256 of the set's sealed record.
    public var record: String
    /// Reads the file of a frame by its number, from 1, and compares it with its digest. Called for
    /// the frames that the document shows, once for each.
    public var frame: (Int) throws -> [UInt8]

    /// Creates a set's part of a dossier.
    public init(
      _ set: FrameSet, inspectorName: String?, record: String,
      frame: @escaping (Int) throws -> [UInt8]
    ) {
      (self.set, self.inspectorName) = (set, inspectorName)
      (self.record, self.frame) = (record, frame)
    }
  }
}

/// The content of the PDF of one set.
public struct SetDossier {
  /// The set.
  public var part: Dossier.SetPart
  /// The agency's name for people.
  public var agencyTitle: String
  /// The name of the set's task; nil for a set without one.
  public var taskName: String?
  /// The language of the document's words.
  public var language = DocumentLanguage.english
  /// True if everything is a demonstration; every page then says so.
  public var isDemonstration: Bool
  /// The time at which the document is made.
  public var made: DeviceTime
  /// The name and version of the program that makes the document.
  public var software: String

  /// Creates a dossier of one set.
  public init(
    part: Dossier.SetPart, agencyTitle: String, taskName: String?, isDemonstration: Bool,
    made: DeviceTime, software: String
  ) {
    (self.part, self.agencyTitle, self.taskName) = (part, agencyTitle, taskName)
    (self.isDemonstration, self.made, self.software) = (isDemonstration, made, software)
  }
}
