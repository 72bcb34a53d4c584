"""Whose money it is, App Store: a chain of transactions is one customer, whatever tokens it tells."""

from answers import Either, Sums
from case import case
from stores import NOTIFICATIONS, apple, bought, feed_job, notification, refunded, renewed, signed_text, transaction
from folders import jsonl_text

TOKENS = "apple/app-store-server-library-java#135; readdle/app-store-server-api#32 (Set App Account Token): a token may be absent, set or changed later"
UUID = "hyochan/react-native-iap#2752 (appAccountToken is a UUID); Foundation's UUID().uuidString is upper case"
A, B, C, D = (f"7a1c0de0-0000-4000-8000-0000000000{letter}1" for letter in "abcd")


@case("identity", TOKENS)
def a_token_changed_and_then_a_refund(folder):
    """A refund tells the new token, another none: each takes back the charge of its transaction."""
    one = bought(A, 500000000001101, "2026-03-02", "2026-04-02")
    two = bought(C, 500000000001102, "2026-03-02", "2026-04-02")
    apple(folder, {A: "control", B: "control", C: "variant"}, [one, refunded(B, one, "2026-03-20"), two, refunded(None, two, "2026-03-20")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "0", "charges": 1},
        "variant": {"revenue_gross": "9.99", "revenue_net": "0", "charges": 1}}, aside={})


@case("identity", TOKENS, each={"first_without": 0, "middle_without": 1, "last_without": 2, "only_the_last_tells": 3,
    "only_the_first_tells": 4})
def notifications_without_a_token(folder, place):
    """One or two of a chain's three charges tell no token: all three are its customer's."""
    tokens = {0: (None, A, A), 1: (A, None, A), 2: (A, A, None), 3: (None, None, A), 4: (A, None, None)}[place]
    apple(folder, {A: "control", B: "variant"}, [
        bought(tokens[0], 1101, "2026-03-02", "2026-04-02"), renewed(tokens[1], 1102, "2026-04-02", "2026-05-02", 1101),
        renewed(tokens[2], 1103, "2026-05-02", "2026-06-02", 1101)])
    folder.as_of = "2026-05-20T00:00:00Z"
    return Sums({"control": {"revenue_gross": "29.97", "charges": 3, "paying_conversion": 1, "active_subscription": 1},
        "variant": {"charges": 0}}, aside={})


@case("identity", TOKENS, each={"token_first": False, "token_later": True})
def a_token_told_in_another_file(folder, is_later):
    """The log of one day tells a chain's token, that of another day does not."""
    rows = [bought(None if is_later else A, 1101, "2026-03-02", "2026-04-02"),
        renewed(A if is_later else None, 1102, "2026-04-02", "2026-05-02", 1101)]
    for number, row in enumerate(rows if folder.is_told else map(signed_text, rows[::-1])):
        folder.text(f"log-{number}.jsonl", jsonl_text([row]))
    feed_job(folder, {A: "control", B: "variant"}, [NOTIFICATIONS | {"path": "log-*.jsonl"}])
    return Sums({"control": {"revenue_gross": "19.98", "charges": 2}}, aside={})


@case("identity", TOKENS)
def a_chain_that_never_tells_a_token(folder):
    """Nobody knows whose a chain is: its charges are set aside by name, and no user of that name is made."""
    apple(folder, {A: "control", B: "variant"}, [
        bought(A, 1101, "2026-03-02", "2026-04-02"), bought(None, 1201, "2026-03-02", "2026-04-02"),
        renewed(None, 1202, "2026-04-02", "2026-05-02", 1201)])
    groups = {"control": {"revenue_gross": "9.99", "charges": 1, "users": 1}, "variant": {"charges": 0, "users": 1}}
    return Either(Sums(groups, aside={"missing_field": 2}), Sums(groups, aside={"unassigned": 2}, failing=["unassigned"]))


@case("identity", TOKENS, each={"first": A, "second": B, "third": C})
def three_tokens_of_one_chain(folder, assigned):
    """A chain tells three tokens in turn, one of which is assigned: it is that user's."""
    apple(folder, {assigned: "control", D: "variant"}, [
        bought(A, 1101, "2026-02-02", "2026-03-02"), renewed(B, 1102, "2026-03-02", "2026-04-02", 1101),
        renewed(C, 1103, "2026-04-02", "2026-05-02", 1101)])
    return Sums({"control": {"revenue_gross": "29.97", "charges": 3}, "variant": {"charges": 0}}, aside={})


