import type { KoaContextWithOIDC } from 'oidc-provider'
import { clientSource } from '@/lib/policy/client-source'
import { implyHighSecurity } from '../protocol/high-security'
import { type Metadata, normaliseDocument, normaliseMetadata } from '../registration/normalise-metadata'

const arriving = new Set(['registration', 'client_update'])

/**
 * Metadata beyond what the engine knows, kept as registered (RFC 7591 section 2). Naming any is also what makes the
 * engine call `validator`, before its own checks: there a registration is put right.
 * See decision 084.
 */
export const extraClientMetadata = {
  properties: ['software_id', 'software_version', 'high_security'],
  validator(ctx: KoaContextWithOIDC | undefined, name: string, _value: unknown, metadata: object): void {
    if (name !== 'software_id') return
    const client = metadata as Metadata
    if (clientSource(String(client.client_id)) === 'METADATA_DOCUMENT') normaliseDocument(client)
    else if (ctx?.oidc && arriving.has(ctx.oidc.route)) normaliseMetadata(client)
    implyHighSecurity(client)
  },
}
