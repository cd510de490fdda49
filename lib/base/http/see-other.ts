import { encodeBeyondAscii } from './safe-next'

/**
 * The redirect after a POST. A path stays relative: behind a proxy the request's own host is not the public one.
 * @param cookies Set-Cookie values to send along
 */
export function seeOther(location: string, cookies: string[] = []): Response {
  const headers = new Headers({ location: encodeBeyondAscii(location), 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
