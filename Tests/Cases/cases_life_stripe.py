"""What a charge is and how long access lasts, Stripe's events and tables."""

from answers import Sums
from case import case
from stores import Stripe, feed_job, stripe, webhook

BASIL = "Stripe changelog 2025-03-31.basil (Charge.invoice, Invoice.charge are gone); databuddy-analytics/Databuddy#626; meshsat-hub's refund tests"
FAILED = "docs.stripe.com/refunds#failed-refunds; juspay/hyperswitch#1488; antiwork/gumroad#5779"
DISPUTE = "docs.stripe.com/disputes; charge.dispute.funds_withdrawn, .funds_reinstated, .closed"
FREE = "adrienverge/localstripe#37, #89; laravel/cashier-stripe#107 (invoices of 0 that are no trial); Subscription.trial_start"
LINES = "beam-community/stripity-stripe#698 (add_invoice_items); ParabolInc/parabol#7409 (prorations); invoice.lines.has_more"
TWO = {"ann": "control", "ben": "variant"}
MONTH, NEXT, LAST = "2026-03-02", "2026-04-02", "2026-05-02"


def month(told, number=1, when=MONTH, until=NEXT, amount=999, **more):
    return told.invoice(number, when, [told.line(amount, when, until)], **more)


# One sale by all its names

@case("life", BASIL, each={
    "all": ("charge", "payment", "refunded", "refund"), "payment": ("payment", "refund"), "charge": ("charge", "refund"),
    "money_and_time": ("refunded",), "payment_and_charge": ("payment", "refunded")})
def a_sale_by_all_its_names(folder, names):
    """An invoice, its payment, its charge and their refund: one sale of 9.99, all given back."""
    folder.as_of = "2026-03-20T00:00:00Z"
    ann = Stripe("ann")
    told = {"charge": ann.charge(1, MONTH), "payment": ann.payment(1, MONTH),
            "refunded": ann.charge(1, MONTH, "charge.refunded", "2026-03-05", amount_refunded=999), "refund": ann.refund(1, "2026-03-05")}
    stripe(folder, TWO, [month(ann), *(told[name] for name in names)])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "0", "charges": 1, "refund_rate": [1, 1]}})


@case("life", BASIL)
def a_payment_days_before_its_invoice_is_paid(folder):
    """A debit that takes four days: the charge is of the 2nd, the invoice is paid on the 6th, and its payment names both."""
    folder.as_of = "2026-03-20T00:00:00Z"
    ann = Stripe("ann")
    stripe(folder, TWO, [month(ann, when="2026-03-06"), ann.charge(1, MONTH), ann.payment(1, "2026-03-06")])
    return Sums({"control": {"revenue_gross": "9.99", "charges": 1}})


@case("life", BASIL)
def two_sales_of_one_price(folder):
    """Two charges of 9.99 within ten minutes of one invoice: one is the invoice's, the other a sale of its own."""
    folder.as_of = "2026-03-20T00:00:00Z"
    ann = Stripe("ann")
    stripe(folder, TWO, [month(ann), ann.charge(1, MONTH), ann.charge(2, "2026-03-02 10:05")])
    return Sums({"control": {"revenue_gross": "19.98", "charges": 2}})


@case("life", "Stripe Checkout: client_reference_id; guest customers")
def a_guest_whom_the_session_names(folder):
    """A guest's charge names no customer; the checkout session names the user of its payment intent."""
    folder.as_of = "2026-03-20T00:00:00Z"
    ann = Stripe("ann")
    session = ann.event("checkout.session.completed", MONTH, {
        "id": "cs_1", "object": "checkout.session", "client_reference_id": "ann", "customer": None, "mode": "payment", "amount_total": 999,
        "currency": "usd", "payment_status": "paid", "payment_intent": "pi_1", "livemode": True, "created": 1772445000})
    stripe(folder, TWO, [session, ann.charge(1, MONTH, customer=None), ann.refund(1, "2026-03-05", 300)])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "6.99", "charges": 1}})


@case("life", "RevenueCat/docs Stripe: store_transaction_id is the subscription's item (si_…)")
def a_sale_that_revenuecat_tells_by_its_item(folder):
    """Stripe's invoices and RevenueCat's webhooks tell a purchase and its renewal: two charges."""
    folder.as_of = "2026-04-20T00:00:00Z"
    ann = Stripe("ann", basil=False)
    months = [(1, MONTH, NEXT, "subscription_create", "INITIAL_PURCHASE"), (2, NEXT, LAST, "subscription_cycle", "RENEWAL")]
    folder.jsonl("stripe.jsonl", [ann.invoice(number, when, [ann.line(999, when, until, subscription_item="si_1")], reason=reason)
        for number, when, until, reason, _ in months])
    folder.jsonl("webhooks.jsonl", [webhook(sort, "ann", "si_1", when, until, store="STRIPE", renewal_number=number)
        for number, when, until, _, sort in months])
    feed_job(folder, TWO, [{"path": "stripe.jsonl", "format": "stripe-events"}, {"path": "webhooks.jsonl", "format": "revenuecat-webhooks"}])
    return Sums({"control": {"revenue_gross": "19.98", "charges": 2, "active_subscription": 1, "renewal_rate": [1, 1]}})


