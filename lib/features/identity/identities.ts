import { z } from 'zod'
import { config } from '@/lib/base/config/env'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { SessionActor } from '@/lib/policy/actor'
import { holdSession, lockUser } from '@/lib/policy/lock-role'
import { providerName, requiredSsoOf } from '@/lib/policy/required-sso'
import { requirePassword } from './two-factor/require-password'
import { lockSignInMethods } from './two-factor/two-factor-methods'

/**
 * Returns the IDs of the configured identity providers in the order in which the sign-in page shows them:
 * `github`, `google`, `oidc`.
 */
export function usableProviders(): ('github' | 'google' | 'oidc')[] {
  const settings = config()
  const configured = {
    github: settings.GITHUB_CLIENT_ID && settings.GITHUB_CLIENT_SECRET,
    google: settings.GOOGLE_CLIENT_ID && settings.GOOGLE_CLIENT_SECRET,
    oidc: settings.OIDC_ISSUER && settings.OIDC_CLIENT_ID,
  }
  return (['github', 'google', 'oidc'] as const).filter((id) => configured[id])
}

/**
 * Requires that the user still has a sign-in method: a password, a passkey, or an account at a provider in
 * `usableProviders`. Accounts at workspaces' SSO providers do not count.
 * @param tx the transaction that removed a sign-in method, after `lockSignInMethods`
 * @throws AppError CONFLICT
 */
export async function requireSignInMethod(tx: Db, userId: string): Promise<void> {
  const { passwordHash, _count } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: {
      passwordHash: true,
      _count: {
        select: { passkeys: true, identities: { where: { provider: { in: usableProviders() } } } },
      },
    },
  })
  if (passwordHash !== null || _count.passkeys > 0 || _count.identities > 0) return
  throw new AppError(
    'CONFLICT',
    'This is your last sign-in method. Set a password or add another method first.',
  )
}

/** Returns the user's accounts at identity providers, oldest first. */
export const listIdentities = ({ userId }: SessionActor) =>
  prisma().identity.findMany({
    where: { userId },
    orderBy: { createdAt: 'asc' },
    select: { provider: true, subject: true, createdAt: true },
  })

/**
 * Connects the user's account to an account at an identity provider. The user has proven ownership of both
 * accounts, so the email address at the provider does not matter. Does nothing if the accounts are already
 * connected. The caller must first require the password (`requirePassword`).
 * @throws AppError CONFLICT (the provider account is connected to another user)
 */
export async function connectIdentity(
  actor: SessionActor,
  { provider, subject }: { provider: string; subject: string },
): Promise<void> {
  const { userId } = actor
  const known = await prisma().identity.findUnique({
    where: { provider_subject: { provider, subject } },
    select: { userId: true },
  })
  if (known?.userId === userId) return
  if (known) throw elsewhere()
  await prisma()
    .$transaction(async (tx) => {
      await lockUser(tx, userId)
      await holdSession(tx, actor)
      await tx.identity.create({ data: { provider, subject, userId } })
      await recordEvent(tx, actor, {
        action: 'user.identity_connected',
        resource: { type: 'user', id: userId },
        details: { provider },
      })
    })
    .catch(async (error) => {
      if (!uniqueViolation(error)) throw error
      // Another request connected the same provider account at the same moment, for this user or for another
      // one.
      const owned = await prisma().identity.count({ where: { provider, subject, userId } })
      if (owned === 0) throw elsewhere()
    })
}

const elsewhere = () =>
  new AppError('CONFLICT', 'That account is already connected to another user. Use a different account.')

const input = z.object({
  // Allow 60 characters, because the provider name of a workspace contains the workspace's ID.
  provider: z.string().max(60).catch(''),
  subject: z.string().max(500).catch(''),
  password: z.string().max(1000, 'This password is incorrect.').default(''),
})

/**
 * Disconnects an account at an identity provider. Sessions that were started with that account continue.
 * @param values `provider`, `subject`, `password`
 * @throws AppError NOT_FOUND, CONFLICT (the last sign-in method, or the SSO connection that a workspace
 * requires), and the errors of `requirePassword`
 */
export async function removeIdentity(actor: SessionActor, values: unknown): Promise<void> {
  const { provider, subject, password } = parseInput(input, values)
  await requirePassword(actor, password)
  const { userId } = actor
  await prisma().$transaction(async (tx) => {
    await lockSignInMethods(tx, userId)
    const required = await requiredSsoOf(tx, userId)
    if (required && provider === providerName(required.workspaceId)) {
      throw new AppError(
        'CONFLICT',
        `${required.workspaceName} requires single sign-on through this account, so you can’t disconnect it.`,
      )
    }
    const { count } = await tx.identity.deleteMany({ where: { provider, subject, userId } })
    if (count === 0) throw new AppError('NOT_FOUND', 'This account isn’t connected. Reload and try again.')
    await requireSignInMethod(tx, userId)
    await recordEvent(tx, actor, {
      action: 'user.identity_removed',
      resource: { type: 'user', id: userId },
      details: { provider },
    })
  })
}
