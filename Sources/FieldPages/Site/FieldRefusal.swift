import Evidence
import FieldUnit
import Foundation
import Inspection
import KeyTokens
import MapLayers
import Store
import Sync
import TimeAndText
import Web

/// A refusal of the field unit's pages, with the stable code of the error behind it.
struct FieldRefusal: Error, ProblemConvertible {
  var status: Int
  var code: String
  var wording: Wording

  var problem: Problem {
    Problem(
      status: status, code: code, title: "That did not work", detail: wording.description,
      shown: Texts.current(wording))
  }

  /// Creates the refusal that belongs to an error; nil for an unexpected error.
  init?(of error: any Error) {
    switch error {
    case let error as InspectionError: self.init(422, error.code, "\(error)")
    case let error as SendError: self.init(422, error.code, "\(error)")
    case let error as FieldUnitError:
      if case .malformedIdentifier = error {
        self.init(404, "unknown", "there is nothing at this address")
      } else if case .exportImpossible = error {
        self.init(503, error.code, "\(error)")
      } else {
        self.init(422, error.code, "\(error)")
      }
    case let error as StoreError:
      if case .unknown = error {
        self.init(404, error.code, "\(error)")
      } else {
        self.init(503, error.code, "\(error)")
      }
    case let error as DeliveryError:
      switch error {
      case .refused(let code, let detail): self.init(422, code, detail)
      case .malformedAddress, .unusablePin: self.init(400, error.code, "\(error)")
      default: self.init(502, error.code, "\(error)")
      }
    case let error as OfflineAreaError:
      self.init(error == .unknown ? 404 : 422, "offline-area", error.wording)
    case let error as TokenError: self.init(503, error.code, error.wording)
    case let error as KeyFolderError: self.init(422, error.code, error.wording)
    case let error as SyncError: self.init(502, error.code, "\(error)")
    default: return nil
    }
  }

  private init(_ status: Int, _ code: String, _ wording: Wording) {
    self.status = status
    self.code = code
    self.wording = wording
  }
}
