"""What `check` promises before a run."""

from answers import Looked
from case import case
from folders import csv_text
from people import orders, table_job, users

PIPES = "process substitution: https://www.gnu.org/software/bash/manual/html_node/Process-Substitution.html"
NOBODY = "a job that ran and measured nobody: https://www.geteppo.com/docs (zero joined users)"


@case("init", "spec: `check` ends with \"This job will run.\" only where the run would be believed")
def a_good_job(folder):
    """Users and orders are as they should be: the job will run."""
    folder.csv("users.csv", users())
    folder.csv("orders.csv", orders())
    table_job(folder)
    return Looked(runs=True)


@case("init", NOBODY)
def a_job_without_users(folder):
    """The users' table has a header alone: that is an error, as nobody would be measured."""
    folder.csv("users.csv", users()[:1])
    folder.write("users.csv", "user,offering,group,at\n")
    folder.csv("orders.csv", orders())
    table_job(folder)
    return Looked()


@case("init", NOBODY)
def a_job_whose_users_are_rejected(folder):
    """No assignment can be read: the job will not run."""
    folder.csv("users.csv", users(at="soon"))
    folder.csv("orders.csv", orders())
    table_job(folder)
    return Looked("users.csv", "time")


@case("init", NOBODY)
def a_job_whose_purchases_are_nobody_s(folder):
    """No purchase is of an assigned user, as ids are written otherwise: the run would not be believed."""
    folder.csv("users.csv", users("acc{}x"))
    folder.csv("orders.csv", orders("ACC{}X"))
    table_job(folder)
    return Looked("0 of 67")


@case("init", PIPES)
def a_pipe_that_cannot_be_looked_into(folder):
    """The orders come through a named pipe, which `check` would empty: it says that it cannot look."""
    folder.csv("users.csv", users())
    folder.pipe("orders.csv", csv_text(orders()).encode())
    table_job(folder)
    return Looked("orders.csv", "pipe", runs=False)
