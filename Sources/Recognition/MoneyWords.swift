/// The words that columns of money are called by.
enum MoneyWords {
  /// What was paid.
  static let amounts: Set<String> = [
    "price", "amount", "total", "revenue", "paid", "gross", "sum", "value", "spend", "spent", "charged", "subtotal",
    "sales", "betrag", "umsatz", "preis", "summe", "gesamt", "importe", "precio", "monto", "montant", "prix", "prezzo",
    "importo",
  ]

  /// What is beside the money that was paid, or a part of it.
  static let others: Set<String> = [
    "tax", "taxes", "taxed", "vat", "fee", "fees", "proceeds", "proceed", "refund", "refunded", "refunds", "discount",
    "discounts", "shipping", "tip", "tips", "cost", "costs", "commission", "rate", "percentage",
    "percent",
    "pct", "balance", "ltv", "id", "count", "quantity", "qty", "units", "weight", "score", "list", "msrp", "regular",
    "compare", "before", "base", "full", "steuer", "mwst", "rabatt", "versand", "impuesto", "descuento", "takehome",
    "profit",
    "margin", "recurring", "next", "zip", "postal", "phone", "number", "version", "estimated", "budget", "due",
    "outstanding", "freight", "postage", "income", "cogs", "netto", "type", "returns", "returned", "index", "tier",
    "plan", "lifetime", "predicted", "average",
    "avg", "mean",
    "max", "min", "cumulative", "running", "sessions", "visits", "clicks", "views", "users", "orders", "items", "days",
    "seconds", "minutes", "hours", "events", "installs", "points", "credits", "rank",
  ]

  /// That an amount is of one piece.
  static let units: Set<String> = [
    "unit", "unitprice", "each", "per", "piece", "single", "item", "itemprice", "lineitemprice",
  ]

  /// That an amount is of everything in a row.
  static let totals: Set<String> = [
    "total", "gross", "revenue", "sum", "paid", "charged", "subtotal", "spend", "spent", "sales", "summe", "gesamt",
    "umsatz", "linetotal", "ordertotal", "grandtotal", "totalprice", "totalamount",
  ]

  static let quantities: Set<String> = [
    "quantity", "qty", "quantities", "units", "menge", "anzahl", "stückzahl", "cantidad", "quantité", "quantite",
    "quantità", "lineitemquantity", "pieces", "itemcount", "seats", "seat", "seatcount", "licenses", "licences",
    "items",
    "nights", "pcs", "copies", "tickets", "numitems", "itemsbought", "itemspurchased",
  ]

  /// What is left of an amount once something is taken off, which may be a discount, or a fee that the customer paid.
  static let reduced: Set<String> = ["net", "discounted"]

  /// What others than the seller keep of what a customer paid.
  static let retained: Set<String> = [
    "tax", "taxes", "vat", "fee", "fees", "commission", "shipping", "tip", "tips", "steuer", "mwst", "versand",
    "impuesto",
  ]

  /// What is taken off a price.
  static let discounts: Set<String> = ["discount", "discounts", "rabatt", "descuento", "remise", "sconto", "coupon"]

  /// That an amount is in the currency that somebody paid in, which another column names.
  static let local: Set<String> = [
    "local", "purchased", "original", "buyer", "customer", "transaction", "native", "store",
  ]

  static let currencies: Set<String> = [
    "currency", "currencycode", "ccy", "curr", "waehrung", "währung", "moneda", "divisa", "devise", "valuta",
  ]

  /// Words that say nothing of which money it is.
  static let fillers: Set<String> = [
    "in", "of", "the", "order", "line", "lineitem", "item", "unit", "event", "code", "iso", "and", "incl", "including",
    "with", "per", "each", "is", "currency", "currencycode", "ccy", "curr",
  ]
}
