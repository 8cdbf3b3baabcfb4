import TimeAndText

/// The reason why an answer to an item is refused. Nothing is kept then.
public enum ItemRefusal: Error, Hashable, Sendable {
  /// The order has no item of this name.
  case unknown(String)
  /// The item depends on an answer that was not given.
  case notAsked(ItemName)
  /// The text is no answer to the item.
  case fault(AnswerFault)
  /// The reason why the item is not possible is missing or too long.
  case reason
  /// The answer rests on a photo that is not the task's.
  case photo(Identifier)
  /// The answer rests on more photos than one may.
  case tooManyPhotos
  /// The item asks for no single photo.
  case noShot(ItemName)
  /// The item has as many photos as its order allows.
  case full(ItemName, most: Int)
  /// The office has accepted the item: it is not changed any more.
  case accepted(ItemName)
  /// The reason for which an officer returns an item is missing or too long.
  case returnReason(ItemName)
  /// An officer accepts a task, and has ticked items of it to return.
  case tickedToReturn(count: Int)
  /// The lines of a mark on a photo are none.
  case mark
  /// A mark is on a photo of no item that is returned.
  case markElsewhere(Identifier)
  /// The record would be longer than an office takes.
  case tooLong
  /// A photo is to be moved, and its own record names this item.
  case photoNames(ItemName)
  /// A photo is to be moved that was returned or accepted with its item.
  case photoJudged
  /// A photo is to be moved, and its task does not wait for a decision.
  case photoNotWaiting(TaskState)

  /// The words for people.
  public var wording: Wording {
    switch self {
    case .unknown(let name):
      "the order has no item “\(name)”: its items have the names that the task's page and `task show` list"
    case .notAsked(let name):
      "“\(name.description)” is not asked for: it depends on an answer above it that was not given"
    case .fault(let fault): fault.wording
    case .reason:
      "say in words why it is not possible, in at most \(Question.charactersAtMost) characters"
    case .photo(let id):
      "photo \(id.description) does not belong to this task: choose one that does"
    case .tooManyPhotos:
      "an answer rests on at most \(AnswerRule.photosAtMost) photos: name those that show it best"
    case .noShot(let name):
      "“\(name.description)” asks for no photo: its order says what it asks for"
    case .full(let name, 1):
      "“\(name.description)” has its photo, and its order allows no other: delete that one to take another"
    case .full(let name, let most):
      "“\(name.description)” has the \(most) photos that its order allows at most: delete one to take another"
    case .accepted(let name):
      "the office has accepted “\(name.description)”: it stays as it is"
    case .returnReason(let name):
      "say in words why “\(name.description)” is returned, in at most \(ItemVerdict.reasonCharactersAtMost) characters"
    case .tickedToReturn(let count):
      count == 1
        ? "you have ticked 1 item to return: press Return, or untick it"
        : "you have ticked \(count) items to return: press Return, or untick them"
    case .mark:
      "the lines over a photo cannot be read: draw them again; at most \(PhotoMark.linesAtMost) lines are possible"
    case .markElsewhere(let id):
      "you have marked photo \(id.description), which belongs to no item that you return: return its item, too, or remove the mark"
    case .tooLong:
      "the answer is too long for an office: choose fewer, or name fewer photos"
    case .photoNames(let name):
      "the photo's record names “\(name.description)”, and a record never changes: the photo stays there"
    case .photoJudged:
      "the photo was returned or accepted with its item: it stays there"
    case .photoNotWaiting(let state):
      "the task is \(word: state.title): its photos can only be moved while it is \(word: TaskState.dataProvided.title)"
    }
  }
}

/// The limits of answers.
public enum AnswerRule {
  /// The most photos that one answer rests on.
  public static let photosAtMost = 50
  /// The longest record of an answer that an office takes, in bytes: a longer one is no answer of a
  /// field unit.
  public static let recordBytesAtMost = 131_072
}
