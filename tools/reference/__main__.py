"""Writes the pages that are written by a program, and the pictures of the shell."""

from tools.reference import pictures
from tools.reference.pages import DOCS, write

write()
pictures.write(DOCS)
