import type { Target } from './target'

/** A page that a browser requests. `shows` is text that only this page contains. */
export type Page = { name: string; path: string; cookie: string; shows: string }

/**
 * Creates a session for the first user, and follows an authorization request's redirects to the consent page.
 * @param scope the requested scope, which determines the choices on the page
 * @returns the page after the last redirect; its content is not checked
 * @throws Error if the first five responses are all redirects
 */
export async function openConsent(
  target: Target,
  name = 'consent',
  scope = 'openid email profile workspace:viewer',
): Promise<Page> {
  const [session] = await target.mint('session', 1, 'native')
  const cookies = new Map([session?.value.split(/=(.*)/s).slice(0, 2) as [string, string]])
  const query = new URLSearchParams({
    client_id: target.clients.native?.id ?? '',
    redirect_uri: target.redirectUri,
    response_type: 'code',
    scope,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    prompt: 'consent',
  })
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  let path = `/oauth/auth?${query}`
  for (let hops = 0; hops < 5; hops++) {
    const answer = await fetch(target.base + path, { redirect: 'manual', headers: { cookie: header() } })
    for (const each of answer.headers.getSetCookie()) {
      const [name, value] = (each.split(';')[0] as string).split(/=(.*)/s)
      if (name) cookies.set(name, value ?? '')
    }
    const location = answer.headers.get('location')
    if (!location) return { name, path, cookie: header(), shows: 'Authorize' }
    const next = new URL(location, target.base)
    path = next.pathname + next.search
  }
  throw new Error('The authorization request did not lead to the consent page.')
}
