import { readByKey } from '@/lib/base/db/shared-reads'
import { admittedInstallation } from './admitted'
import { isId } from './require'
import { worthUnder } from './scopes'
import { ownedBy } from './unfinished-transfer'

/** An app as it is installed in a workspace, which lets it in now. */
export type InstallationRow = {
  id: string
  clientId: string
  appWorkspaceId: string | null
  workspaceId: string
  scopes: string[]
  allProjects: boolean
  projectIds: string[]
}

const find = readByKey<InstallationRow & { allowed: string[] }, [id: string]>(
  'live-installation',
  `SELECT i.id, i.client_id AS "clientId", ${ownedBy('c')} AS "appWorkspaceId", i.workspace_id AS "workspaceId",
          COALESCE(i.scopes, '{}') AS scopes,
          COALESCE(c.allowed_scopes, '{}') AS allowed,
          i.all_projects AS "allProjects", COALESCE(i.project_ids, '{}') AS "projectIds"
     FROM installations i JOIN workspaces w ON w.id = i.workspace_id
     JOIN oauth_clients c ON c.id = i.client_id AND c.disabled_at IS NULL
      AND (NOT c.in_development OR c.workspace_id = i.workspace_id)
    WHERE i.id = $1::uuid AND i.suspended_at IS NULL AND ${admittedInstallation('c.id', ownedBy('c'))}`,
)

/**
 * An installation as it is now. Uninstalled, suspended, gone with its workspace, its app disabled or in development elsewhere, blocked in the workspace or kept out by
 * its policy: there is none, from the next request on. Its scopes are cut to what the app may ask for now.
 * @param clientId the app that asks; another's installation is none
 */
export async function findInstallation(id: string, clientId: string): Promise<InstallationRow | undefined> {
  const [found] = isId(id) ? await find(id) : []
  if (found?.clientId !== clientId) return undefined
  const { allowed, ...row } = found
  return { ...row, scopes: worthUnder(row.scopes, allowed) }
}
