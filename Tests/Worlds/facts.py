"""Rows to facts: assignment rows, events, products, rates; each bad row keeps its reason."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
import datetime

from containers import content_of
from mapping import is_skipped, looked_up, price_told, type_told
from rows_in import Number, paths_of, table_rows
from values import Fault, currency_code, folded, time_millis

CHARGES = {"purchase", "renewal", "one_time_purchase"}
REFUNDS = {"refund", "refund_reversal"}
BUILT_IN = CHARGES | REFUNDS | {
    "paywall_view", "trial_start", "cancel", "uncancel",
    "billing_retry", "billing_recovery", "expire", "extend",
}
EVENT_FIELDS = [
    "eventId", "userId", "eventType", "occurredAt", "productId", "price", "currency",
    "transactionId", "originalTransactionId", "offeringId", "testGroupId",
    "environment", "ownershipType", "expiresDate", "errorCode",
]
TELLS_ITS_END = CHARGES | {"trial_start", "billing_retry", "extend"}
NATIVE = ("events", "events-csv")
WEB = {"stripe", "paddle", "rc_billing", "braintree"}  # where no store keeps a part of the price
NOBODY = ("NULL", "null")
ENROLMENT = "experiment_enrollment"  # what is no event but tells who is in which group
STATE = "state"  # how a subscription stood when it was asked for, which may have been at any time since its charge
VOID = "void"  # a snapshot that says that there was no such transaction
CONTINUED = "trial_continued"  # a trial's further period: of one chain the first begins it


@dataclass
class Account:
    """What became of one file's rows: `rows = used + sum(aside)`."""

    rows: int = 0
    used: int = 0
    aside: Counter = field(default_factory=Counter)


@dataclass
class Notices:
    """What logs say besides events: names that are not measured, unknown values, whose ids are whose."""

    not_measured: Counter = field(default_factory=Counter)
    unknown_values: Counter = field(default_factory=Counter)
    transfers: list = field(default_factory=list)
    aliases: list = field(default_factory=list)  # when which ids were told of one customer
    same_files: list = field(default_factory=list)

    def leave_out(self, name):
        self.not_measured[name] += 1
        raise Fault("not_measured", name)


@dataclass
class Assignment:
    user: str
    offering: str
    group: str
    at: int
    attributes: dict
    account: Account


@dataclass
class Event:
    """One usable row of a purchase log; amounts in millionths of the currency's own unit."""

    user: str
    type: str
    at: int
    product: str | None
    amount: int | None
    currency: str | None
    transaction: str | None
    event_id: str | None
    offering: str | None
    group: str | None
    environment: str | None
    ownership: str | None
    account: Account
    place: str = ""
    expires: int | None = None
    code: str | None = None
    feed: str = "native"
    key: str | None = None  # the format's own charge key
    number: str | None = None  # which renewal of its transaction a charge is
    voice: str | None = None  # where one feed has two ways of telling one thing
    part: Fraction | None = None  # what share of its charge a refund takes back
    is_state: bool = False  # a refund that replaces what its feed told before
    told_at: int = 0  # when its feed said so, where that is not when it happened
    is_retold: bool = False  # a refund that another feed had told
    chain: str | None = None  # the original transaction
    told_of: str | None = None  # the chain a turn is told of, or seems to be
    family: str | None = None  # the subscription group, as the log tells it
    period: str | None = None  # the charge's own, where the log says it in so many words
    graceless: bool = False  # a failed renewal that is said to have no grace
    dollars: Fraction | None = None  # what one unit of the charge's currency is worth, as the feed tells it
    is_worth_told: bool = False  # whether that is its rate, for none is given
    dollars_back: int | None = None  # of a refund, in millionths
    committed: int = 0  # what is still due of a commitment, in the charge's currency
    is_item: bool = False  # of several products under one transaction
    is_net: bool = False  # of a feed that does not tell what a charge was before refunds
    left: int = 0  # then: what it was after them
    whole_at: int = 0  # of a charge: when it was said that nothing of it is taken back
    told: dict = field(default_factory=dict)  # attributes of a charge, by name
    tax: Fraction | None = None  # the charge's own share of tax, and the store's
    commission: Fraction | None = None
    is_of_web: bool = False  # no store keeps a part of it, where nothing tells what is kept
    snapshot: tuple | None = None  # (key, updated_at) of a row that later ones replace
    parent: "Event | None" = None  # the row's first event, of a companion
    gross: int = 0
    refunded: int = 0
    full_at: int | None = None  # when it was taken back in full, if that stands
    rate: Fraction | None = None  # of a charge; of a refund where its currency is not the charge's
    copies: list = field(default_factory=list)  # what else told this, by other keys perhaps

    @property
    def is_charge(self):
        return self.type in CHARGES

    @property
    def net(self):
        return self.gross - self.refunded


def text_of(value):
    """An id's text; numbers, lists and such are no ids."""
    if value is None or (isinstance(value, str) and not isinstance(value, Number)):
        return value
    raise Fault("malformed", f"{value!r} is not text")


