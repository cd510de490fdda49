import { statement } from '@/lib/base/db/statements'
import { markRequested } from '@/lib/features/app-access/requests'
import { type AppProfile, profileOf } from '@/lib/features/apps/app-profile'
import { allowedApis, judgedScopes, type RequestedApi } from '@/lib/features/apps/authorizations/api-grants'
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
import { allowedTo, type UnavailableReason, unavailableReason } from '@/lib/policy/app-status'
import {
  clientSource,
  isScope,
  limitScopes,
  needsSelection,
  type ResourceType,
  type Role,
  requestableScopes,
  roleFromScopes,
  roleIncludes,
  type Scope,
  withIncluded,
} from '@/lib/policy/scopes'
import { loadLogo } from './next-step'

/**
 * The content of the consent page, for browsers and devices: the app, the requested and earlier access, and
 * the workspaces and projects to choose from.
 */
export type ConsentView = {
  app: ShownApp
  /** The reason why the user cannot authorize the app; null if they can. */
  unavailable: UnavailableReason | null
  scopes: Scope[]
  /**
   * The requested APIs, with the scopes that the app is allowed to request. Each API's scopes are in the
   * order in which the API defines them.
   */
  apis: ShownApi[]
  /** Existing access that the app keeps, although this request does not include it. */
  kept: { scopes: Scope[] } & NamedSelection
  /** Scopes that the app has but will lose, because this request does not include them. */
  lost: Scope[]
  /** Requested scopes that the app does not have yet; empty for an app without earlier access. */
  added: Scope[]
  /**
   * Workspaces where the user can request or grant approval for the app. `decides` is whether the user is an
   * admin who can grant it. `requested` is whether the user has an open request.
   */
  askable: { id: string; name: string; decides: boolean; requested: boolean }[]
  /**
   * The highest workspace role and the highest project role that the requested scopes require. A role is
   * undefined if the scopes do not require it.
   */
  asked: { workspace: Role | undefined; project: Role | undefined }
  /**
   * The workspaces in which the user can create a project for the app. Empty if the requested scopes need no
   * project, or if the user already has a project or workspace to select.
   */
  places: { id: string; name: string }[]
} & SelectionGroups

/**
 * Loads app data that oidc-provider does not store, the access that the user granted the app earlier, and the
 * reason why the app is unavailable to the user.
 */
