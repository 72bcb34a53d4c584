extension Currency {
  /// A currency as a log may tell it: by its three letters, by its number in ISO 4217 (978), or by a sign that no other one
  /// has (€). What `$`, `¥` and `kr` stand for, nobody can tell.
  package init?(reported text: Span<UInt8>) {
    if let letters = Currency(text) {
      self = letters
      return
    }
    guard let currency = Self.known[text.indices.map { text[$0] }] else { return nil }
    self = currency
  }

  /// As `init(told:)`.
  package init?(reported text: some Sequence<UInt8>) {
    self.init(reported: Array(text).span)
  }

  private static let known: [[UInt8]: Currency] = {
    let numbers = iso.split(separator: " ").map { ($0.prefix(3), $0.suffix(3)) }
    let marks = signs.split(separator: " ").map { $0.split(separator: "=") }.map { ($0[0], $0[1]) }
    return (numbers + marks).reduce(into: [:]) { known, entry in
      known[Array(entry.0.utf8)] = Currency(Array(entry.1.utf8))
    }
  }()

  private static let signs =
    "€=EUR £=GBP ₹=INR ₽=RUB ₩=KRW ₺=TRY ₴=UAH ₪=ILS ₫=VND ฿=THB ₱=PHP ₦=NGN zł=PLN Kč=CZK Ft=HUF US$=USD CA$=CAD AU$=AUD "
    + "NZ$=NZD HK$=HKD R$=BRL C$=CAD A$=AUD"

  /// Source: ISO 4217, list one of SIX Financial Information; as processors of cards write them (ISO 8583, field 49).
  private static let iso =
    "008ALL 012DZD 032ARS 036AUD 044BSD 048BHD 050BDT 051AMD 052BBD 060BMD 064BTN 068BOB 072BWP 084BZD 090SBD "
    + "096BND 104MMK 108BIF 116KHR 124CAD 132CVE 136KYD 144LKR 152CLP 156CNY 170COP 174KMF 188CRC 192CUP 203CZK "
    + "208DKK 214DOP 222SVC 230ETB 232ERN 238FKP 242FJD 262DJF 270GMD 292GIP 320GTQ 324GNF 328GYD 332HTG 340HNL "
    + "344HKD 348HUF 352ISK 356INR 360IDR 364IRR 368IQD 376ILS 388JMD 392JPY 398KZT 400JOD 404KES 408KPW 410KRW "
    + "414KWD 417KGS 418LAK 422LBP 426LSL 430LRD 434LYD 446MOP 454MWK 458MYR 462MVR 480MUR 484MXN 496MNT 498MDL "
    + "504MAD 512OMR 516NAD 524NPR 532XCG 533AWG 548VUV 554NZD 558NIO 566NGN 578NOK 586PKR 590PAB 598PGK 600PYG "
    + "604PEN 608PHP 634QAR 643RUB 646RWF 654SHP 682SAR 690SCR 702SGD 704VND 706SOS 710ZAR 728SSP 748SZL 752SEK "
    + "756CHF 760SYP 764THB 776TOP 780TTD 784AED 788TND 800UGX 807MKD 818EGP 826GBP 834TZS 840USD 858UYU 860UZS "
    + "882WST 886YER 901TWD 924ZWG 925SLE 926VED 927UYW 928VES 929MRU 930STN 933BYN 934TMT 936GHS 938SDG 940UYI "
    + "941RSD 943MZN 944AZN 946RON 947CHE 948CHW 949TRY 950XAF 951XCD 952XOF 953XPF 967ZMW 968SRD 969MGA 970COU "
    + "971AFN 972TJS 973AOA 976CDF 977BAM 978EUR 979MXV 980UAH 981GEL 984BOV 985PLN 986BRL 990CLF 997USN "
}
