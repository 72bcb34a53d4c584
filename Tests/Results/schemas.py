"""The JSON Schemas that the program prints, and how YAML and JSON are held against them."""

import functools
import json
import subprocess

import jsonschema
import yaml

import nights


class Loader(yaml.SafeLoader):
    """YAML as editors read it: a date is a text."""


Loader.yaml_implicit_resolvers = {
    letter: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:timestamp"]
    for letter, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@functools.cache
def schema(kind):
    done = subprocess.run([nights.BINARY, "schema", kind], capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


@functools.cache
def validator(kind):
    made = jsonschema.validators.validator_for(schema(kind))
    return made(schema(kind), format_checker=made.FORMAT_CHECKER)


def job(text):
    return yaml.load(text, Loader)


def faults(kind, value):
    """Every fault as where it is and what it is, the deepest of several alternatives told apart."""
    return sorted({(place(error), error.message) for root in validator(kind).iter_errors(value) for error in leaves(root)})


def leaves(error):
    """What is wrong at the bottom of it."""
    return [leaf for inner in error.context for leaf in leaves(inner)] if error.context else [error]


def place(error):
    return ".".join(map(str, error.absolute_path))