@case("identity", TOKENS, each={"first": A, "last": C})
def tokens_that_two_chains_share(folder, assigned):
    """Two chains have one token in common: all three tokens are one customer."""
    apple(folder, {assigned: "control", D: "variant"}, [
        bought(A, 1101, "2026-02-02", "2026-03-02"), renewed(B, 1102, "2026-03-02", "2026-04-02", 1101),
        bought(B, 1201, "2026-03-03", "2026-04-03", product="pro_monthly", price=19990, subscriptionGroupIdentifier="G2"),
        renewed(C, 1202, "2026-04-03", "2026-05-03", 1201, product="pro_monthly", price=19990, subscriptionGroupIdentifier="G2")])
    return Sums({"control": {"revenue_gross": "59.96", "charges": 4}}, aside={})


@case("identity", TOKENS)
def two_assigned_tokens_of_one_chain(folder):
    """Two assigned accounts of one group bought as one customer: each charge counts once."""
    apple(folder, {A: "control", B: "control", C: "variant"}, [
        bought(A, 1101, "2026-03-02", "2026-04-02"), renewed(B, 1102, "2026-04-02", "2026-05-02", 1101)])
    return Sums({"control": {"revenue_gross": "19.98", "charges": 2, "paying_conversion": 1}}, aside={})


@case("identity", UUID, each={"assignments": str.upper, "neither": str})
def tokens_in_upper_case(folder, written):
    """The app logs its UUIDs in upper case, Apple sends them in lower case: sixty users and sixty charges."""
    tokens = [f"ab00abcd-ef00-0000-0000-{number * 7919:012x}" for number in range(60)]
    apple(folder, {written(token): ("control", "variant")[place % 2] for place, token in enumerate(tokens)}, [
        bought(token, 20000000001202 + 2 * place, "2026-03-02", "2026-04-02") for place, token in enumerate(tokens)])
    return Sums({group: {"revenue_gross": "299.7", "charges": 30} for group in ("control", "variant")}, aside={})


@case("identity", UUID)
def tokens_in_upper_case_among_identities(folder):
    """Tokens go through identities, which the server writes in upper case."""
    folder.csv("identities.csv", [{"alias": token.upper(), "user": user} for token, user in ((A, "ann"), (B, "ben"))])
    apple(folder, {"ann": "control", "ben": "variant"}, [bought(A, 1101, "2026-03-02", "2026-04-02"),
        bought(B, 1201, "2026-03-02", "2026-04-02")],
          identities="identities.csv")
    return Sums({"control": {"charges": 1}, "variant": {"charges": 1}}, aside={})


@case("identity", TOKENS)
def a_token_that_identities_name_and_a_notification_without(folder):
    """The chain's token is a user by the identities; a renewal tells none: the user's all the same."""
    folder.csv("identities.csv", [{"alias": A, "user": "ann"}, {"alias": B, "user": "ben"}])
    apple(folder, {"ann": "control", "ben": "variant"}, [bought(A, 1101, "2026-03-02", "2026-04-02"),
        renewed(None, 1102, "2026-04-02", "2026-05-02", 1101)],
          identities="identities.csv")
    return Sums({"control": {"charges": 2}, "variant": {"charges": 0}}, aside={})


@case("identity", "spec: `user: originalTransactionId`", each={"without_tokens": None, "with_other_tokens": A})
def chains_that_identities_name(folder, token):
    """The server kept which user an original transaction is of, and the job asks for that."""
    folder.csv("identities.csv", [{"alias": "1101", "user": "ann"}, {"alias": "1201", "user": "ben"}])
    rows = [bought(token, 1101, "2026-03-02", "2026-04-02"), renewed(token, 1102, "2026-04-02", "2026-05-02", 1101),
        bought(None, 1201, "2026-03-02", "2026-04-02")]
    folder.jsonl("notifications.jsonl", rows if folder.is_told else map(signed_text, rows))
    feed_job(folder, {"ann": "control", "ben": "variant"}, [NOTIFICATIONS | {"user": "originalTransactionId"}], identities="identities.csv")
    return Sums({"control": {"charges": 2}, "variant": {"charges": 1}}, aside={})