# What was captured and given back

@case("life", "solidusio/solidus_stripe#268 (partial capture)", each={"event": "charge.captured", "row": None})
def a_partial_capture(folder, sort):
    """20.00 was held and 12.00 captured: paid is 12.00, and nothing was refunded."""
    ann = Stripe("ann")
    stripe(folder, TWO, [ann.charge(1, MONTH, sort, amount=2000, amount_captured=1200, amount_refunded=800, metadata={"user_id": "ann"})])
    return Sums({"control": {"revenue_gross": "12", "revenue_net": "12", "refund_rate": [0, 1]}})


@case("life", FAILED, each={"failed": "failed", "canceled": "canceled"})
def a_refund_that_fails(folder, status):
    """3.00 and 2.00 are given back; a week later the 2.00 turn out to have failed."""
    ann = Stripe("ann", basil=False)
    rows = [month(ann), ann.charge(1, MONTH, "charge.refunded", "2026-03-05", amount_refunded=300), ann.refund(1, "2026-03-05", 300),
            ann.charge(1, MONTH, "charge.refunded", "2026-03-06", amount_refunded=500)]
    second = [ann.refund(1, "2026-03-06", 200, name="re_b")]
    failed = [ann.refund(1, "2026-03-06", 200, sort, "2026-03-13", status, name="re_b") for sort in ("refund.failed", "refund.updated")]
    stripe(folder, TWO, rows + second + failed)
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "6.99", "refund_rate": [1, 1]}})


@case("life", DISPUTE, each={"won": ("won", "9.99"), "lost": ("lost", "0")})
def a_dispute(folder, end):
    """A bank takes 9.99; the dispute is won, and the money comes back, or lost."""
    status, net = end
    ann = Stripe("ann", basil=False)
    dispute = lambda sort, when, status: ann.refund(1, "2026-03-05", 999, f"charge.dispute.{sort}", when, status, name="du")  # noqa: E731
    rows = [month(ann), dispute("created", "2026-03-05", "needs_response"), dispute("funds_withdrawn", "2026-03-05", "needs_response"),
            dispute("closed", "2026-03-15", status)]
    if status == "won":
        rows.append(dispute("funds_reinstated", "2026-03-15", status))
    stripe(folder, TWO, rows)
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": net}})


@case("life", "Stripe Data Pipeline: charges.amount_refunded, refunds.created",
    each={"before": ("2026-03-05T00:00:00Z", "9.99"), "after": ("2026-03-20T00:00:00Z", "6.66")})
