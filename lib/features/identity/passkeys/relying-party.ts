import { isIP } from 'node:net'
import { config } from '@/lib/base/config/env'

/**
 * What passkeys are bound to: the host of BASE_URL. They are lost when it changes.
 * @see https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export const relyingParty = () => ({
  rpID: new URL(config().BASE_URL).hostname,
  rpName: config().SERVICE_NAME,
  origin: config().BASE_URL,
})

/** Whether browsers offer passkeys here: over https or on localhost, and never for an IP address. */
export function canUsePasskeys(): boolean {
  const { protocol, hostname } = new URL(config().BASE_URL)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || isLocal)
}
