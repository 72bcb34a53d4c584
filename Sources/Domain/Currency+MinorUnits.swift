extension Currency {
  /// How many decimals the currency's smallest unit has: cents are 2, JPY has none, KWD has 3.
  ///
  /// Source: ISO 4217, list one of SIX Financial Information, "minor unit"; a currency that is not in the list below has 2.
  /// Payment providers may differ from it: Stripe writes ISK and UGX with two decimals and MGA with none.
  package var minorUnits: Int { Self.unusualMinorUnits[text] ?? 2 }

  private static let unusualMinorUnits: [String: Int] = {
    let byDecimals = [
      (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
      (3, "BHD IQD JOD KWD LYD OMR TND"), (4, "CLF UYW"),
    ]
    return byDecimals.reduce(into: [:]) { units, currencies in
      for code in currencies.1.split(separator: " ") { units[String(code)] = currencies.0 }
    }
  }()
}
