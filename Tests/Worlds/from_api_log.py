"""The app server's own record of what it answered → events without money."""

from facts import READERS, Event, id_of, needed, needed_id, text_of, time_of
from rows_in import bytes_of, json_rows
from values import Fault

REFUSALS = {"auth_invalid", "server_error"}  # a call may end before the server knows whose it is
VIEWS = {"/api/subscription/plan-info": "plan_view", "/api/subscription/status": "status_check"}


class api_log_reader:
    def __init__(self, source, types, notices):
        self.source, self.notices = source, notices

    def rows(self, path, account):
        return json_rows(bytes_of(path))

    def events(self, row, account):
        path = needed(row, "endpoint")
        endpoint = self.source.get("endpoints", {}).get(path, path)
        if endpoint not in ANSWERS and endpoint not in VIEWS:
            self.notices.leave_out(path)
        response = row.get("response")  # of a row with several faults: the answer's, that of its time, its user's
        if endpoint in ANSWERS and not isinstance(response, dict):
            raise Fault("malformed", "response")
        if row.get("occurredAt") is None:
            raise Fault("missing_field", "occurredAt")
        at = time_of(row["occurredAt"], self.source)
        event = Event(None, None, at, None, None, None, None, id_of(row.get("eventId")), None, None, None, None,
                      account, feed="api-log")
        event.type = VIEWS.get(endpoint) or ANSWERS[endpoint](response, event)
        if event.type in REFUSALS and id_of(row.get("userId")) is None:
            self.notices.leave_out(f"{event.type} of nobody")
        event.user = needed_id(row, "userId")
        return [event]


def offering(response, event):
    if response.get("Success") == "5":
        return "auth_invalid"
    if response.get("Success") != "1" or "Body" not in response:
        return "server_error"
    body = response["Body"]
    if body is None:
        return "no_offering"
    event.offering, event.group = id_of(body.get("offeringId")), id_of(body.get("testGroupId"))
    return "offering_served"


def upgrade(response, event):
    if response.get("success") is True:
        event.transaction = id_of(response.get("transaction_id"))
        return "activation"
    if response.get("error_code") is not None:
        event.code = str(response["error_code"])
        event.environment = "Sandbox" if event.code == "21007" else None
        return "validation_failed"
    return "already_subscribed"


def purchase(response, event):
    return "activation" if response.get("success") is True else "validation_failed"


ANSWERS = {
    "/v1/getSubscriptionOffering": offering, "/api/subscription/upgrade": upgrade, "/subscription/purchase": purchase,
}
READERS["api-log"] = api_log_reader
