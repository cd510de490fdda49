import { packedStatement } from '@/lib/base/db/packed-statement'
import type { Caller, Origin } from './bearer'
import { countedAs } from './counted-as'
import { findInstallation } from './installation'
import { scopesUnder } from './scopes'
import { ownedBy } from './unfinished-transfer'

const findInstallationToken = packedStatement<
  {
    clientId: string
    appWorkspaceId: string | null
    installationId: string | null
    tokenScope: string | null
    audience: string | string[] | null
    boundTo: string | null
  },
  [Buffer]
>(
  'bearer-installation-token',
  {
    clientId: 'c.id',
    appWorkspaceId: ownedBy('c'),
    installationId: 't.uid',
    tokenScope: `t.payload->'scope'`,
    audience: `t.payload->'aud'`,
    boundTo: `t.payload->'jkt'`,
  },
  `FROM ONLY oauth_artifacts t
   JOIN oauth_clients c ON c.id = t.payload->>'clientId' AND c.disabled_at IS NULL
  WHERE t.hash = $1 AND t.model = 'ClientCredentials' AND t.expires_at > now()`,
)

/**
 * Looks up a token by client_credentials. One of an installation that is gone, or kept out of its workspace, finds nothing.
 * @param hash of the token
 */
export async function callerFromInstallationToken(hash: Buffer, origin: Origin): Promise<Caller | undefined> {
  const [row] = await findInstallationToken(hash)
  if (!row) return undefined
  const { clientId, appWorkspaceId, installationId } = row
  const found = installationId === null ? null : await findInstallation(installationId, clientId)
  if (found === undefined) return undefined
  return {
    actor: {
      kind: 'installation',
      userId: null,
      clientId,
      appWorkspaceId,
      installationId,
      workspaceId: found?.workspaceId ?? null,
      scopes: new Set(found ? scopesUnder((row.tokenScope ?? '').split(' '), found.scopes) : []),
      workspaceIds: found?.allProjects ? [found.workspaceId] : [],
      projectIds: found?.allProjects === false ? found.projectIds : [],
      twoFactor: true,
      ...origin,
    },
    person: null,
    credential:
      installationId === null
        ? { table: 'oauth_clients', id: countedAs(clientId) }
        : { table: 'installations', id: installationId },
    hash,
    audience: row.audience ? [row.audience].flat() : [],
    boundTo: row.boundTo,
  }
}
