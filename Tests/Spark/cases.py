"""Some of the cases of `Tests/Cases`: whose money it is, what a charge and what a file is must not depend on the engine."""

import os
import sys

from random_worlds import PlannedWorld

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Cases"))

from every import CASES  # noqa: E402
from folders import Folder  # noqa: E402

# One of each kind that crosses files, users or partitions, and of each way that bytes become rows; then more of them.
CHOSEN = [
    "numbers_as_ids_in_sqlite", "ids_that_are_blobs__lower",
    "a_token_changed_and_then_a_refund", "a_token_told_in_another_file__token_later", "aliases_over_six_ids",
    "webhooks_and_an_export_of_one_customer", "uuids_in_upper_case_among_identities__both",
    "a_refund_in_another_file_and_under_another_name__file_before", "one_of_two_subscriptions__expired",
    "a_copy_beside_counts_once__packed", "another_container_is_refused_by_name__zip", "shards_that_were_joined__csv_with_headers",
    "several_objects_a_line__triples", "everything_at_once",
    "many_chains_without_a_first_token", "tokens_that_two_chains_share__last", "ten_of_forty_bought_before_they_logged_in",
    "enrolments_under_an_anonymous_id", "uuids_in_upper_case__csv", "some_purchases_write_ids_otherwise__decomposed",
    "a_billing_issue_noticed_late__minutes_after", "one_file_of_two_inputs_counts_once", "orders_of_a_day__csv",
    "two_tables_in_many_files",
    "items_of_an_order__csv", "products_of_rows_that_do_not_count__stranger",
]


class PlannedCase(PlannedWorld):
    """A case, planned and compared as a world is."""

    def __init__(self, spark, binary, folder, case):
        super().__init__(spark, binary, os.path.join(folder, case.name), case.name)
        self.case = case

    def make(self):
        os.makedirs(self.folder)
        self.world = Folder(self.path("in"))
        self.case.write(self.world)


def planned_cases(spark, binary, folder):
    named = {case.name: case for case in CASES}
    return [PlannedCase(spark, binary, folder, named[name]) for name in CHOSEN]
