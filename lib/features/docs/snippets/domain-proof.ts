/** Where the proof of a domain is published; the value is made for each app. */
export const domainProofSnippet = (): string => `# A TXT record
_latchkey.example.com.  TXT  "latchkey-app=…"

# Or a line of this file
https://example.com/.well-known/latchkey-app.txt
`
