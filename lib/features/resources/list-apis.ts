import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statements'
import { AppError } from '@/lib/base/errors/app-error'
import { byName } from '@/lib/base/language/languages'
import type { Actor } from '@/lib/policy/actor'
import { requireApiAdmin } from '@/lib/policy/require'
import type { Api } from './apis'
import { type ApiSecret, apiSecretColumns } from './credentials'

/**
 * An API as shown to instance admins, with the numbers of its users and apps and whether RESOURCES_FILE
 * defines it.
 */
export type ListedApi = Api & {
  fromFile: boolean
  createdAt: Date
  updatedAt: Date
  /** The number of users who granted an app access to the API. */
  users: number
  /** The number of apps to which at least one user granted access to the API. */
  apps: number
}

const countGrants = statement<{ id: string; users: number; apps: number }, []>(
  'api-grant-counts',
  `SELECT g.api_id AS id, count(DISTINCT z.user_id)::int AS users, count(DISTINCT z.client_id)::int AS apps
     FROM api_grants g JOIN authorizations z ON z.id = g.authorization_id GROUP BY g.api_id`,
)

/**
 * Returns all registered APIs, sorted by name. Requires an instance admin.
 * @throws AppError FORBIDDEN, TWO_FACTOR_REQUIRED
 */
export async function listApis(actor: Actor): Promise<ListedApi[]> {
  await requireApiAdmin(actor)
  const [rows, counts] = await Promise.all([
    prisma().api.findMany({
      include: { scopes: { orderBy: { position: 'asc' } } },
    }),
    countGrants(),
  ])
  return rows.sort(byName).map(({ version: _version, signingAlgorithm, scopes, ...row }) => {
    const { users = 0, apps = 0 } = counts.find(({ id }) => id === row.id) ?? {}
    return {
      ...row,
      signingAlgorithm: signingAlgorithm as Api['signingAlgorithm'],
      scopes: scopes.map(({ apiId: _apiId, position: _position, ...scope }) => scope),
      users,
      apps,
    }
  })
}

/**
 * Returns one registered API. Requires an instance admin.
 * @throws AppError FORBIDDEN, TWO_FACTOR_REQUIRED, NOT_FOUND
 */
export async function getApi(actor: Actor, id: string): Promise<ListedApi> {
  const found = (await listApis(actor)).find((api) => api.id === id)
  if (!found) throw new AppError('NOT_FOUND', 'The API was not found.')
  return found
}

/**
 * Returns the client secrets of each API, oldest first, without their values. The caller must first check the
 * actor's permission.
 * @returns a list for each API, in the order of the IDs
 */
export async function secretsOfApis(ids: readonly string[]): Promise<ApiSecret[][]> {
  const rows = await prisma().apiCredential.findMany({
    where: { apiId: { in: [...ids] } },
    select: { ...apiSecretColumns, apiId: true },
    orderBy: { id: 'asc' },
  })
  return ids.map((id) =>
    rows.filter(({ apiId }) => apiId === id).map(({ apiId: _apiId, ...secret }) => secret),
  )
}
