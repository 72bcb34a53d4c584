/// What a column of a stranger's table may be, and what people call such a column.
struct ColumnRole: Sendable {
  /// The product's name of the field.
  let field: String
  /// Names in small letters and digits alone, the likeliest first.
  let names: [String]
  /// Words of a name that says that the column is something else, though a part of it is one of the names.
  var otherWords: Set<String> = []
  /// A name of several words may end with one of the names, and say of which group it is: `campaign_arm`.
  var endsWithName = false
  /// Whether it tells when.
  var isTime = false
  /// Words of a name that say it more surely than any of the names.
  var ownWords: Set<String> = []
  /// Whether the values can be it.
  let fits: @Sendable (ColumnValues) -> Bool

  static let user = ColumnRole(
    field: "user",
    names: [
      "userid", "user", "customerid", "customer", "appuserid", "accountid", "account", "clientid", "client", "memberid",
      "member", "subscriberid", "subscriber", "playerid", "profileid", "distinctid", "visitorid", "buyerid", "personid",
      "anonymousid", "deviceid", "uid", "uuid", "customeremail", "useremail", "email", "kunde", "kundennummer",
      "usuario",
      "cliente", "utilisateur", "nutzer", "benutzer", "utente",
    ], fits: { !$0.areAllEqual })

  static let offering = ColumnRole(
    field: "offering",
    names: [
      "offeringid", "offering", "subscriptionofferingid", "experimentid", "experiment", "experimentname",
      "experimentkey", "testid", "testname", "test", "abtest", "flagkey", "flag", "feature", "campaign", "prueba",
      "experimento",
    ], fits: { $0.areFew && ($0.areNumbers || !$0.areTimes) })

  static let group = ColumnRole(
    field: "group",
    names: [
      "testgroupid", "testgroup", "offeringgroupid", "groupid", "groupname", "group", "variantid", "variantname",
      "variant", "variationid", "variationname", "variation", "experimentvariant", "experimentgroup", "abgroup", "arm",
      "bucket", "cohort", "treatment", "branch", "assignment", "gruppe", "variante", "grupo", "groupe", "segment",
    ], endsWithName: true, fits: { $0.areFew })

  static let assignedAt = ColumnRole(
    field: "assigned_at",
    names: [
      "assignedat", "assignedon", "assigneddate", "assigned", "assignmenttime", "assignmentdate", "enrolledat",
      "enrolled", "exposedat",
      "firstexposure", "firstseenat", "firstseen", "bucketedat", "joinedat", "joined", "createdat", "created",
      "timestamp", "eventtimestamp", "eventdatetime", "eventtime", "zugeteiltam", "zugewiesenam", "angemeldetam",
      "datetime", "date", "time", "ts",
      "zeitpunkt", "datum", "fecha", "wann", "when", "quando", "data",
    ], otherWords: otherTimes, isTime: true,
    ownWords: [
      "assigned", "assignment", "randomized", "randomised", "randomization", "randomisation", "allocated", "allocation",
      "bucketed", "bucketing", "enrolled", "enrollment", "enrolment", "exposed", "exposure", "zugeteilt", "zugewiesen",
    ], fits: { $0.areTimes })

  /// Words of times that are not when something happened: when a row was written or carried over, when something ends, is
  /// taken back or sent.
  private static let otherTimes: Set<String> = [
    "updated", "update", "modified", "changed", "synced", "ingested", "loaded", "extracted", "emitted", "exported",
    "imported", "upload", "uploaded", "received", "processing", "expires", "expire", "expiration", "expiry", "end",
    "ends",
    "ended", "until", "valid", "due", "next", "cancelled", "canceled", "cancellation", "refund", "refunded", "refunds",
    "deleted", "removed", "shipped", "shipping", "delivered", "birth", "birthday", "birthdate", "dob", "born",
    "install", "installed",
    "signup", "status",
    "registered", "registration", "trial", "last", "server",
  ]

  static let userID = ColumnRole(field: "userId", names: user.names, fits: user.fits)

  static let occurredAt = ColumnRole(
    field: "occurredAt",
    names: [
      "occurredat", "paidat", "purchasedat", "purchasedate", "chargedat", "orderedat", "orderdate", "processedat",
      "transactiondate", "transactiontime", "paymentdate", "invoicedate", "saledate", "soldat", "billedat",
      "completedat", "createdat", "createdutc", "created",
      "eventtimestamp", "eventdatetime", "eventtime", "boughtat", "paidon", "orderedon", "purchasedon", "timestamp",
      "bezahltam", "gekauftam",
      "bestelltam",
      "kaufdatum", "zahlungsdatum", "bestelldatum", "fechadepago", "fechadecompra", "datedepaiement", "datedachat",
      "datetime", "eventdate", "date", "time", "ts", "zeitpunkt", "datum", "fecha", "paid", "bought", "purchased",
      "bezahlt",
      "gekauft", "pagado", "wann", "when", "quando", "data",
    ], otherWords: otherTimes, isTime: true, fits: { $0.areTimes })

