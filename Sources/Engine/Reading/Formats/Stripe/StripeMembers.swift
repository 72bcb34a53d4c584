/// What is read of an object of Stripe's: an invoice, a charge, a refund, a payment intent, a subscription.
///
/// Names that end with `_id` are those of the tables of Stripe's Data Pipeline and Sigma, where an id stands for the object.
/// Source: Stripe, API Reference, of versions up to 2025-03-31.basil and later; Data schema.
enum StripeMember: Int, JSONMember {
  case object, id, created, livemode, status, currency, description
  // Who, and which subscription.
  case customer, customerID, subscription, subscriptionID, parentSubscription
  // What was paid for, and with what.
  case invoice, invoiceID, charge, chargeID, paymentIntent, paymentIntentID, latestCharge, orderReference, latestInvoice
  case payment, paymentCharge, lines, hasMoreLines, payments, items, plan, clientReference
  // Money, in the currency's smallest unit as Stripe has it.
  case amount, amountPaid, amountReceived, amountCaptured, amountRefunded, amountTotal
  case total, tax, totalTaxes, totalTaxAmounts
  // How it stands.
  case billingReason, mode, paymentStatus, paid, captured, receiptURL, paidAt, paidAtColumn, periodStart, periodEnd
  case trialStart, trialEnd, cancelAtPeriodEnd, cancelAt, canceledAt, endedAt

  var source: SourceField {
    switch self {
    case .customerID: SourceField(name: "customer_id")
    case .subscriptionID: SourceField(name: "subscription_id")
    case .parentSubscription: .path("parent", "subscription_details", "subscription")
    case .invoiceID: SourceField(name: "invoice_id")
    case .chargeID: SourceField(name: "charge_id")
    case .paymentIntent: SourceField(name: "payment_intent")
    case .paymentIntentID: SourceField(name: "payment_intent_id")
    case .latestCharge: SourceField(name: "latest_charge")
    case .orderReference: .path("payment_details", "order_reference")
    case .latestInvoice: SourceField(name: "latest_invoice")
    case .payment: .path("payment", "payment_intent")
    case .paymentCharge: .path("payment", "charge")
    case .lines: .path("lines", "data")
    case .hasMoreLines: .path("lines", "has_more")
    case .payments: .path("payments", "data")
    case .items: .path("items", "data")
    case .amountPaid: SourceField(name: "amount_paid")
    case .clientReference: SourceField(name: "client_reference_id")
    case .amountReceived: SourceField(name: "amount_received")
    case .amountCaptured: SourceField(name: "amount_captured")
    case .amountRefunded: SourceField(name: "amount_refunded")
    case .amountTotal: SourceField(name: "amount_total")
    case .totalTaxes: SourceField(name: "total_taxes")
    case .totalTaxAmounts: SourceField(name: "total_tax_amounts")
    case .billingReason: SourceField(name: "billing_reason")
    case .paymentStatus: SourceField(name: "payment_status")
    case .receiptURL: SourceField(name: "receipt_url")
    case .paidAt: .path("status_transitions", "paid_at")
    case .paidAtColumn: SourceField(name: "status_transitions_paid_at")
    case .periodStart: SourceField(name: "period_start")
    case .periodEnd: SourceField(name: "period_end")
    case .trialStart: SourceField(name: "trial_start")
    case .trialEnd: SourceField(name: "trial_end")
    case .cancelAtPeriodEnd: SourceField(name: "cancel_at_period_end")
    case .cancelAt: SourceField(name: "cancel_at")
    case .canceledAt: SourceField(name: "canceled_at")
    case .endedAt: SourceField(name: "ended_at")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// What is read of an event around its object, and of what Amazon EventBridge puts around the event.
enum StripeEnvelope: Int, JSONMember {
  case type, data, object, previous, detail

  var source: SourceField {
    switch self {
    case .object: .path("data", "object")
    case .previous: .path("data", "previous_attributes")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// What stood before a change in an event's object, of what is asked for.
enum StripePrevious: Int, JSONMember {
  case status, cancelAtPeriodEnd, cancelAt, amountRefunded

  var source: SourceField {
    switch self {
    case .amountRefunded: SourceField(name: "amount_refunded")
    case .status: SourceField(name: "status")
    case .cancelAtPeriodEnd: SourceField(name: "cancel_at_period_end")
    case .cancelAt: SourceField(name: "cancel_at")
    }
  }
}

/// A line of an invoice, or an item of a subscription: both hold a price, once called a plan.
enum StripeLine: Int, JSONMember {
  case price, priceType, pricing, plan, amount, description, type, parentType, start, end
  case proration, itemProration, subscriptionProration, item, itemOfParent

  var source: SourceField {
    switch self {
    case .item: SourceField(name: "subscription_item")
    case .itemOfParent: .path("parent", "subscription_item_details", "subscription_item")
    case .priceType: .path("price", "type")
    case .parentType: .path("parent", "type")
    case .pricing: .path("pricing", "price_details", "price")
    case .itemProration: .path("parent", "invoice_item_details", "proration")
    case .subscriptionProration: .path("parent", "subscription_item_details", "proration")
    case .start: .path("period", "start")
    case .end: .path("period", "end")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// A payment of an invoice, where these are expanded.
enum StripePayment: Int, JSONMember {
  case charge, paymentIntent

  var source: SourceField {
    switch self {
    case .charge: .path("payment", "charge")
    case .paymentIntent: .path("payment", "payment_intent")
    }
  }
}

/// The id of an object that was expanded where its id would do.
enum StripeID: Int, JSONMember {
  case id
  var source: SourceField { SourceField(name: "id") }
}