def a_refund_that_the_charges_row_foretells(folder, told):
    """The charge's row of 2 March says that 3.33 were given back, the refund's row that it was on 8 March."""
    folder.as_of, net = told
    ann = Stripe("ann", basil=False)
    folder.jsonl("charges.jsonl", [ann.charge(1, MONTH, None, amount_refunded=333, metadata={"user_id": "ann"})])
    folder.jsonl("refunds.jsonl", [ann.refund(1, "2026-03-08", 333, None)])
    feed_job(folder, TWO, [{"path": f"{name}.jsonl", "format": "stripe-events"} for name in ("charges", "refunds")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": net}})


# What is no trial, and how long access lasts

@case("life", FREE, each={"free": (0, 0), "coupon": (999, 0)})
def a_sale_of_nothing_is_no_trial(folder, amounts):
    """A free plan, and a coupon of 100 %: an invoice of 0 of a subscription without a trial."""
    amount, paid = amounts
    ann = Stripe("ann")
    stripe(folder, TWO, [ann.subscription(MONTH), month(ann, amount=amount, paid=paid)])
    return Sums({"control": {"revenue_gross": "0", "charges": 0, "trial_start_rate": 0, "trial_to_paid": [0, 0]}})


@case("life", FREE, each={"goes_on": ("2026-04-20T00:00:00Z", 1), "nothing_came": ("2026-06-01T00:00:00Z", 0)})
def a_plan_billed_in_arrears(folder, told):
    """Billed on 2 April for March: active until its events end it, or nothing came for a month and the grace."""
    folder.as_of, active = told
    ann = Stripe("ann")
    stripe(folder, TWO, [ann.subscription(MONTH), month(ann, amount=0),
        ann.invoice(2, NEXT, [ann.line(740, MONTH, NEXT)], reason="subscription_cycle")])
    return Sums({"control": {"revenue_gross": "7.40", "charges": 1, "trial_start_rate": 0, "active_subscription": active,
        "mrr": "7.40" if active else "0"}})


@case("life", "polarsource/polar#6886 (trial lengths); Subscription.trial_end")
def a_trial_of_30_days(folder):
    """A trial of thirty days is paid on its last: it converts."""
    folder.as_of = "2026-05-20T00:00:00Z"
    ann = Stripe("ann")
    stripe(folder, TWO, [ann.subscription(MONTH, status="trialing", trial_start=1772445600, trial_end=1775037600),
        month(ann, amount=0, until="2026-04-01"),
        month(ann, 2, "2026-04-01", "2026-05-01", reason="subscription_cycle")])
    return Sums({"control": {"trial_start_rate": 1, "trial_to_paid": [1, 1], "revenue_gross": "9.99"}})


# The line that goes on

@case("life", LINES, each={"basil": (True, 3000), "before": (False, 3000), "small": (True, 500)})
def a_setup_fee_beside_the_subscription(folder, told):
    """A fee on the first invoice, without a products table: the subscription goes on, and is all that comes again."""
    basil, fee = told
    folder.as_of = "2026-03-20T00:00:00Z"
    ann = Stripe("ann", basil)
    lines = [ann.line(fee, MONTH, MONTH, price="fee", sort="invoiceitem"), ann.line(999, MONTH, NEXT)]
    stripe(folder, TWO, [ann.invoice(1, MONTH, lines)], products="product_id\n")
    return Sums({"control": {"revenue_gross": f"{(fee + 999) / 100:.2f}", "active_subscription": 1, "mrr": "9.99"}})


@case("life", LINES)
def prorations_on_the_next_invoice(folder):
    """20.00 a month, and 5.00 of last month's change on one invoice: 20.00 come again."""
    folder.as_of = "2026-04-20T00:00:00Z"
    ann = Stripe("ann")
    lines = [ann.line(500, "2026-03-17", NEXT, sort="invoiceitem", proration=True), ann.line(2000, NEXT, LAST)]
    stripe(folder, TWO, [month(ann, amount=1000), ann.invoice(2, NEXT, lines, reason="subscription_cycle")])
    return Sums({"control": {"revenue_gross": "35", "charges": 2, "mrr": "20", "active_subscription": 1, "renewal_rate": [1, 1]}})


@case("life", LINES)
def a_seat_added_within_the_month(folder):
    """Half a month of one more seat is 5.00: money, and neither a renewal nor what comes again."""
    folder.as_of = "2026-04-30T00:00:00Z"
    ann = Stripe("ann")
    seat = [ann.line(amount, "2026-03-17", NEXT, sort="invoiceitem", proration=True) for amount in (-500, 1000)]
    stripe(folder, TWO, [month(ann, amount=1000), ann.invoice(2, "2026-03-17", seat, reason="subscription_update")])
    return Sums({"control": {"revenue_gross": "15", "charges": 2, "renewal_rate": [0, 1], "active_subscription": 0}})


@case("life", LINES)
def more_lines_than_an_event_holds(folder):
    """Ten prorations of March stand in the event, and April's own line does not: renewed on 2 April."""
    folder.as_of = "2026-04-20T00:00:00Z"
    ann = Stripe("ann")
    lines = [ann.line(amount, "2026-03-10", NEXT, sort="invoiceitem", proration=True) for amount in (300, -301) * 5]
    renewal = ann.invoice(2, NEXT, lines, 3000, reason="subscription_cycle")
    renewal["data"]["object"]["lines"]["has_more"] = True
    stripe(folder, TWO, [month(ann, amount=3000), renewal])
    return Sums({"control": {"revenue_gross": "60", "charges": 2, "active_subscription": 1, "renewal_rate": [1, 1]}},
                states={"control": {"subscribed": 1}})


@case("life", "Stripe: a customer may hold several subscriptions at once")
def two_subscriptions_of_one_customer(folder):
    """Two subscriptions of one customer, of which one ends: both are counted, and then the other goes on."""
    folder.as_of = "2026-03-20T00:00:00Z"
    ann = Stripe("ann")
    stripe(folder, TWO, [month(ann), ann.invoice(2, "2026-03-03", [ann.line(1999, "2026-03-03", "2026-04-03", price="pro_monthly")],
        subscription="sub_b")])
    return Sums({"control": {"revenue_gross": "29.98", "mrr": "29.98", "active_subscription": 1}})


@case("life", "Stripe: Amazon EventBridge destination; thin events (v2.core.event)")
def what_is_around_an_event(folder):
    """EventBridge puts the event inside `detail`; a thin event tells no money, and is refused."""
    folder.as_of = "2026-03-20T00:00:00Z"
    ann = Stripe("ann")
    thin = {"id": "evt_t", "object": "v2.core.event", "type": "v1.invoice.paid", "created": "2026-03-02T10:00:00.000Z", "livemode": True,
            "related_object": {"id": "in_9", "type": "invoice", "url": "/v1/invoices/in_9"}}
    stripe(folder, TWO, [{"version": "0", "id": "e1", "detail-type": "invoice.paid", "source": "aws.partner/stripe.com/ed_1",
        "detail": month(ann)}, thin])
    return Sums({"control": {"revenue_gross": "9.99"}}, aside={"malformed": 1})