def id_of(value):
    """An id as it is compared; `NULL` is nobody's."""
    text = text_of(value)
    return None if text in NOBODY else folded(text)


def told_text(value):
    """What a file writes for nothing is nothing."""
    return None if value in NOBODY else value


def needed_id(fields, name):
    value = id_of(fields.get(name))
    if not value:
        raise Fault("missing_field", name)
    return value


def needed(fields, name):
    value = text_of(fields.get(name))
    if not value:
        raise Fault("missing_field", name)
    return value


def known_types(job):
    """The built-in event types and whatever the job names."""
    names = set(BUILT_IN) | set(job.get("event_types", []))
    for funnel in job.get("funnels", []):
        for step in funnel["steps"]:
            names |= set(step_types(step)) - {"charge"}
    for metric in job["metrics"]:
        for key in ("event", "numerator", "denominator", "spent_by"):
            if key in metric:
                names |= set([metric[key]] if isinstance(metric[key], str) else metric[key])
    return names


def step_types(step):
    """The event types that take a funnel's step; `charge` is any charge."""
    if isinstance(step, dict):
        step = step["event"]
    return [step] if isinstance(step, str) else step


def event_of(fields, source, types, account):
    """An event, or a Fault with the row's own fault."""
    user = needed_id(fields, "userId")
    kind = needed(fields, "eventType")
    if told_text(fields.get("occurredAt")) is None:
        raise Fault("missing_field", "occurredAt")
    at = time_of(fields["occurredAt"], source)
    if kind not in types:
        raise Fault("unknown_event_type", kind)
    product = id_of(fields.get("productId"))
    amount = currency = None
    price = told_text(fields.get("price"))
    if kind in CHARGES:
        needed_id(fields, "productId")
        if price is not None:
            named = needed(fields, "currency")
            amount, is_back = price_told(price, named, fields, source)
            currency = currency_code(named)
            kind = "refund" if is_back else kind
        elif fields.get("ownershipType") != "FAMILY_SHARED":
            raise Fault("missing_price")
    elif kind in REFUNDS and price is not None:
        named = text_of(fields.get("currency"))
        amount, _ = price_told(price, named, fields, source)
        if kind == "refund" and amount == 0:
            raise Fault("bad_price", "takes nothing back")
        currency = currency_code(named) if named else None
    expires = None
    if kind in TELLS_ITS_END and told_text(fields.get("expiresDate")) is not None:
        expires = time_of(fields["expiresDate"], source)
    if kind == "extend" and expires is None:
        raise Fault("missing_field", "expiresDate")
    return Event(
        user, kind, at, product, amount, currency,
        id_of(fields.get("transactionId")), id_of(fields.get("eventId")),
        id_of(fields.get("offeringId")), id_of(fields.get("testGroupId")),
        text_of(fields.get("environment")), text_of(fields.get("ownershipType")), account,
        expires=expires, code=text_of(fields.get("errorCode")), chain=id_of(fields.get("originalTransactionId")),
        is_item=bool(source.get("items")),
    )


def time_of(value, source):
    return time_millis(str(value), source.get("timezone", "UTC"), source.get("time_unit"), is_log=True)


def named_fields(row, source, notices):
    """The row under our names: `columns` renames, `defaults` stand in for what is not there."""
    columns, defaults = source.get("columns", {}), source.get("defaults", {})
    fields = {}
    for name in EVENT_FIELDS:
        is_there, value = looked_up(row, columns.get(name, name))
        fields[name] = value if is_there else defaults.get(name)
    fields["eventType"] = type_told(row, fields["eventType"], source, notices)
    if "quantity" in source:
        fields["#quantity"] = looked_up(row, source["quantity"])[1]
    return fields


def read_events(job, folder, accounts, notices):
    """Every event of every log; `notices` counts what is not measured, by name.

    A reader of a format takes a row to a list of events: the first decides what becomes of the row,
    the others go with it and are in nobody's account.
    """
    types, events, contents = known_types(job), [], {}
    for source in job["purchases"]:
        reader = READERS.get(source["format"], native_reader)(source, types, notices)
        for path in paths_of(source["path"], folder):
            account = accounts[path] = Account()
            if is_same(path, contents, notices):
                account.rows = account.aside["same_file"] = sum(1 for _ in reader.rows(path, account))
                continue
            for line, row in reader.rows(path, account):
                events += said_by(reader, row, account, f"{path}:{line}")
    return events


def is_same(path, contents, notices):
    """Whether a file before it holds the very same bytes, unpacked."""
    first = contents.setdefault(content_of(path), path)
    if first != path:
        notices.same_files.append((first, path))
    return first != path


