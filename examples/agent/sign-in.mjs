import { createServer } from 'node:http'

/**
 * The OAuth client provider for the MCP client library. It keeps credentials in memory, opens the browser,
 * and waits for the redirect.
 */
export class SignIn {
  #kept = {}

  /**
   * Starts a server for the browser's redirect, and returns the provider. @param visit opens a URL for the
   * user
   */
  static async start(visit) {
    const listener = createServer()
    await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return new SignIn(listener, visit)
  }

  constructor(listener, visit) {
    this.listener = listener
    this.visit = visit
    this.redirectUrl = `http://127.0.0.1:${listener.address().port}/callback`
  }

  get clientMetadata() {
    return {
      client_name: 'Example agent',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  clientInformation() {
    return this.#kept.client
  }

  saveClientInformation(client) {
    this.#kept.client = client
  }

  tokens() {
    return this.#kept.tokens
  }

  saveTokens(tokens) {
    this.#kept.tokens = tokens
  }

  codeVerifier() {
    return this.#kept.verifier
  }

  saveCodeVerifier(verifier) {
    this.#kept.verifier = verifier
  }

  redirectToAuthorization(target) {
    this.#kept.answer = this.#waitForRedirect()
    this.visit(target.href)
  }

  /** Resolves with the redirect's parameters after the user has decided. */
  answer() {
    return this.#kept.answer
  }

  stop() {
    this.listener.close()
  }

  #waitForRedirect() {
    return new Promise((resolve) => {
      const onRequest = (req, res) => {
        const url = new URL(req.url, this.redirectUrl)
        if (url.pathname !== '/callback') return res.writeHead(404).end()
        res.writeHead(200, { 'content-type': 'text/plain', connection: 'close' })
        res.end('The agent continues. You can close this window.')
        this.listener.off('request', onRequest)
        resolve(url.searchParams)
      }
      this.listener.on('request', onRequest)
    })
  }
}
