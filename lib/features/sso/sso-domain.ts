import { databaseNow } from '@/lib/base/db/clock'
import { uniqueViolation } from '@/lib/base/db/database-errors'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { type Db, inTransaction, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { outboundErrorIn } from '@/lib/base/outbound/check-url'
import { txtRecordProblem } from '@/lib/base/outbound/guarded-agent'
import { requireDecider } from '@/lib/features/app-access/list-installed'
import { endOfGrace, renewEach } from '@/lib/features/apps/app-domain'
import { recordEvent, type SystemActor } from '@/lib/features/audit/record-event'
import type { WorkspaceIdentityProvider } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { endSessionsOfConnection, signOutDomain } from './end-sessions'
import { readIssuer } from './read-issuer'

type Claim = Pick<
  WorkspaceIdentityProvider,
  'workspaceId' | 'domain' | 'issuer' | 'token' | 'verifiedAt' | 'failingSince' | 'requiresSso'
>

const looks: AttemptLimit = {
  name: 'check-sso-domain',
  points: 30,
  seconds: 3600,
  message: 'The domain was checked too many times. DNS changes take time, so try again in an hour.',
}

/**
 * Returns the DNS record that verifies a domain. A proof file is not accepted, because only the owner of the DNS zone
 * controls the domain's email.
 */
export const ssoDomainProof = ({ domain, token }: Pick<Claim, 'domain' | 'token'>) => ({
  text: `latchkey-workspace=${token}`,
  record: `_latchkey.${domain}`,
})

/**
 * Looks up the DNS record of a workspace's domain and the provider's metadata, and stores the result. The provider becomes
 * active when the record is found and the metadata is valid. If the record is missing, the grace period of a verified domain
 * starts, as in the daily check. Otherwise, admins could avoid the daily check, because each manual check postpones the daily
 * check by a day. See ADR 0024.
 * @throws AppError CONFLICT (no provider is set, or another workspace has verified the domain), RATE_LIMITED, and the errors
 * of `requireDecider`
 */
export async function verifySsoDomain(actor: Actor, workspaceId: string): Promise<void> {
  const { id } = await requireDecider(actor, workspaceId)
  const claim = await prisma().workspaceIdentityProvider.findUnique({ where: { workspaceId: id } })
  if (!claim) throw new AppError('CONFLICT', 'Set the identity provider first.')
  await countAttempt(looks, id)
  const missing = await missingProof(claim)
  if (missing !== undefined) return noteMissing(actor, claim, missing)
  const problem = await unreadable(claim)
  if (problem === undefined) await prove(actor, claim)
  else await prisma().workspaceIdentityProvider.updateMany({ where: same(claim), data: missed(problem) })
}

/**
 * Checks a verified domain again. If its record is missing, admins are notified, and the verification is removed after a
 * grace period.
 */
export async function renewSsoDomain(claim: Claim): Promise<void> {
  const problem = await missingProof(claim)
  return problem === undefined
    ? prove({ kind: 'system' }, claim)
    : noteMissing({ kind: 'system' }, claim, problem)
}

/**
 * Stores that a record was not found. The grace period of a verified domain starts or, if it has ended, the verification is
 * removed and the connection's sessions end. Records an event for either change.
 */
async function noteMissing(actor: Actor | SystemActor, claim: Claim, problem: string): Promise<void> {
  if (!claim.verifiedAt) {
    await prisma().workspaceIdentityProvider.updateMany({ where: same(claim), data: missed(problem) })
    return
  }
  const now = databaseNow()
  const since = claim.failingSince ?? new Date(now)
  const until = endOfGrace(since)
  const lost = now >= until.getTime()
  await prisma().$transaction(async (tx) => {
    await hold(tx, actor, claim)
    const { count } = await tx.workspaceIdentityProvider.updateMany({
      where: same(claim),
      data: { ...missed(problem), failingSince: since, ...(lost ? { verifiedAt: null } : {}) },
    })
    if (count === 0 || (claim.failingSince && !lost)) return
    if (lost) await endSessionsOfConnection(tx, actor, claim.workspaceId)
    await tell(tx, actor, claim, lost ? 'workspace.domain_lost' : 'workspace.domain_failing', {
      problem,
      until: until.toISOString(),
    })
  })
}

/**
 * Locks the admin's role. Does nothing if the server itself is the actor.
 * @throws the errors of `lockWorkspaceRole` if the admin lost the role during the DNS lookup
 */
const hold = async (tx: Db, actor: Actor | SystemActor, { workspaceId }: Claim): Promise<void> =>
  actor.kind === 'system' ? undefined : lockWorkspaceRole(tx, actor, 'workspace:decide-apps', workspaceId)

const same = ({ workspaceId, token }: Claim) => ({ workspaceId, token })

const missed = (problem: string) => ({ checkedAt: new Date(databaseNow()), problem })

/** Returns the problem with the record, or undefined if the record was found. */
function missingProof(claim: Claim): Promise<string | undefined> {
  const { text, record } = ssoDomainProof(claim)
  return txtRecordProblem(record, text)
}

/**
 * Reads the provider's metadata. Returns the problem, or undefined if the metadata is valid. If the issuer in the metadata is
 * spelled differently, stores that spelling, because a trailing slash makes it a different issuer.
 */
async function unreadable({ workspaceId, issuer }: WorkspaceIdentityProvider): Promise<string | undefined> {
  try {
    const { issuer: named } = await readIssuer(issuer)
    if (named !== issuer) {
      await prisma().workspaceIdentityProvider.updateMany({
        where: { workspaceId, issuer },
        data: { issuer: named },
      })
    }
    return undefined
  } catch (error) {
    const refused = outboundErrorIn(error)
    if (refused) return `The provider’s metadata could not be read. ${refused.message}`
    throw error
  }
}

async function prove(actor: Actor | SystemActor, claim: Claim): Promise<void> {
  const now = new Date(databaseNow())
  const data = {
    checkedAt: now,
    problem: null,
    failingSince: null,
    verifiedAt: claim.verifiedAt ?? now,
  }
  await inTransaction(async (tx) => {
    await hold(tx, actor, claim)
    const { count } = await tx.workspaceIdentityProvider.updateMany({ where: same(claim), data })
    if (count === 0 || claim.verifiedAt) return
    await tell(tx, actor, claim, 'workspace.domain_verified')
    if (claim.requiresSso) await signOutDomain(tx, actor, claim)
  }).catch((error) => {
    throw uniqueViolation(error)
      ? new AppError(
          'CONFLICT',
          'Another workspace has already verified this domain. Use another domain, or ask that workspace’s admins to remove it.',
        )
      : error
  })
}

const tell = (
  tx: Db,
  actor: Actor | SystemActor,
  { workspaceId, domain }: Claim,
  action: string,
  more: object = {},
): Promise<void> =>
  recordEvent(tx, actor, {
    action,
    resource: { type: 'workspace', id: workspaceId },
    workspaceId,
    details: { domain, ...more },
  })

const day = 86_400_000

/** The maximum number of domains to check in one run. The next run checks the remaining domains. */
const portion = 200

/** Checks each verified domain of an SSO connection once a day. Runs on a schedule. See ADR 0024. */
export async function renewSsoDomains(): Promise<void> {
  const due = await prisma().workspaceIdentityProvider.findMany({
    where: { verifiedAt: { not: null }, checkedAt: { lte: new Date(databaseNow() - day) } },
    orderBy: { checkedAt: 'asc' },
    take: portion,
  })
  await renewEach(due, renewSsoDomain)
}