const findApp = statement<
  {
    verified: boolean
    logoDarkUrl: string | null
    workspaceId: string | null
    workspaceName: string | null
    description: string | null
    domain: string | null
    unavailable: UnavailableReason | null
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
          ${unavailableReason('c', '$2')} AS "unavailable",
          COALESCE(c.allowed_scopes, '{}') AS "mayAsk", a.scopes AS allowed, a.workspace_ids AS "workspaceIds", a.project_ids AS "projectIds"
     FROM oauth_clients c
     LEFT JOIN workspaces w ON w.id = c.workspace_id
     LEFT JOIN authorizations a ON a.client_id = c.id AND a.user_id = $2
    WHERE c.id = $1`,
)

/**
 * Loads the content of the consent page. Omits requested scopes that the app is not allowed to request.
 * Preselects the resources that the user shared with this app earlier.
 * @param client the client, as returned by oidc-provider
 * @param requested the requested scopes; unknown scopes are ignored
 * @param selected the selection of a rejected form, which is preselected instead of the resources that were
 * shared earlier
 * @param requestedApis the requested APIs, each with its requested scopes
 */
export async function loadConsentView(
  actor: SessionActor,
  client: DescribedClient,
  requested: string[],
  selected?: ReadonlySet<string>,
  requestedApis: readonly RequestedApi[] = [],
): Promise<ConsentView> {
  const [row] = await findApp(client.clientId, actor.userId)
  const mayAsk = allowedTo(client.clientId, row?.mayAsk)
  const scopes = requestableScopes(requested.filter(isScope), mayAsk)
  const apis = allowedApis(requestedApis, mayAsk)
  const judgedBy = judgedScopes(scopes, apis)
  const families = selectableFamilies(judgedBy)
  const judged = { clientId: client.clientId, workspaceId: row?.workspaceId }
  const selectable = await loadSelectable(actor, families, judged)
  const places = askablePlaces(selectable, judgedBy)
  const earlier = {
    scopes: limitScopes(row?.allowed ?? [], mayAsk),
    workspaceIds: row?.workspaceIds ?? [],
    projectIds: row?.projectIds ?? [],
  }
  const grants = apis.length === 0 ? [] : await earlierGrants(actor.userId, client.clientId)
  const chosen =
    selected ??
    new Set(
      [earlier, ...grants.filter(({ apiId }) => apis.some(({ api }) => api.id === apiId))].flatMap(
        ({ workspaceIds, projectIds }) => [...workspaceIds, ...projectIds],
      ),
    )
  return {
    app: await describeApp(client, row, actor.ip),
    unavailable: row?.unavailable ?? null,
    scopes,
    ...(await compareWithEarlier(actor.userId, scopes, earlier)),
    apis: apis.map((each) => showApi(each, grants)),
    ...selectionGroups(families, selectable, chosen, judgedBy),
    askable: places.length > 0 ? await markRequested(actor.userId, client.clientId, places) : [],
    asked: {
      workspace: roleFromScopes(new Set(judgedBy), 'workspace'),
      project: roleFromScopes(new Set(judgedBy), 'project'),
    },
    places:
      families.projects && selectable.projects.length + selectable.workspaces.length === 0
        ? await placesForProject(actor, judged)
        : [],
  }
}

/** An API on the consent page. */
export type ShownApi = {
  id: string
  name: string
  /** The host in the API's identifier. */
  host: string
  logoUrl: string | null
  permissions: {
    scope: string
    /** The API's description of the scope. */
    text: string
    sensitivity: RequestedApi['scopes'][number]['sensitivity']
    /** Whether the app already has access to the API but not this scope. */
    added: boolean
  }[]
  /** The descriptions of granted scopes that the app loses because this request does not contain them. */
  lost: string[]
}

type EarlierGrant = { apiId: string; scopes: string[]; workspaceIds: string[]; projectIds: string[] }

const earlierGrants = statement<EarlierGrant, [userId: string, clientId: string]>(
  'consent-api-grants',
  `SELECT g.api_id AS "apiId", g.scopes, g.workspace_ids AS "workspaceIds", g.project_ids AS "projectIds"
     FROM api_grants g JOIN authorizations a ON a.id = g.authorization_id WHERE a.user_id = $1::uuid AND a.client_id = $2`,
)

function showApi({ api, scopes }: RequestedApi, grants: EarlierGrant[]): ShownApi {
  const earlier = grants.find(({ apiId }) => apiId === api.id)?.scopes ?? []
  const asked = scopes.map(({ name }) => name)
  return {
    id: api.id,
    name: api.name,
    host: new URL(api.identifier).host,
    logoUrl: api.logoUrl,
    permissions: scopes.map(({ name, description, sensitivity }) => ({
      scope: name,
      text: description,
      sensitivity,
      added: earlier.length > 0 && !earlier.includes(name),
    })),
    lost: api.scopes
      .filter(({ name }) => earlier.includes(name) && !asked.includes(name))
      .map(({ description }) => description),
  }
}

/** The ID of a project that does not exist yet. An approval for selected projects never includes it. */
const unknownProject = ''

async function placesForProject(
  actor: SessionActor,
  judged: { clientId: string; workspaceId: string | null | undefined },
): Promise<{ id: string; name: string }[]> {
  const { workspaces } = await loadSelectable(actor, { workspaces: true, projects: false }, judged)
  return workspaces
    .filter(
      ({ role, admission }) => roleIncludes(role, 'MEMBER') && admittedToProject(admission, unknownProject),
    )
    .map(({ id, name }) => ({ id, name }))
}

/** Returns how the access after consent would differ from the earlier access. */
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

/** The app as the consent page shows it. */
type ShownApp = {
  id: string
  name: string
  /**
   * The logo as a path on this server or a data URL, so that the browser requests nothing from another host.
   * Null if there is no logo, or it cannot be shown.
   */
  logoUrl: string | null
  /** The logo for dark mode; null if there is none, as for self-registered apps. */
  logoDarkUrl: string | null
  /**
   * The app's description and links (OpenID Connect Registration section 2). For a self-registered app or a
   * metadata-document client, these are only its privacy policy and terms, because its other claims are
   * unverified.
   */
  profile: AppProfile
  /** The name of the workspace that owns the app; undefined for an app that belongs to no workspace. */
  workspaceName: string | undefined
  /** The host of the metadata document; undefined for other apps. */
  documentHost: string | undefined
  verified: boolean
  /** The app's verified domain; undefined if there is none. */
  domain: string | undefined
}

/** An app as oidc-provider returns it. */
export type DescribedClient = {
  clientId: string
  clientName?: string
  logoUri?: string
  policyUri?: string
  tosUri?: string
  clientUri?: string
  contacts?: readonly string[]
}

/**
 * Returns the app for the consent page.
 * @param row the app data that oidc-provider does not store
 * @param ip the user's IP address, for `loadLogo`
 */
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
  ip: string | undefined,
): Promise<ShownApp> {
  const source = clientSource(client.clientId)
  const own = source === 'SETTINGS'
  return {
    id: client.clientId,
    name: client.clientName ?? client.clientId,
    logoUrl: (await loadLogo(client.logoUri, ip)) ?? null,
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
