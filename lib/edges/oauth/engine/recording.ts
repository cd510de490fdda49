import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isApiId } from '@/lib/base/credentials/tokens'
import { refusals } from '@/lib/base/telemetry/metrics'
import { noteFailure } from '@/lib/features/apps/activity/failures'
import { noteActivity } from '@/lib/features/apps/activity/note-activity'
import { countUse } from '@/lib/features/figures/count-usage'
import { printable, shortened } from '../protocol/routes'

/** The error events of oidc-provider that are counted. */
const events = [
  'authorization.error',
  'backchannel.error',
  'code_verification.error',
  'device_authorization.error',
  'end_session.error',
  'grant.error',
  'introspection.error',
  'pushed_authorization_request.error',
  'registration_create.error',
  'registration_delete.error',
  'registration_read.error',
  'registration_update.error',
  'revocation.error',
  'server_error',
  'userinfo.error',
] as const

/**
 * The error codes of oidc-provider and of our own rules that are counted by name. Most of them are defined in
 * RFC 6749, 6750, 7591, 8628, 8707, 9101, 9126, 9449, and OpenID Connect.
 */
const codes = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'expired_token',
  'insufficient_scope',
  'interaction_required',
  'invalid_client',
  'invalid_client_metadata',
  'invalid_dpop_proof',
  'invalid_grant',
  'invalid_redirect_uri',
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_scope',
  'invalid_target',
  'invalid_token',
  'login_required',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_mode',
  'unsupported_response_type',
  'use_dpop_nonce',
])

/**
 * Counts errors by the code sent to the client. Does not count `authorization_pending`, the expected response
 * while a device waits for its user.
 */
export function countRefusals(provider: Provider): void {
  for (const event of events) {
    provider.on(event as 'grant.error', (_ctx: KoaContextWithOIDC, { error }: errors.OIDCProviderError) => {
      if (error !== 'authorization_pending') refusals.add({ edge: 'oauth', code: codeOf(error) })
    })
  }
}

/**
 * Returns the error code for metrics. An error without a code counts as `server_error`, and an unknown code
 * as `other`.
 */
const codeOf = (error: string | undefined): string =>
  error === undefined ? 'server_error' : codes.has(error) ? error : 'other'

const eventsOfRecordFailures = [
  'authorization.error',
  'pushed_authorization_request.error',
  'device_authorization.error',
  'grant.error',
  'userinfo.error',
  'introspection.error',
  'revocation.error',
] as const

/**
 * The codes of expected outcomes, which are not failures: a device must wait, a user denies access, or a
 * request with `prompt=none` cannot be completed without the user.
 */
const expected = new Set([
  'authorization_pending',
  'slow_down',
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
])

/**
 * Records and counts apps' rejected requests, with the reasons, for the pages that the apps' developers see.
 * Skips the `expected` outcomes, but records when a user denies access at the authorization endpoint.
 */
export function recordFailures(provider: Provider): void {
  for (const event of eventsOfRecordFailures) {
    provider.on(event as 'grant.error', (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
      const { client, route } = ctx.oidc
      // Do not record errors of requests without a known client or from an API, because only apps have pages
      // that show errors.
      if (!client || isApiId(client.clientId)) return
      const from = { clientId: client.clientId, ip: ctx.ip, userAgent: ctx.get('user-agent') }
      const said = { error: error.error, reason: reasonOf(ctx, error) }
      // The user denied access at the authorization endpoint. A denial for a device is recorded when the user
      // decides, not when the device receives it.
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

/**
 * Returns the user's ID, which is undefined if the user is not known, and the requested scopes, which can be
 * empty.
 */
const askedIn = ({ oidc: { account, session, params } }: KoaContextWithOIDC) => ({
  userId: account?.accountId ?? session?.accountId,
  scopes: typeof params?.scope === 'string' ? params.scope.split(' ').filter(Boolean) : [],
})

/**
 * Returns the root cause of an error, such as a key set that could not be fetched, or else the error detail.
 * Neither contains a credential. For an unregistered redirect URI, returns a sentence with the URI that was
 * sent. In this sentence, the URI has no query and no fragment, and a long URI is truncated.
 * @returns undefined if the error has neither a cause nor a detail
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

/**
 * Counts authorization codes per app and records which users signed in. Does not count tokens, because
 * oidc-provider reports success before it is certain that no parallel request used the same code.
 * `finishRequest` counts tokens when they are committed.
 */
export function recordUsage(provider: Provider): void {
  provider.on('authorization.success', (ctx: KoaContextWithOIDC) => {
    const { client, account, requestParamScopes } = ctx.oidc
    if (!client) return
    countUse(client.clientId, 'authorizations')
    noteActivity({
      clientId: client.clientId,
      kind: 'SIGNED_IN',
      userId: account?.accountId,
      scopes: [...requestParamScopes],
      ip: ctx.ip,
      userAgent: ctx.get('user-agent'),
    })
  })
}
