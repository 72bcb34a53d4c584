"""The many ids of one customer: anonymous ones and aliases, chains with another token or none, letters of UUIDs.

All dice are of their own, so that a world without such ids is what it was before.
"""

import random
import uuid

from values import UUID

STRAYING = ("refund", "refund_reversal", "cancel", "expire", "extend", "billing_retry")
FOLDED = ("userId", "eventId", "transactionId", "originalTransactionId")


class ManyIds:
    """How one world writes its ids."""

    def __init__(self, seed):
        self.rng = random.Random(f"ids {seed}")
        self.has_uuids = self.rng.random() < 0.35
        self.is_many = self.rng.random() < 0.4  # feeds tell several ids of a customer
        self.strays = self.rng.random() < 0.35  # refunds and turns told of somebody else
        self.known = None  # where whoever an id belongs to is told once at least: of whom it has been

    def times(self, chance):
        return self.rng.random() < chance

    def uuid(self):
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def users(self, names):
        """Some of the users have a UUID for a name."""
        return [self.uuid() if self.has_uuids and self.times(0.4) else name for name in names]

    def written(self, text):
        """An id as one of its writers spells it: letters of a UUID may be of either case."""
        if not text or not UUID.match(text):
            return text
        return self.rng.choice([text, text.upper(), text[:18] + text[18:].upper()])

    def row(self, event):
        return event | {name: self.written(event[name]) for name in FOLDED if event.get(name)}

    def begin(self):
        """A feed of its own that leaves nobody unknown."""
        self.known = set()

    def is_first(self, name):
        if self.known is None or name in self.known:
            return False
        self.known.add(name)
        return True

    def anonymous(self, user):
        return f"$RCAnonymousID:{user}"

    def hook(self, user):
        """The ids that a webhook tells of a user: now and then the anonymous one alone, before a later one says whose it is."""
        anonymous = self.anonymous(user)
        other = f"{user}, too"
        if self.is_many and self.is_first(user):
            return {"app_user_id": user, "original_app_user_id": anonymous, "aliases": [anonymous, other, user]}
        if not self.is_many or self.times(0.4):
            return {"app_user_id": user, "original_app_user_id": anonymous if self.times(0.5) else user}
        return self.rng.choice([
            {"app_user_id": anonymous, "original_app_user_id": anonymous, "aliases": [anonymous]},
            {"app_user_id": user, "original_app_user_id": anonymous, "aliases": [anonymous, user]},
            {"app_user_id": other, "original_app_user_id": other, "aliases": [other, user]},
            {"app_user_id": anonymous, "original_app_user_id": other, "aliases": []},
            {"app_user_id": other, "original_app_user_id": user, "aliases": [anonymous]},
        ])

    def columns(self, user):
        """The two ids of an export's row."""
        anonymous = self.anonymous(user)
        if not self.is_many or self.is_first(user) or self.times(0.4):
            return {"rc_original_app_user_id": user, "rc_last_seen_app_user_id_alias": anonymous}
        other = f"{user}, too"
        return dict(zip(("rc_original_app_user_id", "rc_last_seen_app_user_id_alias"), self.rng.choice(
            [(anonymous, anonymous), (anonymous, user), (other, anonymous), (other, user), (user, other)])))

    def token(self, user, chain):
        """The token of a notification: of a chain's another may be told, or none."""
        if not self.is_many or chain is None or self.is_first(chain) or self.times(0.6):
            return user
        return self.rng.choice([None, f"{user}, too", self.anonymous(user)])

    def stray(self, events):
        """Refunds and turns of the app's own log, said to be another user's."""
        if not self.strays:
            return events
        users = sorted({event["userId"] for event in events if event.get("userId")}) + ["nobody", "who"]
        return [event | {"userId": self.rng.choice(users), "offeringId": None, "testGroupId": None}  # whose group would it be?
                if self.may_stray(event) and self.times(0.3) else event for event in events]

    def may_stray(self, event):
        """A charge is found by its transaction; a trial's is no charge."""
        of_trial = (event.get("#of") or {}).get("eventType") == "trial_start"
        return event["eventType"] in STRAYING and event.get("transactionId") and not of_trial
