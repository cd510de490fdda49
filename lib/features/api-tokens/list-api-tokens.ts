import { credentialKinds } from '@/lib/base/credentials/tokens'
import { type CountedSlice, cutPage } from '@/lib/base/db/keyset'
import { listEach } from '@/lib/base/db/list-each'
import { prisma } from '@/lib/base/db/prisma'
import type { ApiToken, Prisma } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { requireProject } from '@/lib/policy/require'
import { type TokenPage, tokenWindow } from './token-order'

const prefixes = {
  ACCOUNT: credentialKinds.accountToken,
  WORKSPACE: credentialKinds.workspaceToken,
  PROJECT: credentialKinds.projectToken,
}

/** A token as lists show it: its kind's prefix and its last four characters, such as `lk_pat_…abcd`. */
export const displayToken = ({
  kind,
  environmentId,
  lastFour,
}: Pick<ApiToken, 'kind' | 'environmentId' | 'lastFour'>): string =>
  `lk_${environmentId ? credentialKinds.environmentToken : prefixes[kind]}_…${lastFour}`

/** Which tokens to list; all where nothing is said. */
export type TokenFilter = { expiresBefore?: Date | null; unusedSince?: Date | null }

/** The condition that a filter stands for. A token that never expires does so before no moment. */
export const tokensMatching = ({ expiresBefore, unusedSince }: TokenFilter) =>
  ({
    expiresAt: expiresBefore ? { lt: expiresBefore } : undefined,
    AND: unusedSince ? [{ OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: unusedSince } }] }] : undefined,
  }) satisfies Prisma.ApiTokenWhereInput

/**
 * One page of the person's account and workspace tokens, oldest first unless asked otherwise.
 * @throws AppError FORBIDDEN for apps and for tokens confined to a workspace or project
 */
export async function listApiTokens(
  actor: Actor,
  page: TokenPage,
  filter: TokenFilter = {},
): Promise<CountedSlice<ApiToken>> {
  authorizeAccount(actor)
  return read({ userId: actor.userId, kind: { not: 'PROJECT' }, ...tokensMatching(filter) }, page)
}

/**
 * One page of the project tokens that the person made, in whatever project, oldest first unless asked otherwise.
 * @throws as `listApiTokens`
 */
export async function listOwnProjectTokens(
  actor: Actor,
  page: TokenPage,
  filter: TokenFilter = {},
): Promise<CountedSlice<ApiToken>> {
  authorizeAccount(actor)
  return read({ userId: actor.userId, kind: 'PROJECT', ...tokensMatching(filter) }, page)
}

/**
 * One page of a project's tokens, whoever made them, oldest first unless asked otherwise. Takes `project:manage-tokens` in the project.
 * @throws AppError as `authorizeProject`
 */
export async function listProjectTokens(
  actor: Actor,
  projectId: string,
  page: TokenPage,
  filter: TokenFilter = {},
): Promise<CountedSlice<ApiToken>> {
  const project = await requireProject(actor, 'project:manage-tokens', projectId)
  return read({ projectId: project.id, kind: 'PROJECT', ...tokensMatching(filter) }, page)
}

async function read(where: Prisma.ApiTokenWhereInput, asked: TokenPage): Promise<CountedSlice<ApiToken>> {
  const { page, bounds, order, place } = tokenWindow(asked)
  const rows = await prisma().apiToken.findMany({ where: { AND: [where, bounds] }, ...order })
  return { ...cutPage(page, place(rows)), count: () => prisma().apiToken.count({ where }) }
}

/** The tokens of several projects, oldest first. The caller has required `project:manage-tokens` on each. */
export const projectTokensOf = listEach(
  'project-tokens-of',
  { table: 'api_tokens', parent: 'project_id' },
  (ids) => prisma().apiToken.findMany({ where: { id: { in: ids } } }),
)
