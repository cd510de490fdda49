import { statement } from '@/lib/base/db/statements'
import { type AppProfile, profileOf } from '@/lib/features/apps/app-profile'
import { scopesAfterConsent } from '@/lib/features/apps/authorizations/save-authorization'
import {
  askablePlaces,
  loadSelectable,
  type NamedSelection,
  nameSelection,
  type SelectionGroups,
  selectableFamilies,
  selectionGroups,
} from '@/lib/features/apps/authorizations/selectable'
import type { SessionActor } from '@/lib/policy/actor'
import { admittedToProject } from '@/lib/policy/app-policy'
import { allowedTo, type KeptOut, keptOutBy } from '@/lib/policy/app-status'
import {
  askable,
  clientSource,
  isScope,
  needsSelection,
  type ResourceType,
  type Role,
  reaches,
  roleFromScopes,
  type Scope,
  withIncluded,
  worthUnder,
} from '@/lib/policy/scopes'
import { loadLogo } from './next-step'

/** What the consent page shows: who asks, for what, and what can be shared. The same for a browser and a device. */
export type ConsentView = {
  app: ShownApp
  /** Why the person cannot authorize it; null where they can. */
  keptOut: KeptOut | null
  scopes: Scope[]
  /** What the app was allowed before, where this request asks about something else: it keeps it. */
  kept: { scopes: Scope[] } & NamedSelection
  /** What it was allowed before and is not allowed any more, because this request asks for less. */
  lost: Scope[]
  /** What it asks for now and was not allowed before, where it was allowed anything. */
  added: Scope[]
  /** The workspaces whose admins can be asked to let the app in. */
  askable: { id: string; name: string; decides: boolean }[]
  /** The highest role that the scopes ask for, of each kind. */
  asked: { workspace: Role | undefined; project: Role | undefined }
  /** Where somebody without any project can make one that the app may use. */
  places: { id: string; name: string }[]
} & SelectionGroups

/** What the engine does not know of an app, and what a person shared with it before. */
const findApp = statement<
  {
    verified: boolean
    logoDarkUrl: string | null
    workspaceId: string | null
    workspaceName: string | null
    description: string | null
    domain: string | null
    keptOut: KeptOut | null
    mayAsk: string[]
    allowed: string[] | null
    workspaceIds: string[] | null
    projectIds: string[] | null
  },
  [clientId: string, userId: string]
>(
  'consent-app',
  `SELECT c.verified_at IS NOT NULL AS verified, c.logo_dark_url AS "logoDarkUrl", w.name AS "workspaceName", c.workspace_id AS "workspaceId",
          c.metadata->>'description' AS description,
          (SELECT d.domain FROM app_domains d WHERE d.client_id = c.id AND d.verified_at IS NOT NULL) AS domain,
          ${keptOutBy('c', '$2')} AS "keptOut",
          COALESCE(c.allowed_scopes, '{}') AS "mayAsk", a.scopes AS allowed, a.workspace_ids AS "workspaceIds", a.project_ids AS "projectIds"
     FROM oauth_clients c
     LEFT JOIN workspaces w ON w.id = c.workspace_id
     LEFT JOIN authorizations a ON a.client_id = c.id AND a.user_id = $2
    WHERE c.id = $1`,
)

/**
 * Loads the consent page's content, with what the person shared with this app before preselected.
 * @param client as the engine knows it
 * @param selected what a form that came back had selected; it takes the place of the earlier choice
 */
export async function loadConsentView(
  actor: SessionActor,
  client: DescribedClient,
  requested: string[],
  selected?: ReadonlySet<string>,
): Promise<ConsentView> {
  const [row] = await findApp(client.clientId, actor.userId)
  const mayAsk = allowedTo(client.clientId, row?.mayAsk)
  const scopes = askable(requested.filter(isScope), mayAsk)
  const families = selectableFamilies(scopes)
  const judged = { clientId: client.clientId, workspaceId: row?.workspaceId }
  const selectable = await loadSelectable(actor, families, judged)
  const earlier = {
    scopes: worthUnder(row?.allowed ?? [], mayAsk),
    workspaceIds: row?.workspaceIds ?? [],
    projectIds: row?.projectIds ?? [],
  }
  const chosen = selected ?? new Set([...earlier.workspaceIds, ...earlier.projectIds])
  return {
    app: await describeApp(client, row),
    keptOut: row?.keptOut ?? null,
    scopes,
    ...(await compareWithEarlier(actor.userId, scopes, earlier)),
    ...selectionGroups(families, selectable, chosen, scopes),
    askable: askablePlaces(selectable, scopes),
    asked: {
      workspace: roleFromScopes(new Set(scopes), 'workspace'),
      project: roleFromScopes(new Set(scopes), 'project'),
    },
    places:
      families.projects && selectable.projects.length + selectable.workspaces.length === 0
        ? await placesForProject(actor, judged)
        : [],
  }
}

/** A project that a new one would be like: nothing that an approval for some projects names. */
const unknownProject = ''

async function placesForProject(
  actor: SessionActor,
  judged: { clientId: string; workspaceId: string | null | undefined },
): Promise<{ id: string; name: string }[]> {
  const { workspaces } = await loadSelectable(actor, { workspaces: true, projects: false }, judged)
  return workspaces
    .filter(({ role, admission }) => reaches(role, 'MEMBER') && admittedToProject(admission, unknownProject))
    .map(({ id, name }) => ({ id, name }))
}

/** What consent to a request changes about what was allowed before. */
async function compareWithEarlier(
  userId: string,
  asked: Scope[],
  earlier: { scopes: string[]; workspaceIds: string[]; projectIds: string[] },
): Promise<Pick<ConsentView, 'kept' | 'lost' | 'added'>> {
  const after = scopesAfterConsent(asked, earlier.scopes)
  const includedBefore = new Set(withIncluded(earlier.scopes.filter(isScope)))
  const includedAfter = new Set(withIncluded(after))
  const kept = after.filter(isScope).filter((scope) => !asked.includes(scope))
  const stays = (resource: ResourceType, ids: string[]) => (needsSelection(kept, resource) ? ids : [])
  return {
    kept: {
      scopes: kept,
      ...(await nameSelection(userId, {
        workspaceIds: stays('workspace', earlier.workspaceIds),
        projectIds: stays('project', earlier.projectIds),
      })),
    },
    added: earlier.scopes.length > 0 ? asked.filter((scope) => !includedBefore.has(scope)) : [],
    lost: earlier.scopes.filter(isScope).filter((scope) => !includedAfter.has(scope)),
  }
}

/** Who asks, as the consent page says it. */
type ShownApp = {
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
async function describeApp(
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
