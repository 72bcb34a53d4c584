/// A number as the unevaluated sum of two doubles: about 32 significant digits.
///
/// Distribution functions of huge parameters hang on small differences of large numbers, like a − (a + b)·x;
/// these few operations keep such a difference accurate. Algorithms of Dekker (1971) and Knuth (TAOCP 2,
/// 4.2.2), products by fused multiply-add.
struct DoubleDouble: Sendable {
  let high: Double
  let low: Double

  init(_ value: Double) {
    high = value
    low = 0
  }

  /// The exact sum of two doubles.
  init(sum a: Double, _ b: Double) {
    high = a + b
    let part = high - a
    low = (a - (high - part)) + (b - part)
  }

  /// The exact product of two doubles.
  init(product a: Double, _ b: Double) {
    high = a * b
    low = high.isFinite ? (-high).addingProduct(a, b) : 0
  }

  /// Both parts, brought to the form in which the high one is their rounded sum.
  init(high: Double, low: Double) {
    let sum = high + low
    self.high = sum
    self.low = sum.isFinite ? low - (sum - high) : 0
  }

  /// The nearest double.
  var value: Double { high + low }

  static func + (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let sum = DoubleDouble(sum: a.high, b.high)
    let rest = DoubleDouble(sum: a.low, b.low)
    let first = DoubleDouble(high: sum.high, low: sum.low + rest.high)
    return DoubleDouble(high: first.high, low: first.low + rest.low)
  }

  static prefix func - (a: DoubleDouble) -> DoubleDouble {
    DoubleDouble(high: -a.high, low: -a.low)
  }

  static func - (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    a + (-b)
  }

  static func * (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let product = DoubleDouble(product: a.high, b.high)
    return DoubleDouble(high: product.high, low: product.low + (a.high * b.low + a.low * b.high))
  }

  static func / (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let first = a.high / b.high
    let rest = a - b * DoubleDouble(first)
    return DoubleDouble(high: first, low: rest.value / b.high)
  }
}
