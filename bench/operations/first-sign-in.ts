import { scope } from '../mint/population'
import type { Target } from '../targets/target'

/** The state of a user's browser and an app during a first sign-in. */
type Journey = {
  target: Target
  email: string
  /** The browser's IP address. Each user has a different one, so that users do not share a rate limit. */
  address: string
  cookies: Map<string, string>
  /** The target of the last redirect: the path and query of a URL on the server, or another URL in full. */
  at: string
  /** The content of the last response. */
  html: string
}

export const password = 'correct horse battery staple'

/** The example verifier and its challenge from RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** Returns the state of a user's journey before the first step. @param n the user's number, from 1 */
export const beginJourney = (target: Target, n: number): Journey => ({
  target,
  email: `u${n}@example.test`,
  address: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  cookies: new Map(),
  at: '',
  html: '',
})

type Step = { name: string; go: (journey: Journey) => Promise<void> }

/**
 * The steps from an app's authorization request to the app's first tokens, for a user with an account and no
 * session. The browser sends all requests except the last, with which the app exchanges the code. Requests
 * for style sheets and fonts are omitted, because browsers cache these files.
 */
export const firstSignIn: Step[] = [
  {
    name: 'authorization request',
    go: (journey) => ask(journey, authorizationRequest(journey), /^\/interaction\//),
  },
  { name: 'redirect to the sign-in page', go: (journey) => ask(journey, journey.at, /^\/login\?next=/) },
  { name: 'sign-in page', go: (journey) => ask(journey, journey.at, /name="password"/) },
  {
    name: 'password sent (argon2)',
    go: (journey) => ask(journey, '/login/submit', /^\/interaction\//, signInForm(journey)),
  },
  { name: 'redirect after the password', go: (journey) => ask(journey, journey.at, /^\/oauth\/auth\//) },
  { name: 'authorization request, signed in', go: (journey) => ask(journey, journey.at, /^\/interaction\//) },
  { name: 'consent page', go: (journey) => ask(journey, journey.at, /Authorize/) },
  {
    name: 'consent sent',
    go: (journey) => ask(journey, `${journey.at}/decision`, /^\/oauth\/auth\//, consentForm(journey)),
  },
  { name: 'authorization response', go: (journey) => ask(journey, journey.at, /[?&]code=/) },
  { name: 'code exchanged', go: exchangeCode },
]

function authorizationRequest({ target }: Journey): string {
  return `/oauth/auth?${new URLSearchParams({
    client_id: target.clients.native?.id ?? '',
    redirect_uri: target.redirectUri,
    response_type: 'code',
    scope,
    prompt: 'consent',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })}`
}

const signInForm = ({ at, email }: Journey) => ({
  email,
  password,
  next: new URL(at, 'http://bench').searchParams.get('next') ?? '',
})

function consentForm({ html }: Journey): Record<string, string> {
  const [, workspace] = /name="workspace"[^>]*value="([^"]+)"/.exec(html) ?? []
  if (!workspace) throw new Error('The consent page lists no workspace.')
  return { workspace, decision: 'authorize' }
}

/**
 * Sends a browser's request, and stores the response's cookies, content, and redirect target in the journey.
 * @param expected matches the redirect target or, without a redirect, the content
 * @param form the fields of a POST request; if omitted, the request is a GET request
 * @throws Error if the response does not match `expected`
 */
async function ask(
  journey: Journey,
  path: string,
  expected: RegExp,
  form?: Record<string, string>,
): Promise<void> {
  const { target, cookies, address } = journey
  const answer = await fetch(target.base + path, {
    redirect: 'manual',
    headers: {
      accept: 'text/html',
      'x-forwarded-for': address,
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form ? { origin: target.base } : {}),
    },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  })
  for (const each of answer.headers.getSetCookie()) {
    const [name, value] = (each.split(';')[0] as string).split(/=(.*)/s)
    if (value) cookies.set(name as string, value)
    else cookies.delete(name as string)
  }
  journey.html = await answer.text()
  const location = answer.headers.get('location')
  if (location) {
    const next = new URL(location, target.base)
    journey.at = next.origin === target.base ? next.pathname + next.search : next.href
  }
  const shown = location ? journey.at : journey.html
  if (!expected.test(shown))
    throw new Error(`${path} responded with ${answer.status}: ${shown.slice(0, 300)}`)
}

async function exchangeCode({ target, at }: Journey): Promise<void> {
  const answer = await fetch(target.base + target.paths.token, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(at).searchParams.get('code') ?? '',
      redirect_uri: target.redirectUri,
      client_id: target.clients.native?.id ?? '',
      code_verifier: verifier,
    }),
  })
  const text = await answer.text()
  if (!answer.ok || !text.includes('refresh_token')) throw new Error(`${answer.status}: ${text}`)
}
