"""The language server: what the command line would report, as you type.

`documents` (what is open, with its unsaved text, and which of its rows the editor counts by themselves), `moves` (where
its lines went), `memory` (the analyses of the other files), `checker` (from these to findings) and `hover` (what is
known, in words) do not depend on the protocol. `texts` makes the changes that the editor sends. `diagnostics` and
`actions` translate what was found, with the columns of `positions`; `server` is the state of the conversation, and
`features` what is answered.
"""
