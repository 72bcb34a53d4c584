"""Who is who: aliases followed to their end, in the table and in transfers."""

from facts import rows_of


class Identities:
    """`of(user)` is the user an id stands for; cycles and contradictions leave an id as it is."""

    def __init__(self, pairs, transfers=()):
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

    def is_circling(self, alias):
        """Whether following the aliases comes back here."""
        seen, here = set(), self.next.get(alias)
        while here in self.next and here != alias and here not in seen:
            seen.add(here)
            here = self.next[here]
        return here == alias

    def of(self, user):
        while user in self.next and user not in self.circling:
            user = self.next[user]
        return user


def read_identities(job, folder, transfers):
    pairs = []
    if "identities" in job:
        pairs = [(row["alias"], row["user"]) for row in rows_of(job["identities"], folder)]
    return Identities(pairs, transfers)
