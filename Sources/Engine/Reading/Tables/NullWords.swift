/// How programs write NULL where a text has no other way to say it.
///
/// An id, a name of an offering or a group, a time or a price is none of these; whatever else a row tells may be.
extension Text {
  /// The text is `NULL`, `null` or `\N`.
  var isNullWord: Bool {
    @inline(__always) get { (count == 4 || count == 2) && isNullWordOfItsLength }
  }

  private var isNullWordOfItsLength: Bool { isEqual("NULL") || isEqual("null") || isEqual("\\N") }

  /// The text; none where it is a word for that.
  var orNone: Text {
    @inline(__always) get { isNullWord ? .empty : self }
  }
}
