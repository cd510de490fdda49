import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import {
  authorizationAddress,
  deviceCodeSnippet,
  exchangeCodeSnippet,
  pollDeviceSnippet,
  pushSnippet,
} from './curl'
import { deviceFlowSnippet, nativeAppSnippet } from './native-app'
import { placeholders } from './values'
import { webAppSnippet } from './web-app'

/**
 * Texts that an admin could add to a redirect URI to run code on the computer of a user who pastes a snippet.
 */
const hostile = [
  "'; globalThis.pwned = 1; //",
  "\\'; globalThis.pwned = 1; //",
  `'+(globalThis.pwned=1)+'`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text must not be interpreted as a template
  '${globalThis.pwned=1}`$(touch pwned)`',
  '\'$(touch pwned)\'"$(touch pwned)"',
  "'\\''; touch pwned; '",
  "$&$`$'$1",
  '\\',
  '\n*/globalThis.pwned=1\r\u2028;touch pwned\n',
]

const values = { ...placeholders, baseUrl: 'https://id.example' }

/**
 * Runs a program with a fake library that only records calls.
 * @returns the calls to the library and the network
 */
async function runProgram(code: string, pasted = '') {
  const seen: Record<string, unknown> = {}
  let handler: (req: object, res: object) => unknown = () => undefined
  const config: Record<symbol, (url: string, options: object) => unknown> = {}
  const customFetch = Symbol('customFetch')
  const address = (_: object, parameters: Record<string, string>) => {
    seen.redirectUri = parameters.redirect_uri
    const body = new URLSearchParams({ redirect_uri: 'shortened' })
    config[customFetch]?.('https://id.example/oauth/token', { body })
    seen.repeated = body.get('redirect_uri')
    return new URL('https://id.example/oauth/auth')
  }
  const listener = {
    listen: (port: unknown, host: unknown, done?: () => void) => {
      Object.assign(seen, { port, host })
      done?.()
    },
    address: () => ({ port: 5050 }),
    on: (_: string, answer: typeof handler) => answer({ url: '/callback?code=1' }, { end: () => undefined }),
    close: () => undefined,
  }
  const context = {
    URL,
    fetch: () => undefined,
    console: { log: () => undefined },
    process: { env: { CLIENT_SECRET: 'secret' } },
    createServer: (given: typeof handler) => {
      handler = given
      return listener
    },
    createInterface: () => ({ question: async () => pasted, close: () => undefined }),
    oidc: {
      customFetch,
      None: () => undefined,
      discovery: async (issuer: URL, clientId: string, secret: unknown) => {
        Object.assign(seen, { issuer: issuer.href, clientId, secret })
        return config
      },
      randomPKCECodeVerifier: () => 'verifier',
      randomState: () => 'state',
      calculatePKCECodeChallenge: async () => 'challenge',
      buildAuthorizationUrl: address,
      buildAuthorizationUrlWithPAR: async (...given: Parameters<typeof address>) => address(...given),
      authorizationCodeGrant: async (_: object, answer: URL) => {
        seen.answer = answer.href
        return { claims: () => ({ sub: 'user' }) }
      },
      initiateDeviceAuthorization: async () => ({}),
      pollDeviceAuthorizationGrant: async () => ({ claims: () => ({ sub: 'user' }) }),
      fetchUserInfo: async () => ({ email: 'user@example.com' }),
    },
  }
  await runInNewContext(`(async () => {${code.replace(/^import .*$/gm, '')}\n})()`, context)
  const answer = {
    setHeader: () => undefined,
    writeHead: () => ({ end: () => undefined }),
    end: () => undefined,
  }
  for (const url of ['/login', '/sign-in']) await handler?.({ url, headers: {} }, answer)
  expect(context).not.toHaveProperty('pwned')
  return seen
}

