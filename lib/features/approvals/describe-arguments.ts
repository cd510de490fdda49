import { isId, prisma } from '@/lib/base/db/prisma'
import type { PendingApproval } from '@/lib/policy/approvals'
import { knownWorkspaces } from '@/lib/policy/visible'

/**
 * How an argument's value is shown: as text, as an object's name with its ID, as a URL without its query, as
 * the names of variables without their values, or not at all (secrets).
 */
type Shown = 'text' | 'url' | 'secret' | 'names' | 'user' | 'workspace' | 'project' | 'environment' | 'app'

/**
 * The labels of all arguments of sensitive operations, and how each argument is shown. The values of secrets
 * are never stored, and the page shows only that a secret was sent. The request's digest still binds the
 * approval to the secret's value. `lib/edges/graphql/approval-coverage.db.test.ts` fails if an argument has
 * no label here.
 */
const labels: Record<string, [label: string, as: Shown]> = {
  allowedScopes: ['Allowed scopes', 'text'],
  applyChangesInBackground: ['Apply in background', 'text'],
  backchannelLogoutUri: ['Back-channel logout URI', 'url'],
  clientAuthentication: ['Client authentication', 'text'],
  clientId: ['OAuth app', 'app'],
  description: ['Description', 'text'],
  domain: ['Domain', 'text'],
  email: ['Email address', 'text'],
  enabled: ['Enabled', 'text'],
  environmentId: ['Environment', 'environment'],
  events: ['Events', 'text'],
  expectedRevision: ['Expected revision', 'text'],
  expiresAt: ['Expires', 'text'],
  from: ['From workspace', 'text'],
  highSecurity: ['High security', 'text'],
  id: ['ID', 'text'],
  idTokenAlg: ['ID token algorithm', 'text'],
  inDevelopment: ['In development', 'text'],
  installScopes: ['Installation scopes', 'text'],
  name: ['Name', 'text'],
  picture: ['Picture', 'secret'],
  postLogoutRedirectUris: ['Post-logout redirect URIs', 'text'],
  privacyUrl: ['Privacy policy', 'url'],
  projectId: ['Project', 'project'],
  publicKey: ['Public key', 'text'],
  publicKeys: ['Public keys', 'text'],
  redirectUris: ['Redirect URIs', 'text'],
  replace: ['Delete all other variables', 'text'],
  requirePushedAuthorization: ['Require PAR', 'text'],
  requireSignedRequests: ['Require signed requests', 'text'],
  role: ['Role', 'text'],
  secretId: ['Secret', 'text'],
  serviceId: ['Service ID', 'text'],
  skipDeploys: ['Skip deploys', 'text'],
  slug: ['URL', 'text'],
  support: ['Support', 'url'],
  termsUrl: ['Terms of service', 'url'],
  theme: ['Theme', 'text'],
  type: ['Type', 'text'],
  url: ['URL', 'url'],
  userId: ['User', 'user'],
  value: ['Value', 'secret'],
  variables: ['Variables', 'names'],
  website: ['Website', 'url'],
  workspace: ['To workspace', 'text'],
  workspaceId: ['Workspace', 'workspace'],
}

/** Returns whether an argument has a label. */
export const isDescribed = (name: string): boolean => Object.hasOwn(labels, name)

/** An argument as stored with the request. */
type KeptArgument = { name: string; value: string; as: Shown }

/**
 * An argument as shown on the page. If a name or description is shown instead of an object's ID, `detail`
 * contains the ID and, for a user, the email address. Otherwise, `detail` is undefined.
 */
export type ShownArgument = { label: string; value: string; detail?: string }

/**
 * The number of characters of a text that are stored. A longer text is cut, and a note after the text states
 * how many characters are omitted. The request's digest covers the full text.
 */
const longest = 16_000

