import { type NextRequest, NextResponse } from 'next/server'
import { contentSecurityPolicy } from './lib/web/content-security-policy'

/**
 * Gives every page its Content-Security-Policy with a nonce of its own; Next puts the nonce on its scripts because it
 * finds the policy in the request's headers. Headers that are alike everywhere are in next.config.mjs.
 */
export function proxy(request: NextRequest) {
  if (!isDecodable(request.url)) {
    return new NextResponse('Bad request: the address is malformed.\n', { status: 400 })
  }
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const policy = contentSecurityPolicy({
    path: request.nextUrl.pathname,
    nonce,
    development: process.env.NODE_ENV === 'development',
  })
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

/** Next itself answers 500 for what cannot be decoded; server.ts does not let such an address come this far. */
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
    '/(.*%.*)',
    {
      // Pages only: the protocol endpoints, health checks and files answer no HTML of ours.
      source: '/((?!_next/|oauth/|graphql/|\\.well-known/|healthz|readyz|.*\\.[a-z0-9]{2,5}$).*)',
      missing: [
        { type: 'header', key: 'next-router-prefetch' },
        { type: 'header', key: 'purpose', value: 'prefetch' },
      ],
    },
  ],
}