/** Returns the arguments of a curl command, as parsed by a real shell. */
function wordsFor(command: string): string[] {
  const env = { ...process.env, CLIENT_SECRET: 'secret', CODE: 'co de', DEVICE_CODE: 'device' }
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { env, cwd: tmpdir(), encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\0').slice(0, -1)
}

describe.each(hostile)('a value that contains %j', (text) => {
  it('is treated as text in a web app and is sent exactly as registered', async () => {
    for (const pushed of [false, true]) {
      const redirectUri = `https://app.example/login?a=${text}`
      const code = webAppSnippet({ ...values, clientId: text, redirectUri, pushed })
      expect(await runProgram(code)).toMatchObject({
        issuer: 'https://id.example/oauth',
        clientId: text,
        secret: 'secret',
        redirectUri,
        repeated: redirectUri,
        port: 3000,
      })
    }
  })

  it('is treated as text in a native app, for each type of redirect URI', async () => {
    const run = (redirectUri: string) =>
      runProgram(nativeAppSnippet({ ...values, clientId: text, redirectUri }), 'com.example.app:/cb?code=1')
    expect(await run(`http://127.0.0.1/callback?a=${text}`)).toMatchObject({
      clientId: text,
      port: 0,
      host: '127.0.0.1',
      redirectUri: `http://127.0.0.1:5050/callback?a=${text}`,
      repeated: `http://127.0.0.1:5050/callback?a=${text}`,
    })
    const fixed = `http://[::1]:8976/callback?a=${text}`
    expect(await run(fixed)).toMatchObject({ port: 8976, host: '::1', redirectUri: fixed, repeated: fixed })
    const own = `com.example.app:/cb?a=${text}`
    expect(await run(own)).toMatchObject({
      redirectUri: own,
      repeated: own,
      answer: 'com.example.app:/cb?code=1',
    })
  })

  it('is treated as text in a command-line tool', async () => {
    const code = deviceFlowSnippet({ ...values, clientId: text })
    expect(await runProgram(code)).toMatchObject({ clientId: text })
  })

  it.skipIf(process.platform === 'win32')('is passed as a single argument in a shell command', () => {
    const redirectUri = `https://app.example/cb?a=${text}`
    expect(wordsFor(pushSnippet({ ...values, redirectUri }))).toContain(`redirect_uri=${redirectUri}`)
    const filled = { ...values, clientId: text, redirectUri }
    expect(wordsFor(exchangeCodeSnippet(filled))).toEqual([
      'https://id.example/oauth/token',
      '-u',
      `${text}:secret`,
      '-d',
      'grant_type=authorization_code',
      '-d',
      'code=co de',
      '--data-urlencode',
      `redirect_uri=${redirectUri}`,
    ])
    expect(wordsFor(deviceCodeSnippet(filled))).toContain(`client_id=${text}`)
    expect(wordsFor(pollDeviceSnippet(filled))).toEqual(
      expect.arrayContaining([`client_id=${text}`, 'device_code=device']),
    )
  })

  it('is encoded in the authorization URL', () => {
    const redirectUri = `https://app.example/cb?a=${text}`
    const address = authorizationAddress({ ...values, redirectUri }).trim()
    expect(address).toMatch(/^https:\/\/id\.example\/oauth\/auth\?[\w.%=&+*-]+$/)
    expect(new URL(address).searchParams.get('redirect_uri')).toBe(redirectUri)
  })
})

describe('the example web app', () => {
  const portFor = async (redirectUri: string) =>
    (await runProgram(webAppSnippet({ ...values, redirectUri }))).port
  it('listens on the port of its redirect URI, or on port 3000 if the URI uses https', async () => {
    expect(await portFor('http://localhost:4000/callback')).toBe('4000')
    expect(await portFor('http://localhost/callback')).toBe(80)
    expect(await portFor('https://app.example/callback')).toBe(3000)
  })

  it('sets the Secure attribute on its cookie if its redirect URI uses https', () => {
    expect(webAppSnippet({ ...values, redirectUri: 'https://app.example/cb' })).toContain('; Secure`')
    expect(webAppSnippet(values)).not.toContain('Secure')
  })
})
