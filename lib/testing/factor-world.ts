import { randomUUID } from 'node:crypto'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { decideFactorApproval } from '@/lib/features/approvals/factor-approvals'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import type { SessionActor } from '@/lib/policy/actor'
import { makeApiToken, makeUser, testPassword } from './factories'

/**
 * Creates a signed-in user, and an unrestricted token with which tests request changes to the user's
 * two-factor methods.
 */
export async function makeFactorWorld(fields: { instanceAdmin?: boolean } = {}) {
  const user = await makeUser({ email: `${randomUUID()}@example.com`, ...fields })
  const { userId, ...session } = await signedIn(user.id)
  const token = await makeApiToken(user)
  return { user, session: { userId, ...session }, token }
}

/**
 * Starts a session for a user, and returns the user's actor in this session.
 * @param twoFactor whether the sign-in used two factors
 */
export async function signedIn(userId: string, twoFactor = false): Promise<SessionActor> {
  const sessionId = await startSession({}, userId, twoFactor ? ['pwd', 'otp', 'mfa'] : ['pwd'])
  return { kind: 'session', userId, sessionId, instanceAdmin: false, twoFactor }
}

/** Creates a passkey without a usable key. */
export const makePasskey = (userId: string, name = 'Laptop') =>
  prisma().passkey.create({
    data: { id: `key-${randomUUID()}`, userId, name, publicKey: Uint8Array.from([1]) },
  })

export const changes = {
  rename:
    'mutation ($id: ID!, $name: String!) { done: passkeyRename(id: $id, input: { name: $name }) { name } }',
  remove: 'mutation ($id: ID!) { done: passkeyDelete(id: $id) }',
  begin: 'mutation { done: authenticatorAppCreate { secret uri } }',
  finish:
    'mutation ($code: String!) { done: authenticatorAppVerify(input: { code: $code }) { recoveryCodes twoFactorMethods { enrolled } } }',
  removeApp: 'mutation { done: authenticatorAppDelete }',
  codes: 'mutation { done: recoveryCodesRotate { recoveryCodes } }',
  codesAndRemove:
    'mutation ($id: ID!) { done: recoveryCodesRotate { recoveryCodes } removed: passkeyDelete(id: $id) }',
}

/**
 * Requests a change through the API.
 * @param from the client's IP address, which the product uses only if TRUST_PROXY is set
 * @returns the error code (`ok` if there is no error), the mutation's result, the ID of the approval request
 * (empty if there is none), the WWW-Authenticate header, and the other properties of the error's `extensions`
 */
export async function requestChange(
  token: string,
  change: keyof typeof changes,
  variables: object = {},
  from = '192.0.2.1',
) {
  const response = await fetch(new URL('/graphql/v2', config().BASE_URL), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': from,
    },
    body: JSON.stringify({ query: changes[change], variables }),
  })
  const { data, errors } = await response.json()
  const { code = 'ok', approvalUrl = '', ...more } = errors?.[0]?.extensions ?? {}
  return {
    code,
    done: data?.done,
    approvalId: String(approvalUrl).replace(`${config().BASE_URL}/approvals/`, ''),
    challenge: response.headers.get('www-authenticate'),
    ...more,
  }
}

/** Approves a request once as the user of a session, with the user's password. */
export const approve = (session: SessionActor, approvalId: string) =>
  decideFactorApproval(session, approvalId, { decision: 'once', password: testPassword })