def said_by(reader, row, account, place):
    account.rows += 1
    unknown = Counter(reader.notices.unknown_values)
    try:
        if isinstance(row, Fault):
            raise row
        said = reader.events(row, account)
    except Fault as fault:
        account.aside[fault.reason] += 1
        reader.notices.unknown_values = unknown  # those of rows that are used
        return []
    if not said:
        return []  # used, though no event: a transfer of identities
    first, *others = said
    for other in others:
        other.account, other.parent = Account(), first
    for event in (first, *others):
        event.place = place
    return [first, *others]


def told_by(row, source):
    """What a row tells of the attributes that its input is asked for."""
    columns = source.get("columns", {})
    return {name: looked_up(row, columns.get(name, name))[1] for name in source.get("attributes", [])}


class native_reader:
    """`events` and `events-csv`: rows under our own names, one event each."""

    def __init__(self, source, types, notices):
        self.source, self.types, self.notices = source, types, notices

    def rows(self, path, account):
        return table_rows(path, {"format": "csv"} | self.source)

    def events(self, row, account):
        if is_skipped(row, self.source):
            raise Fault("skipped")
        event = event_of(named_fields(row, self.source, self.notices), self.source, self.types, account)
        event.told = told_by(row, self.source)
        return [event]


READERS = {}  # each format's file puts itself in


def read_assignments(job, folder, accounts, names, notices):
    """All assignment rows, ids of a catalog translated into public names."""
    found, contents = [], {}
    for source in job.get("assignments", []):
        columns = source["columns"]
        if isinstance(columns, list):
            columns = {name: name for name in columns}
        for path in paths_of(source["path"], folder):
            account = accounts[path] = Account()
            if is_same(path, contents, notices):
                account.rows = account.aside["same_file"] = sum(1 for _ in table_rows(path, source))
                continue
            for _, row in table_rows(path, source):
                account.rows += 1
                try:
                    if isinstance(row, Fault):
                        raise row
                    found.append(assignment_of(row, columns, source, account, names))
                except Fault as fault:
                    account.aside[fault.reason] += 1
    return found


def assignment_of(row, columns, source, account, names):
    if is_skipped(row, source):
        raise Fault("skipped")
    told = {role: looked_up(row, columns[role])[1] for role in columns}
    user, offering, group = (needed_id(told, role) for role in ("user", "offering", "group"))
    when = told_text(told["assigned_at"])
    if not when:
        raise Fault("missing_field", "assigned_at")
    at = time_millis(str(when), source.get("timezone", "UTC"), source.get("time_unit"))
    if source.get("keys") == "catalog":
        offering, group = names["offering"][offering], names["group"][group]
    attributes = {name: looked_up(row, name)[1] for name in source.get("attributes", [])}
    return Assignment(user, offering, group, at, attributes, account)


def rows_of(entry, folder):
    """Rows of a small side table: a path, or `{path, format, columns …}`."""
    source = {"path": entry} if isinstance(entry, str) else entry
    columns = source.get("columns", {})
    if isinstance(columns, list):
        columns = {}
    for path in paths_of(source["path"], folder):
        for _, row in table_rows(path, source):
            if isinstance(row, Fault):
                raise row
            yield row | {ours: row.get(theirs) for ours, theirs in columns.items()}


def read_catalog(job, folder):
    """Row id → public name for offerings and groups, and product → the catalog's type."""
    names = {"offering": {}, "group": {}, "type": {}, "weight": {}, "default": {}}
    catalog = job.get("catalog")
    if not catalog:
        return names
    home = {}
    for row in rows_of(catalog["offerings"], folder):
        names["offering"][row["id"]] = row["offering_id"]
    for row in rows_of(catalog["groups"], folder):
        names["group"][row["id"]] = row["group_name"]
        offering = names["offering"][row["subscription_offering_id"]]
        names["weight"].setdefault(offering, {})[row["group_name"]] = Fraction(row["weight"])
        home[row["id"]] = (offering, row["group_name"])
    for row in rows_of(catalog["products"], folder) if "products" in catalog else ():
        names["type"][row["product_id"]] = row["type"]
        if row.get("is_default") in ("1", "true", "t"):
            names["default"].setdefault(home[row["offering_group_id"]], set()).add(row["product_id"])
    return names


def read_products(job, folder):
    return {row["product_id"]: row for row in rows_of(job["products"], folder)} if "products" in job else {}


def read_rates(job, folder):
    """`(currency, UTC day number) → rate` as exact Fractions."""
    rates = {}
    if "exchange_rates" in job:
        for row in rows_of(job["exchange_rates"], folder):
            day = (datetime.date.fromisoformat(row["date"]) - datetime.date(1970, 1, 1)).days
            rates[row["currency"], day] = Fraction(row["rate"])
    return rates


def kind_of(event, products, catalog_types):
    known = products.get(event.product, {}).get("kind")
    if known:
        return known
    if catalog_types.get(event.product) in ("weekly", "monthly", "yearly"):
        return "auto_renewable"
    if event.type in ("purchase", "renewal"):
        return "auto_renewable"
    return "non_renewing" if event.type == "one_time_purchase" else None
