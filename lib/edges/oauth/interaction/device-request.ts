import { derivedKeys, openToken, sealToken } from '@/lib/base/credentials/seal'
import { statement } from '@/lib/base/db/statements'
import { hashesOfUserCode, type Payload } from '../store/artifacts'

/** A device's request that waits for the user's decision (RFC 8628 section 3.3). */
export type DeviceRequest = {
  hash: Buffer
  clientId: string
  /** The code that the device shows, in the form XXXX-XXXX. */
  userCode: string
  /** The parameters of the device's request, such as `scope` and `max_age`. */
  params: Record<string, unknown>
  /** The IP address and user agent of the device. */
  from: { ip?: string; ua?: string }
  /** The time at which the device sent the request. */
  requestedAt: Date
}

type Row = { hash: Buffer; payload: Payload; requestedAt: Date }

const open = `model = 'DeviceCode' AND expires_at > now() AND NOT payload ? 'accountId' AND NOT payload ? 'error'`

const byUserCode = statement<Row, [string[]]>(
  'oauth-device-by-user-code',
  `SELECT hash, payload, created_at AS "requestedAt" FROM ONLY oauth_artifacts WHERE user_code = ANY($1::text[]) AND ${open}`,
)

const byHash = statement<Row, [Buffer]>(
  'oauth-device-by-hash',
  `SELECT hash, payload, created_at AS "requestedAt" FROM ONLY oauth_artifacts WHERE hash = $1 AND ${open}`,
)

const decide = statement<{ hash: Buffer }, [Buffer, string, string | null]>(
  'oauth-device-decide',
  `UPDATE ONLY oauth_artifacts SET payload = payload || $2::jsonb, authorization_id = $3::uuid, user_code = NULL
    WHERE hash = $1 AND ${open} RETURNING hash`,
)

/**
 * Returns a typed code in the form that oidc-provider stores; undefined if it is not a code. Ignores case and
 * all characters except letters.
 */
function normalizeUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[^A-Z]/g, '')
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code) ? code : undefined
}

const shown = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

/** Finds the request for a user code. @returns undefined for a wrong, expired, or answered code */
export async function findByUserCode(typed: string): Promise<DeviceRequest | undefined> {
  const code = normalizeUserCode(typed)
  const [row] = code ? await byUserCode(hashesOfUserCode(code)) : []
  return row && code ? toRequest(row, shown(code)) : undefined
}

const ticketKeys = () => derivedKeys('device-ticket')

/**
 * Returns a ticket for a request after its code was entered correctly. Later pages use the ticket instead of
 * the code, so that codes can be guessed only where attempts are limited.
 */
const ticketFor = (request: DeviceRequest): string =>
  sealToken(`${request.hash.toString('hex')} ${request.userCode}`, ticketKeys())

/** Returns the path of the page where the user decides about the request that a ticket identifies. */
export const confirmPath = (ticket: string, query: Record<string, string> = {}): string =>
  `/device/confirm?${new URLSearchParams({ request: ticket, ...query })}`

/** Returns the path of the decision page for a request whose code was entered correctly. */
export const confirmPathOf = (request: DeviceRequest): string => confirmPath(ticketFor(request))

/**
 * Finds the device request that a ticket identifies.
 * @returns undefined for a forged ticket, or if the request was answered or has expired
 */
export async function findByTicket(ticket: string): Promise<DeviceRequest | undefined> {
  const text = openToken(ticket, ticketKeys())
  if (text === undefined) return undefined
  const [hash = '', userCode = ''] = text.split(' ')
  const [row] = await byHash(Buffer.from(hash, 'hex'))
  return row && toRequest(row, userCode)
}

const toRequest = ({ hash, payload, requestedAt }: Row, userCode: string): DeviceRequest => ({
  hash,
  requestedAt,
  userCode,
  clientId: String(payload.clientId),
  params: (payload.params ?? {}) as Record<string, unknown>,
  from: (payload.deviceInfo ?? {}) as DeviceRequest['from'],
})

/**
 * Stores the decision, which the device receives at its next poll, and removes the user code.
 * @param answer the properties that oidc-provider expects in an answered device code
 * @param authorizationId the authorization under which the tokens are issued; null for a denial
 * @returns false if the request was already answered or has expired
 */
export const answerDevice = async (
  request: DeviceRequest,
  answer: Payload,
  authorizationId: string | null,
): Promise<boolean> => (await decide(request.hash, JSON.stringify(answer), authorizationId)).length === 1