@case("identity", TOKENS, each={"refund_first": True, "refund_last": False})
def a_refund_in_another_file_without_a_token(folder, is_first):
    """The refund lies in the file of another day and tells no token."""
    one = bought(A, 1101, "2026-03-02", "2026-04-02")
    rows = {"a" if is_first else "z": refunded(None, one, "2026-03-20"), "m": one}
    for name, row in rows.items():
        folder.text(f"{name}.jsonl", jsonl_text([row if folder.is_told else signed_text(row)]))
    feed_job(folder, {A: "control", B: "variant"}, [NOTIFICATIONS | {"path": "*.jsonl"}])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "0", "charges": 1}}, aside={})


@case("identity", TOKENS)
def a_refund_of_a_renewal_under_another_token(folder):
    """Of two charges of a chain the second is taken back, under the other group's user's token: nothing is the other group's."""
    second = renewed(A, 1102, "2026-04-02", "2026-05-02", 1101)
    apple(folder, {A: "control", B: "control", C: "variant"}, [bought(A, 1101, "2026-03-02", "2026-04-02"), second,
        refunded(B, second, "2026-04-10")])
    return Sums({"control": {"revenue_gross": "19.98", "revenue_net": "9.99"}, "variant": {"revenue_net": "0", "charges": 0}}, aside={})


@case("identity", TOKENS)
def a_reversal_without_a_token(folder):
    """A refund and its reversal, neither with a token: the money is back."""
    one = bought(A, 1101, "2026-03-02", "2026-04-02")
    apple(folder, {A: "control", B: "variant"}, [one, refunded(None, one, "2026-03-20"),
        refunded(None, one, "2026-03-25", sort="REFUND_REVERSED")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "9.99"}}, aside={})


@case("identity", "App Store Server API: a restore makes a new transactionId for one webOrderLineItemId")
def a_refund_of_a_restored_transaction(folder):
    """A restored purchase has another transaction and the same order line: one charge, and its refund finds it."""
    one = bought(A, 1101, "2026-03-02", "2026-04-02")
    again = transaction(A, 1109, "2026-03-02", "2026-04-02", chain=1101, webOrderLineItemId="91101")
    apple(folder, {A: "control", B: "variant"}, [one, notification("DID_RENEW", again),
        refunded(None, notification("REFUND", again), "2026-03-20")])
    return Sums({"control": {"revenue_gross": "9.99", "revenue_net": "0", "charges": 1}})


@case("identity", TOKENS)
def a_lifecycle_without_a_token(folder):
    """Auto-renew is turned off and the subscription expires, and neither notification tells a token."""
    one = transaction(A, 1101, "2026-03-02", "2026-04-02")
    bare = transaction(None, 1101, "2026-03-02", "2026-04-02")
    apple(folder, {A: "control", B: "variant"}, [
        notification("SUBSCRIBED/INITIAL_BUY", one), notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", bare,
        signed="2026-03-10"),
        notification("EXPIRED/VOLUNTARY", bare, signed="2026-04-02 10:01")])
    return Sums({"control": {"charges": 1, "active_subscription": 0}}, states={"control": {"expired": 1}}, aside={})


@case("identity", TOKENS)
def a_cancellation_under_another_token(folder):
    """Auto-renew is turned off under the chain's new token: the user is set to expire."""
    folder.as_of = "2026-03-20T00:00:00Z"
    apple(folder, {A: "control", C: "variant"}, [
        bought(A, 1101, "2026-03-02", "2026-04-02"),
        notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", transaction(B, 1101, "2026-03-02", "2026-04-02"),
        signed="2026-03-10")])
    return Sums({"control": {"charges": 1, "active_subscription": 1}}, states={"control": {"set_to_expire": 1}}, aside={})


@case("identity", TOKENS)
def many_chains_without_a_first_token(folder):
    """Every other of two hundred chains tells its token with its renewal only: both groups are alike."""
    rows = []
    for number in range(200):
        token = f"7a1c0de0-0000-4000-8000-{number:012x}"
        rows += [bought(token if number // 2 % 2 else None, 10000 + number, "2026-03-02", "2026-04-02"),
                 renewed(token, 20000 + number, "2026-04-02", "2026-05-02", 10000 + number)]
    apple(folder, {f"7a1c0de0-0000-4000-8000-{number:012x}": ("control", "variant")[number % 2] for number in range(200)}, rows)
    return Sums({group: {"revenue_gross": "1998", "charges": 200, "paying_conversion": 100} for group in ("control", "variant")}, aside={})
