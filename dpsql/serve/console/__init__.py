"""The web console: pages for analysts and owners, on the server's own application.

Claim: a browser can do nothing here that its principal could not do over HTTP with his token. Why:
every request that looks or asks is answered by `Service` as the principal that the session's token
has at that moment; pages hold no rule of their own about who may do what to the data.
"""
