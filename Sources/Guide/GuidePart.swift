/// A part of the guide to which pages of the programs lead: a page of the guide, and a heading on
/// it. The raw value is both, as an address has them.
package enum GuidePart: String, Sendable, CaseIterable {
  // The field unit.
  case field = "inspector#for-inspectors"
  case fieldSignIn = "inspector#sign-in"
  case firstStart = "inspector#check-the-device-once"
  case receiver = "inspector#set-up-the-receiver"
  case surroundings = "inspector#radio-surroundings"
  case fieldSettings = "inspector#change-your-settings"
  case sky = "inspector#look-at-the-sky"
  case home = "inspector#read-the-home-page"
  case fieldTasks = "inspector#find-and-open-a-task"
  case camera = "inspector#take-a-photo"
  case photoAlone = "inspector#take-a-photo-without-a-task"
  case fieldPhoto = "inspector#look-at-a-photo"
  case photoPoints = "inspector#take-the-same-view-again"
  case fieldSets = "inspector#show-a-thing-from-all-sides"
  case fieldComposites = "inspector#lay-an-earlier-photo-over-a-later-one"
  case fieldMap = "inspector#use-the-map"
  case guidance = "inspector#let-it-guide-you-to-a-parcel"
  case offlineArea = "inspector#keep-an-area-for-the-time-without-a-network"
  case fieldTrack = "inspector#record-a-track"
  case send = "inspector#send-a-task"
  case outbox = "inspector#follow-the-delivery"
  case ownThings = "inspector#see-your-things-at-the-office"
  case fieldPhones = "inspector#use-your-phone-as-the-camera"
  case fieldSignOut = "inspector#sign-out"
  case fieldTrouble = "inspector#when-something-is-wrong"

  // The office, for officers.
  case office = "officer#for-officers"
  case findTask = "officer#find-a-task"
  case templates = "officer#build-a-template"
  case statistics = "officer#count-the-answers"
  case review = "officer#review-a-task"
  case decide = "officer#decide"
  case undo = "officer#undo-a-decision"
  case severalTasks = "officer#decide-several-tasks-at-once"
  case phonePhoto = "officer#photos-from-phones-and-from-an-older-office"
  case newTask = "officer#give-out-a-task"
  case tasksFromFile = "officer#give-out-many-tasks-from-a-file"
  case changeOrder = "officer#change-or-withdraw-an-order"
  case sections = "officer#add-sections-and-further-parcels"
  case attachments = "officer#attach-files-to-an-order"
  case photosWithoutTask = "officer#photos-without-a-task"
  case officePoints = "officer#photo-points"
  case officeSets = "officer#look-at-a-thing-from-all-sides"
  case officeComposites = "officer#then-and-now"
  case officeTracks = "officer#tracks"
  case officeMap = "officer#use-the-map"
  case inspectors = "officer#see-what-inspectors-have"
  case takeAway = "officer#take-data-away"
  case officeLog = "officer#read-the-log"
  case account = "officer#your-account"
  case officeTrouble = "officer#when-something-is-wrong"

  // The office, for administrators.
  case firstRun = "administrator#first-start-of-the-office"
  case devices = "administrator#set-up-a-device"
  case people = "administrator#people-and-devices"
  case policy = "administrator#set-rules-and-reasons"
  case phones = "administrator#phones-with-the-egnss4cap-apps"
  case parcels = "administrator#parcels"
  case baseMaps = "administrator#maps"
  case agencies = "administrator#agencies"

  /// The address of the part in both programs.
  package var href: String { "/help/\(rawValue)" }

  /// The page of the guide; nil if the guide has none of that name, which a test excludes.
  var page: GuidePage? { GuidePage(rawValue: String(rawValue.prefix { $0 != "#" })) }

  /// The name of the heading in addresses.
  var anchor: String { String(rawValue.drop { $0 != "#" }.dropFirst()) }
}
