/// Sums that no group of users can have, or that cannot be read.
///
/// A difference smaller than 10⁻⁹ of the sums it is made of counts as rounding of typed-in decimals, and is
/// not an error.
public enum SumsError: Error, Sendable, Hashable {
  /// The text of a sum is not a decimal number.
  case notANumber(SumField, text: String)
  /// A number has more than 400 digits, or an exponent beyond ±400.
  case outOfRange(SumField, text: String)
  /// n is negative.
  case negativeCount
  /// n has a fraction.
  case countNotWhole(text: String)
  /// n = 0, yet this sum is not zero.
  case sumWithoutUsers(SumField)
  /// A sum of squares is negative.
  case negativeSquares(SumField)
  /// n·Σv² < (Σv)²: the variance of this sum's variable would be negative.
  case squaresTooSmall(SumField)
  /// n = 1, yet Σv² ≠ (Σv)²: one user cannot vary.
  case varianceOfOneUser(SumField)
  /// A sum of products is larger than the variances allow (Cauchy–Schwarz).
  case productTooLarge(SumField)
  /// A proportion's sums are not those of zeros and ones: needs 0 ≤ Σy ≤ n and Σy² = Σy.
  case notZerosAndOnes
}

/// The name of one of a group's sums.
public enum SumField: String, Sendable, Hashable, CaseIterable {
  /// The number of users.
  case n
  /// Σy.
  case sumY = "sum_y"
  /// Σy².
  case sumYY = "sum_yy"
  /// Σx.
  case sumX = "sum_x"
  /// Σx².
  case sumXX = "sum_xx"
  /// Σxy.
  case sumXY = "sum_xy"
  /// Σc.
  case sumC = "sum_c"
  /// Σc².
  case sumCC = "sum_cc"
  /// Σyc.
  case sumYC = "sum_yc"
  /// Σxc.
  case sumXC = "sum_xc"
}

extension SumsError: CustomStringConvertible {
  /// The sum at fault: where to look in a table of sums.
  public var field: SumField {
    switch self {
    case .notANumber(let field, _), .outOfRange(let field, _), .sumWithoutUsers(let field),
      .negativeSquares(let field), .squaresTooSmall(let field), .varianceOfOneUser(let field),
      .productTooLarge(let field):
      field
    case .negativeCount, .countNotWhole: .n
    case .notZerosAndOnes: .sumYY
    }
  }

  /// What is wrong, in a sentence, and what would be right.
  public var description: String {
    switch self {
    case .notANumber(let field, let text):
      "\(field.rawValue) \"\(text)\" is not a decimal number; write it like 12.345 or 1e-05."
    case .outOfRange(let field, let text):
      "\(field.rawValue) \"\(text.prefix(40))\" has too many digits or too large an exponent."
    case .negativeCount:
      "n is negative; it is the number of users."
    case .countNotWhole(let text):
      "n \"\(text)\" is not a whole number; it is the number of users."
    case .sumWithoutUsers(let field):
      "n is 0, yet \(field.rawValue) is not 0; a group without users has no sums."
    case .negativeSquares(let field):
      "\(field.rawValue) is negative; a sum of squares cannot be."
    case .squaresTooSmall(let field):
      "\(field.rawValue) is too small: n times the sum of squares must reach the square of the sum."
    case .varianceOfOneUser(let field):
      "n is 1, so \(field.rawValue) must be the square of the sum."
    case .productTooLarge(let field):
      "\(field.rawValue) is too large for the sums of squares it goes with (Cauchy-Schwarz)."
    case .notZerosAndOnes:
      "the sums of a proportion must be those of zeros and ones: 0 <= sum_y <= n and sum_yy = sum_y."
    }
  }
}