  static let productID = ColumnRole(
    field: "productId",
    names: [
      "productid", "product", "productidentifier", "sku", "lineitemsku", "productsku", "planid", "plan", "priceid",
      "itemid", "item", "productname", "lineitemname", "package", "packageid", "description", "produkt", "artikel",
      "producto", "produit", "stockcode", "articlecode", "articleid", "asin", "isbn", "barcode", "upc", "ean",
    ], fits: { !$0.values.isEmpty })

  /// What was paid in all comes before what it was made of.
  static let price = ColumnRole(
    field: "price",
    names: [
      "amountpaid", "paidamount", "chargedamount", "amountcharged", "totalpaid", "grandtotal", "ordertotal",
      "totalamount",
      "totalprice", "linetotal", "total", "grossamount", "gross", "revenue", "amount", "price", "value",
      "lineitemprice",
      "unitprice", "itemprice", "subtotal", "sum", "spend", "spent", "betrag", "umsatz", "preis", "importe", "precio",
      "monto", "montant", "prix",
    ], fits: { $0.areAmounts })

  static let currency = ColumnRole(
    field: "currency",
    names: ["currency", "currencycode", "ccy", "curr", "waehrung", "währung", "moneda", "divisa", "devise", "valuta"],
    fits: { $0.areCurrencies })

  /// Words of transactions that came before the row's own, which renewals share, and of what an order has beside its number.
  private static let otherTransactions: Set<String> = [
    "original", "first", "initial", "previous", "parent", "linked", "related", "refund", "refunded", "time", "date",
    "day",
    "hour", "at", "total", "amount", "value", "price", "status", "state", "type", "kind", "method", "count", "item",
    "quantity", "notes", "note", "name", "email", "url", "source", "channel", "country",
  ]

  static let transactionID = ColumnRole(
    field: "transactionId",
    names: [
      "transactionid", "orderid", "chargeid", "paymentid", "paymentintentid", "invoiceid", "txid", "receiptid",
      "transaction", "ordernumber", "orderno", "invoicenumber", "invoiceno", "receiptnumber", "receiptno",
      "bestellnummer", "bestellnr", "auftragsnummer", "auftragsnr", "rechnungsnummer", "rechnungsnr", "belegnummer",
      "belegnr", "basketid", "pedido", "commande", "order", "invoice", "receipt", "purchaseid",
      "saleid", "salesid", "bookingid", "reservationid", "ticketid", "entryid", "recordid", "trxid", "transid",
      "transactionno", "transactionnumber", "paymentreference", "identifier", "id", "reference", "name",
    ], otherWords: otherTransactions, fits: { $0.areTransactions })

  /// The number of an order, which may stand on a row for each of its items.
  static let orderNumber = ColumnRole(
    field: "transactionId",
    names: [
      "transactionid", "orderid", "ordernumber", "orderno", "chargeid", "paymentid", "invoiceid", "invoicenumber",
      "invoiceno", "receiptid", "receiptnumber", "receiptno", "basketid", "bestellnummer", "bestellnr",
      "auftragsnummer",
      "auftragsnr", "rechnungsnummer", "rechnungsnr", "belegnummer", "belegnr", "pedido", "commande",
    ], otherWords: otherTransactions, fits: { $0.areOrderNumbers })

  static let eventType = ColumnRole(
    field: "eventType", names: ["eventtype", "type", "event", "eventname", "action"],
    fits: { $0.areEventTypes })

  static let eventID = ColumnRole(
    field: "eventId", names: ["eventid", "insertid", "messageid", "eventuuid", "uuid", "rowid"], fits: { $0.areUnique })

  static let originalTransactionID = ColumnRole(
    field: "originalTransactionId", names: ["originaltransactionid", "originalorderid"], fits: { !$0.values.isEmpty })

  static let alias = ColumnRole(
    field: "alias",
    names: ["alias", "anonymousid", "originaltransactionid", "oldid", "fromid", "appuseralias", "from"],
    fits: { !$0.values.isEmpty })

  /// Columns of assignments that split users well, by the names people give them.
  static let attributeNames: Set<String> = [
    "country", "countrycode", "region", "platform", "os", "device", "devicetype", "appversion", "language", "locale",
    "channel", "source", "store",
  ]

  /// Names of columns that hold texts for people, which may or may not tell one thing apart from another.
  static let freeTexts: Set<String> = ["description", "name", "reference", "value"]

  /// A column's name in small letters and digits alone: `Created (UTC)` is `createdutc`, `data.user_id` is `userid`.
  static func plain(_ name: String) -> String { ColumnName(name).plain }
}
