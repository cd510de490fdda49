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
 * Returns the name and the text of the DNS record that verifies a domain. A proof file on the domain's
 * website is not accepted, because the website's owner might not control the domain's email.
 */
export const ssoDomainProof = ({ domain, token }: Pick<Claim, 'domain' | 'token'>) => ({
  text: `latchkey-workspace=${token}`,
  record: `_latchkey.${domain}`,
})

/**
 * Looks up the DNS record of a workspace's domain and, if it is found, the provider's metadata, and stores
 * the result. The provider becomes active when the record is found and the metadata is valid. If the record
 * of a verified domain is missing, the grace period starts or the verification ends, as in the daily check.
 * If only the daily check did so, admins could avoid it, because each manual check postpones the daily check
 * by a day. See ADR 0024.
 * @throws AppError CONFLICT (no provider is set, or another workspace has verified the domain), RATE_LIMITED,
 * and the errors of `requireDecider` and `lockWorkspaceRole`
 */
export async function verifySsoDomain(actor: Actor, workspaceId: string): Promise<void> {
  const { id } = await requireDecider(actor, workspaceId)
  const claim = await prisma().workspaceIdentityProvider.findUnique({ where: { workspaceId: id } })
  if (!claim) throw new AppError('CONFLICT', 'The workspace has no identity provider. Add one first.')
  await countAttempt(looks, id)
  const missing = await missingProof(claim)
  if (missing !== undefined) return noteMissing(actor, claim, missing)
  const problem = await unreadable(claim)
  if (problem === undefined) await prove(actor, claim)
  else await prisma().workspaceIdentityProvider.updateMany({ where: same(claim), data: missed(problem) })
}

/**
 * Looks up the DNS record of a verified domain again and stores the result. If the record is missing, admins
 * are notified, and the verification is removed after a grace period.
 */
export async function renewSsoDomain(claim: Claim): Promise<void> {
  const problem = await missingProof(claim)
  return problem === undefined
    ? prove({ kind: 'system' }, claim)
    : noteMissing({ kind: 'system' }, claim, problem)
}

/**
 * Stores that the DNS record of a domain was not found. If the domain is verified, its grace period starts,
 * unless the grace period has already started. If the grace period has ended, the verification is removed and
 * the connection's sessions end. Records an event for the start of the grace period and for the removal.
 * Changes nothing if the domain was replaced during the DNS lookup.
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
 * Checks and locks the admin's role. Does nothing if the server itself is the actor.
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
 * Reads the provider's metadata. Returns the problem, or undefined if the metadata is valid. If the issuer in
 * the metadata differs from the stored issuer in its trailing slash, stores the issuer from the metadata,
 * because issuers are compared exactly.
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

/**
 * Checks the verified domains of SSO connections that were last checked at least a day ago, up to `portion`
 * of them in one run. Runs on a schedule. See ADR 0024.
 * @throws the first failure, after all checks are done
 */
export async function renewSsoDomains(): Promise<void> {
  const due = await prisma().workspaceIdentityProvider.findMany({
    where: { verifiedAt: { not: null }, checkedAt: { lte: new Date(databaseNow() - day) } },
    orderBy: { checkedAt: 'asc' },
    take: portion,
  })
  await renewEach(due, renewSsoDomain)
}
