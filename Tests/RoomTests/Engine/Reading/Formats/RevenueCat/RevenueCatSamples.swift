/// Webhooks as RevenueCat's documentation shows them, each on a line of its own.
///
/// Source: RevenueCat, Webhooks, Sample Events (docs.revenuecat.com, as of 2025). Left out are subscriber attributes,
/// entitlements and percentages, which nothing here looks at; the values are theirs.
enum RevenueCatSamples {
  static let initialPurchase = #"""
    {"event":{"event_timestamp_ms":1658726378679,"product_id":"com.subscription.weekly","period_type":"NORMAL","purchased_at_ms":1658726374000,"expiration_at_ms":1659331174000,"environment":"PRODUCTION","entitlement_ids":["pro"],"presented_offering_id":null,"transaction_id":"123456789012345","original_transaction_id":"123456789012345","is_family_share":false,"country_code":"US","app_user_id":"1234567890","aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],"original_app_user_id":"$RCAnonymousID:87c6049c58069238dce29853916d624c","currency":"USD","price":4.99,"price_in_purchased_currency":4.99,"subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,"value":"firstlast@gmail.com"}},"store":"APP_STORE","takehome_percentage":0.7,"offer_code":null,"type":"INITIAL_PURCHASE","id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890","experiments":[{"experiment_id":"prexp123","experiment_variant":"b","enrolled_at_ms":1658726378679}]},"api_version":"1.0"}
    """#

  static let renewal = #"""
    {"event":{"event_timestamp_ms":1658726405017,"product_id":"com.subscription.weekly","period_type":"NORMAL","purchased_at_ms":1658755132000,"expiration_at_ms":1659359932000,"environment":"PRODUCTION","presented_offering_id":null,"transaction_id":"123456789012345","original_transaction_id":"123456789012345","is_family_share":false,"app_user_id":"1234567890","currency":"EUR","is_trial_conversion":false,"price":8.14,"price_in_purchased_currency":7.99,"store":"APP_STORE","type":"RENEWAL","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let cancellation = #"""
    {"event":{"event_timestamp_ms":1601337615995,"product_id":"com.revenuecat.myapp.weekly","period_type":"NORMAL","purchased_at_ms":1601417766000,"expiration_at_ms":1602022566000,"environment":"PRODUCTION","presented_offering_id":"defaultoffering","transaction_id":"100000000000002","original_transaction_id":"100000000000000","app_user_id":"$RCAnonymousID:12345678-1234-1234-1234-123456789123","offer_code":"free_month","cancel_reason":"UNSUBSCRIBE","currency":"USD","price":0.0,"price_in_purchased_currency":0.0,"store":"APP_STORE","type":"CANCELLATION","id":"12345678-ABCD-1234-ABCD-12345678912"},"api_version":"1.0"}
    """#

  static let uncancellation = #"""
    {"event":{"event_timestamp_ms":1663982135337,"product_id":"com.subscription.monthly","period_type":"NORMAL","purchased_at_ms":1662643092000,"expiration_at_ms":1665235092000,"environment":"PRODUCTION","presented_offering_id":"plus","transaction_id":"123456789012345","original_transaction_id":"123456789012345","is_family_share":false,"app_user_id":"1234567890","currency":"USD","price":0.0,"price_in_purchased_currency":0.0,"subscriber_attributes":{},"store":"APP_STORE","type":"UNCANCELLATION","id":"12345678-1234-1234-1234-123456789012","price_experiments":[{"price_experiment_id":"prexp123","price_experiment_variant":"b"}]},"api_version":"1.0"}
    """#

  static let nonRenewingPurchase = #"""
    {"event":{"event_timestamp_ms":1658726522314,"product_id":"2100_tokens","period_type":"NORMAL","purchased_at_ms":1658726519000,"expiration_at_ms":null,"environment":"PRODUCTION","presented_offering_id":"coins","transaction_id":"123456789012345","original_transaction_id":"123456789012345","is_family_share":false,"app_user_id":"1234567890","currency":"CAD","price":25.487,"price_in_purchased_currency":32.99,"store":"APP_STORE","type":"NON_RENEWING_PURCHASE","id":"12345678-1234-1234-1234-123456789012","experiments":[{"experiment_id":"prexp123","experiment_variant":"b"}]},"api_version":"1.0"}
    """#

  static let subscriptionPaused = #"""
    {"event":{"event_timestamp_ms":1652796516000,"product_id":"premium","period_type":"NORMAL","purchased_at_ms":1652681048845,"expiration_at_ms":1655366648845,"environment":"PRODUCTION","transaction_id":"123456789012345","is_family_share":false,"app_user_id":"1234567890","auto_resume_at_ms":1657951448845,"currency":"USD","price":0.0,"price_in_purchased_currency":0.0,"store":"PLAY_STORE","type":"SUBSCRIPTION_PAUSED","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let billingIssue = #"""
    {"event" : {"event_timestamp_ms" : 1601337601013,"product_id" : "com.revenuecat.myapp.monthly","period_type" : "NORMAL","purchased_at_ms" : 1598640647000,"expiration_at_ms" : 1601319047000,"environment" : "PRODUCTION","presented_offering_id" : "defaultoffering","transaction_id" : "100000000000002","original_transaction_id" : "100000000000000","app_user_id" : "$RCAnonymousID:12345678-1234-1234-1234-123456789123","offer_code": "summer_special","currency" : "USD","price" : 0,"price_in_purchased_currency" : 0,"store" : "APP_STORE","type" : "BILLING_ISSUE","id" : "12345678-1234-1234-1234-12345678912","experiments": [{"experiment_id": "prexp123","experiment_variant": "b","enrolled_at_ms": 1762274791000}]},"api_version" : "1.0"}
    """#

  static let expiration = #"""
    {"event":{"event_timestamp_ms":1697451462232,"product_id":"com.subscription.weekly","period_type":"NORMAL","purchased_at_ms":1696846623000,"expiration_at_ms":1697451423000,"environment":"PRODUCTION","presented_offering_id":null,"transaction_id":"123456789012345","original_transaction_id":"123456789012345","is_family_share":false,"app_user_id":"1234567890","expiration_reason":"UNSUBSCRIBE","currency":"USD","price":0.00,"price_in_purchased_currency":0.00,"store":"APP_STORE","type":"EXPIRATION","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let refund = #"""
    {"event" : {"event_timestamp_ms" : 1601337615995,"product_id" : "com.revenuecat.myapp.monthly","period_type" : "NORMAL","purchased_at_ms" : 1601258901000,"expiration_at_ms" : 1601336705000,"environment" : "PRODUCTION","presented_offering_id" : "defaultoffering","transaction_id" : "100000000000000","original_transaction_id" : "100000000000000","app_user_id" : "$RCAnonymousID:12345678-1234-ABCD-1234-123456789123","offer_code": null,"cancel_reason" : "CUSTOMER_SUPPORT","currency" : "USD","price" : -9.99,"price_in_purchased_currency" : -9.99,"store" : "APP_STORE","type" : "CANCELLATION","id" : "12345678-1234-1234-1234-12345678912"},"api_version" : "1.0"}
    """#

  static let productChange = #"""
    {"event" : {"event_timestamp_ms" : 1601338594769,"product_id" : "com.revenuecat.myapp.monthly","period_type" : "NORMAL","purchased_at_ms" : 1601304429682,"expiration_at_ms" : 1601311606660,"environment" : "PRODUCTION","transaction_id" : "GPA.1234-1234-1234-12345","app_user_id" : "$RCAnonymousID:12345678-1234-1234-1234-123456789123","new_product_id" : "com.revenuecat.myapp.yearly","currency" : "USD","price" : 0,"price_in_purchased_currency" : 0,"store" : "PLAY_STORE","type" : "PRODUCT_CHANGE","id" : "12345678-1234-1234-1234-12345678912"},"api_version" : "1.0"}
    """#

  static let trialStarted = #"""
    {"event":{"event_timestamp_ms":1658726366696,"product_id":"com.subscription.yearly","period_type":"TRIAL","purchased_at_ms":1658726358573,"expiration_at_ms":1658992117958,"environment":"PRODUCTION","presented_offering_id":"standard","transaction_id":"123456789012345","original_transaction_id":"123456789012345","is_family_share":false,"app_user_id":"1234567890","currency":"PHP","price":0,"price_in_purchased_currency":0,"store":"PLAY_STORE","type":"INITIAL_PURCHASE","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let trialCancelled = #"""
    {"event":{"event_timestamp_ms":1658726482659,"product_id":"com.subscription.weekly","period_type":"TRIAL","purchased_at_ms":1658725349000,"expiration_at_ms":1658984549000,"environment":"PRODUCTION","transaction_id":"123456789012345","is_family_share":false,"app_user_id":"1234567890","cancel_reason":"UNSUBSCRIBE","currency":"CNY","price":0.0,"price_in_purchased_currency":0.0,"store":"APP_STORE","type":"CANCELLATION","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let subscriptionExtended = #"""
    {"event":{"event_timestamp_ms":1697451462232,"product_id":"com.subscription.weekly","period_type":"NORMAL","purchased_at_ms":1696846623000,"expiration_at_ms":1697451423000,"environment":"PRODUCTION","transaction_id":"123456789012345","app_user_id":"1234567890","currency":"USD","price":0.00,"price_in_purchased_currency":0.00,"store":"APP_STORE","type":"SUBSCRIPTION_EXTENDED","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let refundReversed = #"""
    {"event":{"event_timestamp_ms":1697451462232,"product_id":"com.subscription.weekly","period_type":"NORMAL","purchased_at_ms":1696846623000,"expiration_at_ms":1697451423000,"environment":"PRODUCTION","transaction_id":"123456789012345","original_transaction_id":"123456789012345","is_family_share":false,"app_user_id":"1234567890","currency":"USD","price":5.00,"price_in_purchased_currency":5.00,"store":"APP_STORE","metadata":null,"renewal_number":3,"type":"REFUND_REVERSED","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let virtualCurrency = #"""
    {"event":{"adjustments":[{"amount":100,"currency":{"code":"CRD","description":"The main currency unit","name":"Credits"}}],"app_user_id":"1234567890","event_timestamp_ms":1658726378679,"product_display_name":"Monthly sub for 100 credits","product_id":"1M_100credits","purchase_environment":"PRODUCTION","source":"in_app_purchase","store":"APP_STORE","transaction_id":"123456789012345","virtual_currency_transaction_id":"vatx123456789012345","type":"VIRTUAL_CURRENCY_TRANSACTION","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let experimentEnrollment = #"""
    {"event":{"event_timestamp_ms":1658726378679,"app_user_id":"$RCAnonymousID:12345678-1234-1234-1234-123456789123","aliases":["$RCAnonymousID:12345678-1234-1234-1234-123456789123"],"experiment_id":"prexpca1234abcd","experiment_variant":"b","experiment_enrolled_at_ms":1658726378679,"type":"EXPERIMENT_ENROLLMENT","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  static let invoiceIssuance = #"""
    {"event":{"event_timestamp_ms":1745004447300,"product_id":"com.subscription.monthly","period_type":null,"purchased_at_ms":1745004447283,"expiration_at_ms":null,"environment":"PRODUCTION","presented_offering_id":null,"transaction_id":null,"original_transaction_id":null,"is_family_share":false,"app_user_id":"41234567890","currency":"USD","price_in_purchased_currency":9.0,"store":"RC_BILLING","renewal_number":null,"type":"INVOICE_ISSUANCE","id":"12345678-1234-1234-1234-123456789012"},"api_version":"1.0"}
    """#

  /// Of the fields that the documentation lists for it; no sample is shown.
  static let transfer = #"""
    {"event":{"event_timestamp_ms":1658726378679,"store":"APP_STORE","transferred_from":["$RCAnonymousID:12345678-1234-1234-1234-123456789123","$RCAnonymousID:12345678-1234-ABCD-1234-123456789123"],"transferred_to":["1234567890"],"type":"TRANSFER","id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#
}
