/** A client-ID metadata document, as an agent's maker serves it; a test reads it as JSON. */
export const clientDocumentSnippet = (): string => `{
  "client_id": "https://agent.example.com/client.json",
  "client_name": "My agent",
  "client_uri": "https://agent.example.com",
  "redirect_uris": ["http://127.0.0.1/callback"],
  "grant_types": ["authorization_code", "refresh_token"],
  "response_types": ["code"],
  "token_endpoint_auth_method": "none"
}
`
