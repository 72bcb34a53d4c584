"""Every format's file, so that each puts its reader among the readers of `facts`."""

import from_adapty
import from_api_log
import from_app_store
import from_ga4
import from_google_play
import from_revenuecat
import from_stripe
import from_superwall

FORMATS = [from_app_store, from_google_play, from_revenuecat, from_stripe, from_ga4, from_superwall, from_adapty, from_api_log]
