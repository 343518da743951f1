"""Writes the pages that are written by a program."""

from tests.reference.pages import write

write()
