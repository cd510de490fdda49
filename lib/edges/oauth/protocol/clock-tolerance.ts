import type { Client } from 'oidc-provider'
import { isHighSecurity } from './high-security'

/**
 * By how many seconds the clocks of clients, of replicas and of the database may differ. What lives for seconds here is
 * judged by the database's clock alone (store/artifacts), so this makes no code live longer; it is for what others have
 * dated, such as a client's assertion (RFC 7519 section 4.1.4: a few minutes at most).
 * See decision 110.
 */
export const clockTolerance = 300

/** The same for what a client has dated: FAPI 2.0 Security Profile section 5.3.2.1 has a minute. */
export const clockToleranceFor = (client: Client): number => (isHighSecurity(client) ? 60 : clockTolerance)
