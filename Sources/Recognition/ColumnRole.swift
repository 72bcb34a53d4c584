/// What a column of a stranger's table may be, and what people call such a column.
struct ColumnRole: Sendable {
  /// The product's name of the field.
  let field: String
  /// Names in small letters and digits alone, the likeliest first.
  let names: [String]
  /// Whether the values can be it.
  let fits: @Sendable ([String]) -> Bool

  static let user = ColumnRole(
    field: "user",
    names: [
      "userid", "user", "customerid", "customer", "appuserid", "accountid", "account", "clientid", "client", "memberid",
      "member", "subscriberid", "subscriber", "playerid", "profileid", "distinctid", "visitorid", "buyerid", "personid",
      "anonymousid", "deviceid", "uid", "uuid", "customeremail", "useremail", "email", "kunde", "kundennummer",
      "usuario",
      "cliente", "utilisateur", "nutzer", "benutzer", "utente",
    ], fits: { !ColumnValues($0).areAllEqual })

  static let offering = ColumnRole(
    field: "offering",
    names: [
      "offeringid", "offering", "subscriptionofferingid", "experimentid", "experiment", "experimentname",
      "experimentkey", "testid", "testname", "test", "abtest", "flagkey", "flag", "feature", "campaign", "prueba",
      "experimento",
    ], fits: { ColumnValues($0).areFew })

  static let group = ColumnRole(
    field: "group",
    names: [
      "testgroupid", "testgroup", "offeringgroupid", "groupid", "groupname", "group", "variantid", "variantname",
      "variant", "variationid", "variationname", "variation", "experimentvariant", "experimentgroup", "abgroup", "arm",
      "bucket", "cohort", "treatment", "branch", "assignment", "gruppe", "variante", "grupo", "groupe", "segment",
    ], fits: { ColumnValues($0).areFew })

  static let assignedAt = ColumnRole(
    field: "assigned_at",
    names: [
      "assignedat", "assignedon", "assigneddate", "assigned", "assignmenttime", "enrolledat", "enrolled", "exposedat",
      "firstexposure", "firstseenat", "firstseen", "bucketedat", "joinedat", "joined", "createdat", "created",
      "timestamp", "eventtime", "zugeteiltam", "zugewiesenam", "angemeldetam", "datetime", "date", "time", "ts",
      "zeitpunkt", "datum", "fecha", "wann", "when", "quando", "data",
    ], fits: { ColumnValues($0).areTimes })

  static let userID = ColumnRole(field: "userId", names: user.names, fits: user.fits)

  static let occurredAt = ColumnRole(
    field: "occurredAt",
    names: [
      "occurredat", "paidat", "purchasedat", "purchasedate", "chargedat", "orderedat", "orderdate", "processedat",
      "transactiondate", "transactiontime", "paymentdate", "completedat", "createdat", "createdutc", "created",
      "eventtime", "boughtat", "paidon", "orderedon", "purchasedon", "timestamp", "bezahltam", "gekauftam",
      "bestelltam",
      "kaufdatum", "zahlungsdatum", "bestelldatum", "fechadepago", "fechadecompra", "datedepaiement", "datedachat",
      "datetime", "date", "time", "ts", "zeitpunkt", "datum", "fecha", "paid", "bought", "purchased", "bezahlt",
      "gekauft", "pagado", "wann", "when", "quando", "data",
    ], fits: { ColumnValues($0).areTimes })

  static let productID = ColumnRole(
    field: "productId",
    names: [
      "productid", "product", "productidentifier", "sku", "lineitemsku", "productsku", "planid", "plan", "priceid",
      "itemid", "item", "productname", "lineitemname", "package", "packageid", "description", "produkt", "artikel",
      "producto", "produit",
    ], fits: { !$0.isEmpty })

  static let price = ColumnRole(
    field: "price",
    names: [
      "price", "amount", "total", "grossamount", "gross", "amountpaid", "paidamount", "totalprice", "ordertotal",
      "totalamount", "revenue", "value", "lineitemprice", "subtotal", "sum", "betrag", "umsatz", "preis", "importe",
      "precio", "monto", "montant", "prix",
    ], fits: { ColumnValues($0).areAmounts })

  static let currency = ColumnRole(
    field: "currency",
    names: ["currency", "currencycode", "ccy", "curr", "waehrung", "währung", "moneda", "divisa", "devise", "valuta"],
    fits: { ColumnValues($0).areCurrencies })

  static let transactionID = ColumnRole(
    field: "transactionId",
    names: [
      "transactionid", "orderid", "chargeid", "paymentid", "paymentintentid", "invoiceid", "txid", "receiptid",
      "transaction", "ordernumber", "orderno", "invoicenumber", "invoiceno", "receiptnumber", "receiptno",
      "bestellnummer", "bestellnr", "auftragsnummer", "auftragsnr", "rechnungsnummer", "rechnungsnr", "belegnummer",
      "belegnr", "pedido", "commande", "order", "invoice", "receipt", "id", "reference", "name",
    ], fits: { ColumnValues($0).areTransactions })

  static let eventType = ColumnRole(
    field: "eventType", names: ["eventtype", "type", "event", "eventname", "action"],
    fits: { ColumnValues($0).areEventTypes })

  static let alias = ColumnRole(
    field: "alias",
    names: ["alias", "anonymousid", "originaltransactionid", "oldid", "fromid", "appuseralias", "from"],
    fits: { !$0.isEmpty })

  /// Columns of assignments that split users well, by the names people give them.
  static let attributeNames: Set<String> = [
    "country", "countrycode", "region", "platform", "os", "device", "devicetype", "appversion", "language", "locale",
    "channel", "source", "store",
  ]

  /// Names of columns that hold texts for people, which may or may not tell one thing apart from another.
  static let freeTexts: Set<String> = ["description", "name", "reference", "value"]

  /// A column's name in small letters and digits alone: `Created (UTC)` is `createdutc`.
  static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
