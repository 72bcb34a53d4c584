import Domain

/// The keys of files.
extension JobKeys {
  /// Every table of a job, the small ones too.
  package static let input = JobKeys(
    mapping: "every input",
    keys: [
      Key(
        "path", "needed, or `command`",
        "file or glob: `*`, `?` and `[…]` within a name, `**` for folders of any depth; the files are taken in path order",
        .pattern("\\S")),
      Key(
        "command", "none",
        "in place of `path`: `[program, argument, …]`, whose standard output is the file, started without a shell in the job "
          + "file's folder; only with `run --allow-commands`", .list(of: .name, atLeast: 1)),
      Key(
        "format", "`csv` for tables, needed for purchases",
        "tables: `csv`, `mysql`, `jsonl`, `sqlite`; of purchases one of the formats below", .words(of: TableFormat.self)
      ),
      Key(
        "columns", "the fields' own names",
        "`{field: column}`; for `mysql` the file's columns in order, `[id, user_id]`. A dotted name, `data.price`, is a "
          + "column of that name, else a member of nested objects, or of JSON text in a column. `{currency: null}`: the file's own "
          + "`currency` is not read. Of purchases `{userId: null}`: no row names a user, each follows a charge by its transaction",
        .any([.names, .object(ofNames: .nameOrNull)])),
      Key(
        "timezone", "`UTC`", "of times that have no offset; one that a clock change skips or repeats is rejected", .zone
      ),
      Key(
        "time_unit", "`seconds`",
        "of bare numbers: `seconds`, `milliseconds`, `microseconds` or `nanoseconds`; what is finer than a millisecond is "
          + "cut off", .words(TimeUnit.allNames)),
      Key(
        "time_format", "known by themselves: RFC 3339, `2026-03-02 10:15:30`, `2026-03-02`, bare numbers",
        "how the file writes times, in strptime's letters: `\"%d.%m.%Y %H:%M\"`, or `excel`, days counted since 1900; not of stores' and servers' formats",
        .text),
      Key(
        "decimal", "`.`",
        "what stands before a fraction: `\".\"` or `\",\"`; not of stores' and servers' formats", .words([".", ","])),
      Key("optional", "`false`", "a glob that matches nothing is no error", .yesOrNo),
      Key("delimiter", "sniffed", "of `csv`: one of `,` `;` tab unless said", .byte),
      Key("dialect", "what `mysqldump --tab` writes", "of `mysql`, below", dialect.schema()),
      Key("table", "", "of `sqlite`: a table's name; it or `query`", .text),
      Key("query", "", "of `sqlite`: a query; it or `table`", .text),
    ])

  /// What an input of assignments takes besides.
  package static let assignments = JobKeys(
    mapping: "assignments",
    keys: [
      Key("attributes", "none", "`[country, platform]`: columns kept for segments", .names),
      Key(
        "keys", "`names`", "`catalog` where offering and group are the catalog's row ids",
        .words(of: AssignmentKeys.self)),
      Key(
        "defaults", "none", "`{offering: spring_test}`: the offering or group where the file has no such column",
        .fields(JobFields.assignmentDefaults)),
      Key("skip_where", "none", skipWhere, .skipRules),
    ])

