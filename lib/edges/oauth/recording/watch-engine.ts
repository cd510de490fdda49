import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { refusals } from '@/lib/base/telemetry/metrics'
import { recorder, step } from '@/lib/base/telemetry/telemetry'
import { describeRequest } from '../protocol/describe-request'

/** Makes the engine's work a step of the request. */
export const watchEngine = (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> =>
  recorder() === undefined
    ? next()
    : step({ name: 'oauth engine' }, async () => {
        await next()
        recorder()?.label(describeRequest(ctx))
      })

/** Where the engine tells of a refusal. */
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

/** What the engine and the rules around it answer with; RFC 6749, 6750, 7591, 8628, 9101, 9126, 9449 and OpenID Connect have them. */
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

/** Counts what the engine refuses, by the code that the client is told; a device that has to wait was refused nothing. */
export function countRefusals(provider: Provider): void {
  for (const event of events) {
    provider.on(event as 'grant.error', (_ctx: KoaContextWithOIDC, { error }: errors.OIDCProviderError) => {
      if (error !== 'authorization_pending') refusals.add({ edge: 'oauth', code: codeOf(error) })
    })
  }
}

/** Whatever is no error of the engine's own is answered as a defect. */
const codeOf = (error: string | undefined): string =>
  error === undefined ? 'server_error' : codes.has(error) ? error : 'other'
