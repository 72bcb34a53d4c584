import Domain

/// A call to ship or drop a group that an earlier night published: the latest of that group.
package struct MadeCall: Sendable, Hashable {
  /// The night's date.
  package var night: String
  package var offering: Identifier
  package var group: Identifier
  package var call: Call

  package init(night: String, offering: Identifier, group: Identifier, call: Call) {
    (self.night, self.offering, self.group, self.call) = (night, offering, group, call)
  }

  /// Why it no longer stands, where nothing else on the page says so: `Ship was said on 12 March 2026 and is taken back: …`
  ///
  /// A decision that was shown stays shown in the data of that time. A failed check says for itself that it takes calls
  /// back, an opposite that was shown later says so beside its size, and what is to be weighed names both sides.
  ///
  /// - Parameters:
  ///   - call: tonight's of the group.
  ///   - isOverturned: the opposite of what was shown has been shown since.
  func reversal(by call: Call, isOverturned: Bool) -> String? {
    guard call != self.call, call != .choose, call != .doNotTrust, !isOverturned else { return nil }
    let day = TimeText.day(night).map { Phrase.day(CivilDate(day: $0)) } ?? night
    let word = self.call.rawValue.prefix(1).uppercased() + self.call.rawValue.dropFirst()
    return "\(word) was said on \(day) and is taken back: the data of that time has changed and no longer shows it."
  }
}
