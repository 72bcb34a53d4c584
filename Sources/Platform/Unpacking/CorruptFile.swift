/// A packed file that is cut off, damaged or fails its checksum, or text whose last letter is.
package struct CorruptFile: Error {
  let file: String
  /// How far the packed file was read.
  let byte: Int64
  let what: String
  /// What to do about it, as the beginning of a sentence.
  package var remedy = usualRemedy

  static let usualRemedy = "Fetch it again"

  /// Where and what, as the beginning of a sentence.
  package var fault: String { "\(file), byte \(byte): the file \(what)" }
}
