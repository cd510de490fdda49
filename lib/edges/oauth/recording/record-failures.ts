import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { noteActivity } from '@/lib/features/apps/activity/note-activity'
import { noteFailure } from '@/lib/features/apps/failures/note-failure'
import { countUse } from '@/lib/features/apps/usage/count-use'
import { printable, shortened } from '../protocol/what-was-sent'

const events = [
  'authorization.error',
  'pushed_authorization_request.error',
  'device_authorization.error',
  'grant.error',
  'userinfo.error',
  'introspection.error',
  'revocation.error',
] as const

/** What is part of every flow and no failure: a device that waits, a person who says no, a client that looks first. */
const expected = new Set([
  'authorization_pending',
  'slow_down',
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])

/** Lets each app's developer see which of its requests were refused, and why, on the app's page. */
export function recordFailures(provider: Provider): void {
  for (const event of events) {
    provider.on(event as 'grant.error', (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
      const { client, route } = ctx.oidc
      if (!client) return
      const from = { clientId: client.clientId, ip: ctx.ip, userAgent: ctx.get('user-agent') }
      const said = { error: error.error, reason: reasonOf(ctx, error) }
      // At the authorization endpoint a person said no; a device is told at its next poll what was noted by then.
      if (event === 'authorization.error' && error.error === 'access_denied') {
        noteActivity({ ...from, ...askedIn(ctx), kind: 'DENIED' })
      }
      if (expected.has(error.error)) return
      const description = error.error_description ?? ''
      countUse(client.clientId, 'errors')
      noteFailure({ ...from, ...said, endpoint: route, description })
      noteActivity({
        ...from,
        ...askedIn(ctx),
        kind: 'REFUSED',
        error: error.error,
        detail: said.reason ?? description,
      })
    })
  }
}

/** Who was asked for what, as far as the request had come. */
const askedIn = ({ oidc: { account, session, params } }: KoaContextWithOIDC) => ({
  userId: account?.accountId ?? session?.accountId,
  scopes: typeof params?.scope === 'string' ? params.scope.split(' ').filter(Boolean) : [],
})

/**
 * The engine's detail, which names no credential, or what lies at the bottom of it, such as a key set that could not be
 * fetched; for a redirect URI the one that was sent, without its query.
 */
function reasonOf(ctx: KoaContextWithOIDC, error: errors.OIDCProviderError): string | undefined {
  const sent = ctx.oidc.params?.redirect_uri
  if (error.error === 'invalid_redirect_uri' && typeof sent === 'string') {
    const [address = ''] = sent.split(/[?#]/, 1)
    return `The redirect URI “${shortened(printable(address))}” isn’t registered for this app.`
  }
  return rootCauseOf(error) ?? error.error_detail
}

function rootCauseOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined
  const { error_detail: detail, error_description: description } = cause as Partial<errors.OIDCProviderError>
  return rootCauseOf(cause) ?? detail ?? description ?? cause.message
}
