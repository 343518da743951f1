"""Writes the pages that are written by a program, and the pictures of the shell."""

from tests.reference import pictures
from tests.reference.pages import DOCS, write

write()
pictures.write(DOCS)
