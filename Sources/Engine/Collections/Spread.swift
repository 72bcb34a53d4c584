/// How numbers that lie close together are spread over all bits of a hash.
enum Spread {
  /// 2⁶⁴ divided by the golden ratio, the nearest odd number. Source: D. E. Knuth, The Art of Computer Programming 3, 6.4.
  @inline(__always)
  static var multiplier: UInt64 { 0x9e37_79b9_7f4a_7c15 }
}
