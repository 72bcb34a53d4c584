"""Who is who: aliases followed to their end, in the table and in transfers; ids that feeds tell of one customer."""

from facts import rows_of
from values import folded


class Identities:
    """`of(user)` is the customer an id stands for; cycles and contradictions leave an id as it is.

    What an alias table or a transfer says has a direction. Then whatever ids a feed has ever told together are one
    customer, whichever of them is assigned.
    """

    def __init__(self, pairs, transfers=(), together=()):
        targets = {}
        for alias, user in pairs:
            if alias != user:
                targets.setdefault(alias, set()).add(user)
        self.conflicts = {alias for alias, users in targets.items() if len(users) > 1}
        self.next = {alias: users.pop() for alias, users in targets.items() if len(users) == 1}
        for at, alias, user in sorted(transfers, key=lambda t: (t[0], t[2].encode())):
            if alias not in targets and alias != user:
                self.next[alias] = user
        self.circling = {alias for alias in self.next if self.is_circling(alias)}
        self.customers = {}
        for ids in together:
            self.join({self.followed(user) for user in ids})

    def is_circling(self, alias):
        """Whether following the aliases comes back here."""
        seen, here = set(), self.next.get(alias)
        while here in self.next and here != alias and here not in seen:
            seen.add(here)
            here = self.next[here]
        return here == alias

    def followed(self, user):
        while user in self.next and user not in self.circling:
            user = self.next[user]
        return user

    def join(self, users):
        """All ids of these users' customers are one customer's."""
        everyone = set().union(*(self.customers.get(user, {user}) for user in users)) if users else set()
        for user in everyone:
            self.customers[user] = everyone

    def of(self, user):
        user = self.followed(user)
        return min(self.customers.get(user, {user}), key=str.encode)


def read_identities(job, folder, notices, cutoff):
    """As they were known at the cut-off."""
    pairs = []
    if "identities" in job:
        pairs = [(folded(row["alias"]), folded(row["user"])) for row in rows_of(job["identities"], folder)]
    transfers = [transfer for transfer in notices.transfers if transfer[0] < cutoff]
    return Identities(pairs, transfers, [ids for at, ids in notices.aliases if at < cutoff])
