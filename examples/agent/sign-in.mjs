import { createServer } from 'node:http'

/** What the protocol's client asks of an agent around it: what to remember, and how the person comes to the browser and back. */
export class SignIn {
  #kept = {}

  /** Listens for the browser to come back. @param visit leads the person to an address */
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
    this.#kept.answer = this.#comesBack()
    this.visit(target.href)
  }

  /** What the person answered, once they have. */
  answer() {
    return this.#kept.answer
  }

  stop() {
    this.listener.close()
  }

  #comesBack() {
    return new Promise((resolve) => {
      const hear = (req, res) => {
        const url = new URL(req.url, this.redirectUrl)
        if (url.pathname !== '/callback') return res.writeHead(404).end()
        res.writeHead(200, { 'content-type': 'text/plain', connection: 'close' })
        res.end('Thank you. The agent goes on; you can close this window.')
        this.listener.off('request', hear)
        resolve(url.searchParams)
      }
      this.listener.on('request', hear)
    })
  }
}
