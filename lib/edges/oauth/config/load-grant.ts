import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { statement } from '@/lib/base/db/statement'
import { keptOutBy } from '@/lib/policy/kept-out'
import { worthUnder } from '@/lib/policy/scopes'
import { sharesProjectOf, sharesWorkspaceOf } from '@/lib/policy/visible'
import { toGrantPayload } from '../store/grant-record'
import type { AuthorizationRow } from '../store/snapshot'
import { dropBeyond } from './allowed-scopes'

type State = AuthorizationRow & { workspaceRemains: boolean; projectRemains: boolean }

const app = { clientId: 'z.client_id', workspaceId: 'c.workspace_id' }

const findForApp = statement<State & { allowed: string[] }, [string, string]>(
  'oauth-authorization-of-app',
  `SELECT z.id, z.user_id AS "userId", z.client_id AS "clientId", z.scopes,
          COALESCE(c.allowed_scopes, '{}') AS allowed,
          ${sharesWorkspaceOf('z.workspace_ids', 'z.user_id', app)} AS "workspaceRemains",
          ${sharesProjectOf('z.project_ids', 'z.user_id', app)} AS "projectRemains"
     FROM authorizations z JOIN oauth_clients c ON c.id = z.client_id
    WHERE z.user_id = $1::uuid AND z.client_id = $2 AND ${keptOutBy('c', 'z.user_id')} IS NULL`,
)

const states = new WeakMap<object, State>()

/**
 * The grant of an authorization request: the person's authorization of this app, wherever it was given. (The engine
 * would keep one per browser session, and the list of authorized apps would fill with doubles.) Where an app is
 * kept from the person there is none to go on with, and the consent page says so.
 */
export async function loadExistingGrant(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { account, client, provider } = ctx.oidc
  if (!account || !client) return undefined
  const [found] = await findForApp(account.accountId, client.clientId)
  if (!found) return undefined
  // The app may be allowed less than when it asked, while its request waited for the person.
  dropBeyond(ctx, found.allowed)
  const state = { ...found, scopes: worthUnder(found.scopes, found.allowed) }
  states.set(ctx, state)
  return new provider.Grant(toGrantPayload(state))
}

/** What `loadExistingGrant` found, and whether anything the person selected is still theirs, and still open to the app. */
export const authorizationState = (ctx: KoaContextWithOIDC): State | undefined => states.get(ctx)
