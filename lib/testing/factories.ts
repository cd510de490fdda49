import { hashPassword } from '@/lib/base/credentials/password'
import { hashCredential, lastFour, mintCredential } from '@/lib/base/credentials/tokens'
import { inTransaction, prisma } from '@/lib/base/db/prisma'
import { maxApps } from '@/lib/features/apps/create-app'
import type { AppType, ClientSource, Role } from '@/lib/generated/prisma/enums'

/**
 * Functions that create valid, complete, and unique rows directly in the test file's database. A test
 * specifies only the values that matter to it. All other values have defaults.
 */

let count = 0
const next = () => ++count

/**
 * The password of all users that these functions create. Its hash is computed only once per process, because
 * argon2id is slow by design.
 */
export const testPassword = 'correct horse battery staple'
let testPasswordHash: Promise<string> | undefined

type UserFields = { name?: string; email?: string; instanceAdmin?: boolean; suspendedAt?: Date }

/** Creates a user who has no workspace and can sign in with `testPassword`. */
export async function makeUser(fields: UserFields = {}) {
  testPasswordHash ??= hashPassword(testPassword)
  const n = next()
  return prisma().user.create({
    data: {
      name: `User ${n}`,
      email: `user-${n}@example.test`,
      emailVerifiedAt: new Date(),
      passwordHash: await testPasswordHash,
      ...fields,
    },
  })
}

type Identified = { id: string }

/** Creates a workspace with members. @param roles pairs of user and role */
export function makeWorkspace(
  roles: [Identified, Role][] = [],
  fields: { name?: string; slug?: string } = {},
) {
  const n = next()
  return prisma().workspace.create({
    data: {
      name: `Workspace ${n}`,
      slug: `workspace-${n}`,
      ...fields,
      members: { create: roles.map(([user, role]) => ({ userId: user.id, role })) },
    },
  })
}

/** Adds a user to a workspace, or changes their role. */
export const joinWorkspace = (workspace: Identified, user: Identified, role: Role) =>
  prisma().workspaceMember.upsert({
    where: { workspaceId_userId: { workspaceId: workspace.id, userId: user.id } },
    create: { workspaceId: workspace.id, userId: user.id, role },
    update: { role },
  })

/** Creates a project in a workspace. @param roles pairs of user and role in this project only */
export function makeProject(
  workspace: Identified,
  roles: [Identified, Role][] = [],
  fields: { name?: string; description?: string } = {},
) {
  return prisma().project.create({
    data: {
      workspaceId: workspace.id,
      name: `Project ${next()}`,
      ...fields,
      members: { create: roles.map(([user, role]) => ({ userId: user.id, role })) },
    },
  })
}

type ClientFields = {
  type?: AppType
  source?: ClientSource
  name?: string
  redirectUris?: string[]
  metadata?: object
  allowedScopes?: string[]
}

/**
 * Creates an OAuth client. A web client has a secret.
 * @param workspace the client's workspace; undefined if the client has no workspace, such as a
 * self-registered client
 * @returns the row and, for a web client, its plain secret
 */
export async function makeClient(workspace: Identified | undefined, fields: ClientFields = {}) {
  const n = next()
  const type = fields.type ?? 'WEB'
  const secret = type === 'WEB' ? mintCredential('clientSecret') : undefined
  const data = {
    id: `test-client-${n}`,
    name: `App ${n}`,
    redirectUris: ['https://app.example.test/callback'],
    ...(workspace ? { workspaceId: workspace.id } : {}),
    ...fields,
    type,
    ...(secret ? { secrets: { create: { hash: stored(secret), lastFour: lastFour(secret) } } } : {}),
  }
  // Run the transaction again if it ends in a deadlock. The transaction writes to two tables. On Citus, both
  // tables are replicated, and background writes lock them in another order.
  const client = await inTransaction((tx) => tx.oAuthClient.create({ data }))
  return { client, secret }
}

type TokenFields = {
  role?: Role
  workspace?: Identified
  project?: Identified
  /** The environment of `project` to which the token is limited, if any. */
  environment?: Identified
  expiresAt?: Date
  /** Whether the session that created the token used two factors. */
  twoFactor?: boolean
}

/**
 * Creates a user's token for an environment, a project, a workspace, or the account. @returns the row and the
 * plain token
 */
export async function makeApiToken(
  user: Identified,
  { role, workspace, project, environment, expiresAt, twoFactor }: TokenFields = {},
) {
  const kind = project ? 'PROJECT' : workspace ? 'WORKSPACE' : 'ACCOUNT'
  const credential = (
    {
      PROJECT: environment ? 'environmentToken' : 'projectToken',
      WORKSPACE: 'workspaceToken',
      ACCOUNT: 'accountToken',
    } as const
  )[kind]
  const token = mintCredential(credential)
  const row = await prisma().apiToken.create({
    data: {
      kind,
      name: `Token ${next()}`,
      hash: stored(token),
      lastFour: lastFour(token),
      userId: user.id,
      ...(workspace ? { workspaceId: workspace.id } : {}),
      ...(project ? { projectId: project.id } : {}),
      ...(environment ? { environmentId: environment.id } : {}),
      ...(role ? { role } : {}),
      ...(twoFactor ? { twoFactor } : {}),
      ...(expiresAt ? { expiresAt } : {}),
    },
  })
  return { row, token }
}

/** Returns a credential's hash in the type that Prisma requires, which is backed by a plain ArrayBuffer. */
const stored = (credential: string) => new Uint8Array(hashCredential(credential))

/** Creates as many apps as a workspace can have. */
export const fillWithApps = (workspaceId: string) =>
  prisma().oAuthClient.createMany({
    data: Array.from({ length: maxApps }, (_, at) => ({
      id: `lk_app_${workspaceId}_${at}`,
      name: `Decoy ${at}`,
      type: 'WEB' as const,
      source: 'SETTINGS' as const,
      workspaceId,
    })),
  })
