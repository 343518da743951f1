"""The server's own certificate, for protocols whose connections are read here."""

from __future__ import annotations

import ssl

from dpsql.errors import PolicyError
from dpsql.serve.config import TlsConfig


def context(config: TlsConfig | None) -> ssl.SSLContext | None:
    """How connections are kept secret; None where they are not.

    Raises:
        PolicyError: the certificate cannot be read, or is none.
    """
    if config is None:
        return None
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.options |= ssl.OP_NO_RENEGOTIATION
    problem = ""
    try:
        made.load_cert_chain(config.certificate, config.key)
        return made
    except OSError as error:  # also what ssl raises
        problem = f"the certificate cannot be read: {error.strerror or type(error).__name__}"
    raise PolicyError(problem, file=config.certificate)