const shortened = (text: string): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest)} … and ${text.length - longest} more characters that are not shown`

/**
 * Returns an operation's arguments in the form in which they are stored. The arguments that the server
 * resolved to IDs come first, with these IDs as their values. Nested input objects are flattened. The values
 * of secrets are left empty.
 */
export function keepArguments({ args, resolved }: PendingApproval): KeptArgument[] {
  const kept = leavesOf(args).filter(({ name }) => !Object.hasOwn(resolved, name))
  const destinations = Object.entries(resolved).map(([name, value]) => ({ name, value, as: kindOf(name) }))
  return [...destinations, ...kept]
}

/**
 * Returns how to show an argument that the server resolved to an ID. An argument without a label is shown as
 * text under its own name. The coverage test ensures that no secret lacks a label.
 */
const kindOf = (name: string): Shown =>
  name === 'workspace' || name === 'from' ? 'workspace' : (labels[name]?.[1] ?? 'text')

function leavesOf(args: object): KeptArgument[] {
  return Object.entries(args).flatMap(([name, value]): KeptArgument[] => {
    if (isObject(value) && labels[name]?.[1] !== 'names') return leavesOf(value)
    const as = labels[name]?.[1] ?? 'text'
    return [{ name, as, value: textOf(value, as) }]
  })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

function textOf(value: unknown, as: Shown): string {
  if (value === null || value === undefined) return 'none'
  if (as === 'secret') return ''
  if (as === 'names') return shortened(namesIn(value).join(', ')) || 'none'
  if (as === 'url') return withoutQuery(String(value))
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return shortened(Array.isArray(value) ? value.map(String).join(', ') || 'none' : String(value))
}

/**
 * Returns the names of the variables in an argument, which is a list of names and values, or a map from names
 * to values.
 */
const namesIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map((each: { name?: unknown }) => String(each.name))
    : Object.keys(Object(value))

/**
 * Replaces a URL's query string and fragment with `?…`, because they can contain the receiver's tokens. Also
 * shortens a long URL.
 */
function withoutQuery(url: string): string {
  const [address = '', query] = url.split(/[?#]/, 2)
  return `${shortened(address)}${query === undefined ? '' : '?…'}`
}

/**
 * The user who views the page, and the operation's workspace. The page does not show the names of objects in
 * other workspaces, or the names of workspaces that the user does not belong to.
 */
export type Reader = { userId: string; workspaceId: string | null }

/**
 * Returns the arguments of a request as labels and values. An ID is shown with the current name of its object
 * if `reader` can see that name.
 */
export const describeArguments = (kept: unknown, reader: Reader): Promise<ShownArgument[]> =>
  Promise.all((kept as KeptArgument[]).map((argument) => describe(argument, reader)))

async function describe({ name, value, as }: KeptArgument, reader: Reader): Promise<ShownArgument> {
  const label = labels[name]?.[0] ?? name
  if (as === 'secret') return { label, value: 'Not shown. Your approval applies to this value only.' }
  if (!isId(value) && as !== 'app') return { label, value }
  const found = await findNamed(as, value, reader)
  return found ? { label, ...found } : { label, value }
}

async function findNamed(
  as: Shown,
  id: string,
  reader: Reader,
): Promise<Omit<ShownArgument, 'label'> | undefined> {
  const workspaceId = reader.workspaceId ?? undefined
  const db = prisma()
  switch (as) {
    case 'user': {
      const memberships = [
        { workspaceMemberships: { some: { workspaceId } } },
        { projectMemberships: { some: { project: { workspaceId } } } },
      ]
      const user = workspaceId && (await db.user.findFirst({ where: { id, OR: memberships } }))
      return user ? { value: user.name, detail: `${user.email}, ${id}` } : undefined
    }
    case 'workspace': {
      const mine = knownWorkspaces(reader.userId)
      const workspace = await db.workspace.findFirst({ where: { AND: [{ id }, mine] } })
      return workspace
        ? { value: workspace.name, detail: id }
        : { value: 'A workspace that you are not a member of', detail: id }
    }
    case 'project': {
      const project = workspaceId && (await db.project.findFirst({ where: { id, workspaceId } }))
      return project ? { value: project.name, detail: id } : undefined
    }
    case 'environment': {
      const where = { id, project: { workspaceId } }
      const found = workspaceId && (await db.environment.findFirst({ where, include: { project: true } }))
      return found ? { value: `${found.name} in ${found.project.name}`, detail: id } : undefined
    }
    case 'app': {
      const app = workspaceId && (await db.oAuthClient.findFirst({ where: { id, workspaceId } }))
      return app ? { value: app.name, detail: id } : undefined
    }
    default:
      return undefined
  }
}
