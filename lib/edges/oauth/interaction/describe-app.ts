import { type AppProfile, profileOf } from '@/lib/features/apps/app-profile'
import { clientSource } from '@/lib/policy/client-source'
import { loadLogo } from './load-logo'

/** Who asks, as the consent page says it. */
export type ShownApp = {
  name: string
  /** Nothing that a browser would have to ask another host for. */
  logoUrl: string | null
  /** The one for dark pages; an app that registered itself has none. */
  logoDarkUrl: string | null
  /** What the app says of itself (OpenID Connect Registration section 2), links of https alone. One that registered itself is asked for its privacy policy and terms alone: nobody here could tell it to describe itself otherwise. */
  profile: AppProfile
  /** The workspace that runs it; undefined for an app that registered itself. */
  workspaceName: string | undefined
  /** The host whose document describes the app, for one that is named by its address. */
  documentHost: string | undefined
  verified: boolean
  /** The domain that its admins proved to be theirs. */
  domain: string | undefined
}

/** An app as the engine knows it. */
export type DescribedClient = {
  clientId: string
  clientName?: string
  logoUri?: string
  policyUri?: string
  tosUri?: string
  clientUri?: string
  contacts?: readonly string[]
}

/** @param row what the engine does not know of it */
export async function describeApp(
  client: DescribedClient,
  row:
    | {
        verified: boolean
        logoDarkUrl: string | null
        workspaceName: string | null
        description: string | null
        domain: string | null
      }
    | undefined,
): Promise<ShownApp> {
  const source = clientSource(client.clientId)
  const own = source === 'SETTINGS'
  return {
    name: client.clientName ?? client.clientId,
    logoUrl: (await loadLogo(client.logoUri)) ?? null,
    logoDarkUrl: row?.logoDarkUrl ?? null,
    profile: profileOf({
      homepageUrl: (own && client.clientUri) || null,
      metadata: {
        policy_uri: client.policyUri,
        tos_uri: client.tosUri,
        ...(own && { description: row?.description, contacts: client.contacts }),
      },
    }),
    workspaceName: (own && row?.workspaceName) || undefined,
    documentHost: source === 'METADATA_DOCUMENT' ? new URL(client.clientId).host : undefined,
    verified: own && row?.verified === true,
    domain: (own && row?.domain) || undefined,
  }
}
