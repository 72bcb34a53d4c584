"""Which feed tells which event: the store's formats, the app server's log, and the native form for the rest."""

from dirt import damaged_events, with_copies
from tables import native_sources
import to_adapty
import to_api_log
import to_app_store
import to_ga4
import to_revenuecat
import to_superwall

STORES = {
    "app-store-notifications": (to_app_store.writes, to_app_store.app_store_source),
    "revenuecat-export": (to_revenuecat.export_writes, to_revenuecat.export_source),
    "revenuecat-webhooks": (to_revenuecat.webhook_writes, to_revenuecat.webhook_source),
    "superwall-webhooks": (to_superwall.writes, to_superwall.source),
    "adapty-export": (to_adapty.writes, to_adapty.source),
    "ga4-export": (to_ga4.writes, to_ga4.ga4_source),
    "native": (lambda event, world: not event.get("#restored"), None),
}


def stores_of(rng):
    """No store's feed, one, or two that tell the same story (the native form may be one of them)."""
    if rng.random() < 0.4:
        return []
    names = [name for name in STORES if name != "native"]
    if rng.random() < 0.65:
        return [rng.choice(names)]
    return rng.sample(names, 2) if rng.random() < 0.6 else [rng.choice(names), "native"]


def purchase_sources(rng, world, events):
    """Every event goes to each feed that can tell it, else to the native logs."""
    to_revenuecat.mark_lone_refunds(events)
    api = rng.random() < 0.6
    told, native, served = {name: [] for name in world.stores}, [], []
    for event in events:
        if api and event.get("#api") and to_api_log.writes(event, world):
            served.append(event)
            continue
        feeds = [name for name in world.stores if STORES[name][0](event, world)]
        for name in feeds:
            told[name].append(event)
        if not feeds and not event.get("#restored"):
            native.append(event)
    native += told.pop("native", [])
    native = damaged_events(rng, world, with_copies(rng, world, world.ids_of.stray(native)))
    sources = native_sources(rng, world, native)
    for place, (name, theirs) in enumerate(told.items()):
        sources.append(STORES[name][1](rng, world, theirs, f"feed{place}"))
    if served:
        sources.append(to_api_log.api_log_source(rng, world, served, "api"))
    return sources

