import { cutPage, keysetQuery, type Page } from '@/lib/base/db/keyset'
import { prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { liveSessions } from '@/lib/features/identity/sessions/lifetime'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { isId } from '@/lib/policy/require'
import { matchText } from './match-text'

/** As many sessions and tokens as fit on their page. */
const few = 20

const fields = {
  id: true,
  name: true,
  email: true,
  avatarUrl: true,
  emailVerifiedAt: true,
  suspendedAt: true,
  instanceAdmin: true,
  createdAt: true,
} as const

/**
 * One page of everybody, the newest first.
 * @param search part of a name or an e-mail address
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export async function listPeople(actor: Actor, search: string, page: Page) {
  authorizeInstance(actor)
  const { bounds, ...window } = keysetQuery(page, 'desc')
  const like = matchText(search)
  const matching = like ? { OR: [{ name: like }, { email: like }] } : {}
  const rows = await prisma().user.findMany({ where: { ...matching, id: bounds }, select: fields, ...window })
  return { ...cutPage(page, rows), count: () => prisma().user.count({ where: matching }) }
}

/**
 * A person as the operator sees them: how they sign in, where they are signed in, and what acts for them. Not the addresses that they
 * come from, which those who run the service find in the log if they need them.
 * @throws AppError FORBIDDEN, NOT_FOUND
 */
export async function getPerson(actor: Actor, id: string) {
  authorizeInstance(actor)
  const person = isId(id)
    ? await prisma().user.findUnique({
        where: { id },
        select: {
          ...fields,
          language: true,
          passwordHash: true,
          totp: { select: { confirmedAt: true } },
          identities: { select: { provider: true, createdAt: true }, orderBy: { createdAt: 'asc' } },
          sessions: {
            where: liveSessions(),
            select: { id: true, userAgent: true, methods: true, createdAt: true, lastUsedAt: true },
            orderBy: { lastUsedAt: 'desc' },
            take: few,
          },
          apiTokens: {
            select: { id: true, name: true, kind: true, lastUsedAt: true, createdAt: true },
            orderBy: { id: 'desc' },
            take: few,
          },
          workspaceMemberships: {
            select: { role: true, workspace: { select: { id: true, name: true, slug: true } } },
            orderBy: { workspace: { name: 'asc' } },
            take: 100,
          },
          authorizations: {
            select: {
              id: true,
              createdAt: true,
              lastUsedAt: true,
              client: {
                select: { id: true, name: true, logoUrl: true, logoDarkUrl: true, disabledAt: true },
              },
            },
            orderBy: { id: 'desc' },
            take: 100,
          },
          _count: {
            select: {
              sessions: { where: liveSessions() },
              apiTokens: true,
              authorizations: true,
              passkeys: true,
            },
          },
        },
      })
    : null
  if (!person) throw new AppError('NOT_FOUND', 'There is no such person.')
  const { totp, passwordHash, _count: counts, workspaceMemberships, authorizations, ...rest } = person
  return {
    ...rest,
    counts,
    apps: authorizations,
    password: passwordHash !== null,
    totp: totp?.confirmedAt != null,
    workspaces: workspaceMemberships.map(({ role, workspace }) => ({ ...workspace, role })),
  }
}