  /// What an input of purchases takes besides, as far as its format does.
  package static let purchases = JobKeys(
    mapping: "purchases",
    keys: [
      Key(
        "attributes", "none", "`[store, paywall]`: columns that say where a charge was made, for `charges_by.csv`",
        .names),
      Key(
        "defaults", "none",
        "of `events` and `events-csv`, as all keys down to `items`: `{eventType: purchase, currency: USD}` fills what "
          + "a log lacks", .fields(EventField.allCases.map(\.name))),
      Key(
        "types", "none",
        "`{subscription_started: purchase, \"Charge refund\": refund}`: what the log's names of events stand for; one that "
          + "stands for `ignore` is left out by name, with `\"*\": ignore` all are that nothing names",
        .object(ofNames: .name)),
      Key(
        "types_of", "none",
        "`{column: status, paid: purchase, refunded: refund}`: another column's value tells the type; a value that is not "
          + "named is `unknown_event_type`",
        .object(ofNames: .name).with("required", ["column"]).with("minProperties", 2)),
      Key(
        "price_unit", "`major`",
        "`minor`: prices count the currency's smallest unit (ISO 4217): 999 is 9.99 USD, 999 JPY, 0.999 KWD",
        .words(of: PriceUnit.self)),
      Key(
        "negative", "`bad_price`", "`refund`: a charge of a negative amount is a refund of it",
        .words(of: NegativePrice.self)),
      Key("quantity", "none", "the column of how many were bought: it multiplies the price", .name),
      Key(
        "items", "`false`",
        "`true`: rows of one transaction with another product are items of it, each its own charge; a refund that names "
          + "no product takes back of all of them", .yesOrNo),
      Key(
        "skip_where", "none",
        "of `events`, `events-csv` and `api-log`: " + skipWhere
          + ". Where rows without a user are left out, a refund, or what else follows a charge, is that of whoever has the charge "
          + "that its transaction names", .skipRules),
      Key(
        "user", "the format's own",
        "of a vendor's formats: the column or member that names the user, such as `metadata.account` of `stripe-events`. Of "
          + "`app-store-notifications`: `originalTransactionId` in place of `appAccountToken`", .name),
      Key("verify", "`false`", "of `app-store-notifications`: `true` checks every signature offline", .yesOrNo),
      Key("root", "Apple Root CA – G3", "another root's file or SHA-256 fingerprint", .text),
      Key("bundle_id", "any", "the app's, with `verify`", .text),
      Key("environment", "any", "the environment, with `verify`", .text),
      Key(
        "endpoints", "none",
        "of `api-log`: `{/my/path: /v1/getSubscriptionOffering}`; `*` stands for a part of the path, "
          + "`{/user/*/subscription/status: /api/subscription/status}`",
        .object(ofNames: .words(of: APIEndpoint.self))),
    ])

  private static let skipWhere =
    "`{_fivetran_deleted: true, Op: [D, X]}`: rows with such a value are left out, counted as `skipped`; `\"*\"` is any "
    + "value, `null` none"

  /// How a file of `mysql` is written.
  package static let dialect = JobKeys(
    mapping: "dialect",
    keys: [
      Key("terminated_by", "tab", "between fields", .pattern(".")),
      Key("enclosed_by", "nothing", "around fields", .byte),
      Key("optionally", "`false`", "only texts are enclosed", .yesOrNo),
      Key("escaped_by", "`\\`", "before a character that means itself", .byte),
      Key("lines_starting_by", "nothing", "before each row", .text),
      Key("lines_terminated_by", "LF or CRLF, as the file shows", "after each row", .pattern(".")),
      Key("header", "`false`", "the first row names the columns", .yesOrNo),
    ])

  /// The catalog.
  package static let catalog = JobKeys(
    mapping: "catalog",
    keys: [
      Key("offerings", "none", "`id, offering_id, name, is_active`", .table()),
      Key("groups", "none", "`id, subscription_offering_id, group_name, weight`", .table()),
      Key(
        "products", "none",
        "`offering_group_id, product_id, type, fallback_display_price, position, is_default, badge_text, subtitle_text`",
        .table()),
      Key(
        "copy", "none",
        "`offering_group_id, header_title, header_subtitle, cta_button_text, supporting_text`", .table()),
      Key(
        "responses", "none",
        "in place of the tables: what `POST /v1/getSubscriptionOffering` answered, a response a line: `{\"Success\": 1, "
          + "\"Body\": {offeringId, testGroupId, subscriptions: [{productId, type, fallbackDisplayPrice, position, "
          + "isDefault, badgeText, subtitleText}], copy: {headerTitle, headerSubtitle, ctaButtonText, supportingText}}}`; "
          + "or an `api-log`, of which the lines of that endpoint count (`endpoints:` of the job's `api-log` holds here, "
          + "too). `format: jsonl` unless said; of any table the column `response` holds the JSON",
        .table(fields: JobFields.responses)),
    ])
}
