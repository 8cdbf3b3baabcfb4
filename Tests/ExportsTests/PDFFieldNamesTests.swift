import TestSupport
import Testing

@testable import Exports

@Suite("PDF: the names of the fields")
struct PDFFieldNamesTests {
  @Test("each of them is the dictionary's, and stands in the document")
  func names() async throws {
    let names = [
      PDFFieldNames.rows(PDFFieldNames.task, of: TaskFields.table),
      PDFFieldNames.rows(PDFFieldNames.parcel, of: ParcelFields.table),
      PDFFieldNames.rows(PDFFieldNames.photo, of: PhotoFields.table),
      PDFFieldNames.rows(PDFFieldNames.track, of: TrackFields.table),
      PDFFieldNames.rows(PDFFieldNames.point, of: PointFields.table),
    ]
    #expect(
      names.map(\.count)
        == [
          PDFFieldNames.task, PDFFieldNames.parcel, PDFFieldNames.photo, PDFFieldNames.track,
          PDFFieldNames.point,
        ].map(\.count))
    try await withTemporaryDirectory { folder in
      let pdf = try PDFReading(DossierFixture.dossier(), in: folder)
      let words = try await pdf.words(page: try await pdf.pages - 1)
      #expect(words.contains("Names of the fields"))
      for row in names.flatMap(\.self) {
        #expect(words.contains(row.word) && words.contains(row.field), "\(row)")
      }
    }
  }
}
