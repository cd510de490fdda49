import { type NextRequest, NextResponse } from 'next/server'
import { config as settings } from './lib/base/config/env'
import {
  bodyLimitOf,
  isImage,
  showsProviders,
  strictTransportSecurity,
  transportSecurityHeader,
} from './lib/base/http/addresses'
import { csrfHeader } from './lib/base/http/visitor'
import { csrfTokenFor } from './lib/edges/web/sign-in/auth-options'
import { renewedSessionCookie, sessionCookieName } from './lib/features/identity/sessions/session-cookie'
import { contentSecurityPolicy, newNonce, policyHeader } from './lib/server/content-security-policy'

/**
 * Sets a Content-Security-Policy with a nonce for each page. Next finds the policy in the request headers and
 * adds the nonce to the page's scripts. Headers that are the same on every page are in next.config.mjs,
 * except Strict-Transport-Security, which depends on BASE_URL. Also sets the cookies that a page cannot set,
 * rejects malformed and oversized requests, and redirects paths with a trailing slash. For most paths, the
 * custom server has already done all this. It marks such a request with a header
 * (lib/server/content-security-policy), and the matcher below excludes requests with this header.
 */
export async function proxy(request: NextRequest) {
  if (!isDecodable(request.url)) {
    return new NextResponse('Bad request: the URL is malformed.\n', { status: 400 })
  }
  const bare = withoutSlash(new URL(request.url).pathname)
  if (bare !== undefined)
    return NextResponse.redirect(new URL(bare + request.nextUrl.search, request.url), 308)
  const { most } = bodyLimitOf(request.nextUrl.pathname)
  if (Number(request.headers.get('content-length') ?? 0) > most) {
    return new NextResponse(`The request is too large. Send up to ${most / 1024} KiB.\n`, {
      status: 413,
    })
  }
  const secured = strictTransportSecurity(process.env.BASE_URL)
  if (isImage(request.nextUrl.pathname)) {
    const response = NextResponse.next()
    if (secured) response.headers.set(transportSecurityHeader, secured)
    return response
  }
  const policy = contentSecurityPolicy({
    path: request.nextUrl.pathname,
    nonce: newNonce(),
    development: process.env.NODE_ENV === 'development',
  })
  const headers = new Headers(request.headers)
  headers.set(policyHeader, policy)
  const cookies = await cookiesOfPage(request, headers)
  const response = NextResponse.next({ request: { headers } })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  response.headers.set(policyHeader, policy)
  if (secured) response.headers.set(transportSecurityHeader, secured)
  return response
}

/**
 * Returns the Set-Cookie values for a browser that opens a page: the session cookie, if a former SECRET_KEY
 * encrypted it, and the CSRF token's cookies, if the page shows buttons for identity providers. Next appends
 * the page's cookies to these values, so a cookie that the page sets takes precedence. Returns no values for
 * a file and for methods other than GET.
 * @param headers the request headers that the page receives. The client's CSRF header is removed from them,
 * and if the page shows buttons for identity providers, the CSRF token is added
 */
async function cookiesOfPage(request: NextRequest, headers: Headers): Promise<string[]> {
  headers.delete(csrfHeader)
  // A file in public/ can be in a shared cache, so its response must not contain a cookie.
  if (request.method !== 'GET' || /^\/[\w-]+\.\w+$/.test(request.nextUrl.pathname)) return []
  const renewed = await renewedSessionCookie(request.cookies.get(sessionCookieName())?.value)
  const cookies = renewed ? [renewed] : []
  const { GITHUB_CLIENT_ID, GOOGLE_CLIENT_ID, OIDC_ISSUER } = settings()
  const hasProviders = Boolean(GITHUB_CLIENT_ID || GOOGLE_CLIENT_ID || OIDC_ISSUER)
  if (!hasProviders || !showsProviders(request.nextUrl.pathname)) return cookies
  const csrf = await csrfTokenFor(request)
  headers.set(csrfHeader, csrf.token)
  return [...cookies, ...csrf.cookies]
}

/**
 * Returns a path without trailing slashes and with a single leading slash, or undefined if the path has no
 * trailing slash or is `/`. Next's own redirect is disabled, because it would also affect endpoints
 * (next.config.mjs).
 */
function withoutSlash(path: string): string | undefined {
  if (path === '/' || !path.endsWith('/')) return undefined
  return `/${path.replace(/^\/+|\/+$/g, '')}`
}

/**
 * Returns whether a URL can be decoded up to its query. Next would respond with 500 to a URL that cannot be
 * decoded. server.ts rejects such a URL earlier.
 */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] as string)
    return true
  } catch {
    return false
  }
}

export const config = {
  matcher: [
    { source: '/(.*%.*)', missing: [{ type: 'header', key: 'content-security-policy' }] },
    // Next requires a literal pattern here. lib/base/http/addresses.test.ts compares it with the table of
    // addresses. The pattern matches every path with an HTML response, including the 404 page, whose path can
    // end like a file. The pattern excludes Next's files and the endpoints of OAuth, GraphQL, MCP, discovery,
    // health checks, and background work.
    {
      source:
        '/((?!_next/static/|_next/image|oauth(?:/|$)|graphql/v2/?$|mcp/?$|healthz$|readyz$|api/cron$|\\.well-known/(?:oauth-authorization-server|openid-configuration|oauth-protected-resource)(?:/|$)).*)',
      missing: [{ type: 'header', key: 'content-security-policy' }],
    },
  ],
}
