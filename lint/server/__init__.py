"""The language server: what the command line would report, as you type.

`documents` (what is open, with its unsaved text), `moves` (where its lines went), `memory` (the analyses of the other
files), `checker` (from these to findings) and `hover` (what is known, in words) do not depend on the protocol.
`diagnostics` and `actions` translate what they say, with the columns of `positions`; `server` is the conversation.
"""
