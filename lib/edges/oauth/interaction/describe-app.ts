import { clientSource } from '../protocol/client-source'
import { loadLogo } from './load-logo'

/** Who asks, as the consent page says it. */
export type ShownApp = {
  name: string
  /** Nothing that a browser would have to ask another host for. */
  logoUrl: string | null
  /** What the app says of itself (OpenID Connect Registration section 2), https alone. */
  policyUrl: string | undefined
  termsUrl: string | undefined
  /** The workspace that runs it; undefined for an app that registered itself. */
  workspaceName: string | undefined
  /** The host whose document describes the app, for one that is named by its address. */
  documentHost: string | undefined
  verified: boolean
}

/** An app as the engine knows it. */
export type DescribedClient = {
  clientId: string
  clientName?: string
  logoUri?: string
  policyUri?: string
  tosUri?: string
}

/** @param row what the engine does not know of it */
export async function describeApp(
  client: DescribedClient,
  row: { verified: boolean; workspaceName: string | null } | undefined,
): Promise<ShownApp> {
  const source = clientSource(client.clientId)
  const own = source === 'SETTINGS'
  return {
    name: client.clientName ?? client.clientId,
    logoUrl: (await loadLogo(client.logoUri)) ?? null,
    policyUrl: httpsOnly(client.policyUri),
    termsUrl: httpsOnly(client.tosUri),
    workspaceName: (own && row?.workspaceName) || undefined,
    documentHost: source === 'METADATA_DOCUMENT' ? new URL(client.clientId).host : undefined,
    verified: own && row?.verified === true,
  }
}

const httpsOnly = (uri: string | undefined): string | undefined =>
  uri !== undefined && URL.parse(uri)?.protocol === 'https:' ? uri : undefined
