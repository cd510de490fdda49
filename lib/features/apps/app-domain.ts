import { randomBytes } from 'node:crypto'
import pLimit from 'p-limit'
import { z } from 'zod'
import { databaseNow } from '@/lib/base/db/clock'
import { type AttemptLimit, countAttempt } from '@/lib/base/db/limits'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { parseInput } from '@/lib/base/errors/input'
import { domainName } from '@/lib/base/mail/email-address'
import { OutboundError } from '@/lib/base/outbound/check-url'
import { txtRecordProblem } from '@/lib/base/outbound/guarded-agent'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { recordEvent, type SystemActor } from '@/lib/features/audit/record-event'
import type { AppDomain, OAuthClient } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { lockApp, type OAuthApp, requireApp } from './require-app'

type Addressed = Pick<OAuthClient, 'homepageUrl' | 'redirectUris'>

/**
 * Returns whether an app has a URL in a domain. The app's website or one of its redirect URIs must be an
 * https URL on the domain or a subdomain.
 */
const isAtHomeIn = (domain: string, { homepageUrl, redirectUris }: Addressed): boolean =>
  [homepageUrl ?? '', ...redirectUris].some((address) => {
    const url = URL.parse(address)
    return url?.protocol === 'https:' && (url.hostname === domain || url.hostname.endsWith(`.${domain}`))
  })

/** Returns the schema for a domain to verify. At least one of the app's URLs must be in the domain. */
const domainInput = (app: Addressed) =>
  z.object({
    domain: domainName.refine(
      (value) => isAtHomeIn(value, app),
      'Neither the app’s website nor any of its redirect URIs is an https URL in this domain.',
    ),
  })

type Claim = Pick<AppDomain, 'domain' | 'token'>

/**
 * Returns the proof of a domain and its two possible locations, a DNS record and a file. Developers need to
 * publish the proof in only one of these locations.
 */
export const proofOf = ({ domain, token }: Claim) => ({
  text: `latchkey-app=${token}`,
  record: `_latchkey.${domain}`,
  file: `https://${domain}/.well-known/latchkey-app.txt`,
})

/** The location where the proof was found, or a text that describes the problem. */
type Look = { found: 'DNS' | 'FILE' } | { problem: string }

/**
 * Returns where the proof of a domain was found, or the problem if it was not found. Requests the file only
 * if the proof is not in DNS.
 */
async function lookForProof(claim: Claim): Promise<Look> {
  const { text, record, file } = proofOf(claim)
  const inRecords = await txtRecordProblem(record, text)
  if (inRecords === undefined) return { found: 'DNS' }
  const inFile = await readProof(file, text).catch(problemOf)
  if (inFile === true) return { found: 'FILE' }
  return { problem: `${inRecords} ${inFile || 'The file does not contain the expected text.'}` }
}

/**
 * Returns whether the first 4,096 bytes of a file contain a text as one of their lines. Does not follow
 * redirects, because someone who can create redirects on a domain might not own it.
 * @throws OutboundError if the request fails or the response's status is not 200
 */
export async function readProof(address: string, text: string): Promise<boolean> {
  const { status, body } = await guardedFetch(address, { purpose: 'domain', maxBytes: 4_096, truncate: true })
  if (status !== 200) throw new OutboundError('network', `The server returned ${status} for the file.`)
  return body
    .toString('utf8')
    .split(/\r?\n/)
    .some((line) => line.trim() === text)
}

const problemOf = (error: unknown): string => {
  if (error instanceof OutboundError) return error.message
  throw error
}

/**
 * The limit on manual checks of an app's domain. There is a limit because each check sends requests to name
 * servers and a host that the user chooses.
 */
const looks: AttemptLimit = {
  name: 'check-domain',
  points: 30,
  seconds: 3600,
  message: 'The domain was checked too many times. DNS changes take time, so try again in an hour.',
}

/**
 * Returns the domain of each app, or null for an app without a domain. Runs one statement. The caller must
 * first check `workspace:manage-apps` for each app.
 */
export async function domainsOf(clientIds: readonly string[]): Promise<(AppDomain | null)[]> {
  const rows = await prisma().appDomain.findMany({ where: { clientId: { in: [...clientIds] } } })
  return clientIds.map((id) => rows.find(({ clientId }) => clientId === id) ?? null)
}

/**
 * Returns an app's domain as shown on the app's page, or null if the app has no domain. The caller must first
 * check `workspace:manage-apps`.
 */
export async function readDomain(clientId: string) {
  const [claim] = await domainsOf([clientId])
  if (!claim) return null
  const { domain, verifiedAt, checkedAt, problem, failingSince } = claim
  const countsUntil = failingSince && endOfGrace(failingSince)
  return { domain, proof: proofOf(claim), verifiedAt, checkedAt, problem, failingSince, countsUntil }
}

/**
 * The number of days that a verification remains valid after a check first finds that its proof is missing.
 * Short name-server outages then have no effect, and developers have time to fix their records.
 */
export const graceDays = 7

/** Returns the end of the grace period of a proof that has been missing since a given time. */
export const endOfGrace = (since: Date): Date => new Date(since.getTime() + graceDays * 86_400_000)

/**
 * Claims a domain for an app and replaces any earlier domain. Requires `workspace:manage-apps`. See ADR 0010.
 * @param input `domain`
 * @returns the app
 * @throws AppError BAD_USER_INPUT (an invalid domain, or a domain that contains none of the app's URLs),
 * NOT_FOUND, and the errors of `requireWorkspace`
 */
export async function claimDomain(actor: Actor, appId: string, input: unknown): Promise<OAuthApp> {
  const app = await requireApp(actor, appId)
  const { domain } = parseInput(domainInput(app), input)
  const fresh = { domain, token: randomBytes(16).toString('base64url') }
  await prisma().$transaction(async (tx) => {
    // Check the domain again, because the app's URLs might have changed since the app was read.
    parseInput(domainInput(await lockApp(tx, actor, app)), { domain })
    await dropDomain(tx, actor, app)
    await tx.appDomain.create({ data: { clientId: appId, ...fresh } })
    await recordEvent(tx, actor, {
      action: 'oauth_app.domain_set',
      resource: { type: 'oauth_app', id: appId },
      workspaceId: app.workspaceId,
      details: { name: app.name, domain },
    })
  })
  return app
}

/**
 * Checks for the proof of an app's domain now and stores the result. As in the daily check, the grace period
 * starts if the proof of a verified domain is missing. If only the daily check started the grace period,
 * frequent manual checks would postpone the daily check, and the grace period would never start. Requires
 * `workspace:manage-apps`.
 * @returns the app
 * @throws AppError CONFLICT (no domain is claimed), RATE_LIMITED, NOT_FOUND, and the errors of
 * `requireWorkspace`
 */
export async function verifyDomain(actor: Actor, appId: string): Promise<OAuthApp> {
  const app = await requireApp(actor, appId)
  const claim = await prisma().appDomain.findUnique({ where: { clientId: appId } })
  if (!claim) throw new AppError('CONFLICT', 'The app has no domain. Add one first.')
  await countAttempt(looks, appId)
  const proof = await lookForProof(claim)
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app)
    await noteLook(tx, actor, app, claim, proof)
  })
  return app
}

/**
 * Removes an app's domain and its verification. Does nothing if the app has no domain. Requires
 * `workspace:manage-apps`.
 * @throws the errors of `requireApp`
 */
export async function removeDomain(actor: Actor, appId: string): Promise<void> {
  const app = await requireApp(actor, appId)
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app)
    await dropDomain(tx, actor, app)
  })
}

/**
 * Removes an app's domain if it no longer contains any of the app's URLs.
 * @param app the app's current row
 */
export const dropStrayDomain = (tx: Db, actor: Actor, app: OAuthClient): Promise<void> =>
  dropDomain(tx, actor, app, (domain) => !isAtHomeIn(domain, app))

/** Returns a condition that matches only the checked claim, not a claim that has since replaced it. */
const same = ({ clientId, token }: AppDomain) => ({ clientId, token })

/**
 * Stores the result of a check. Records an event if the domain becomes verified, if the proof of a verified
 * domain is missing for the first time, or if the verification ends. Does nothing if the claim was removed or
 * replaced in the meantime.
 * @param claim the claim before the check
 */
async function noteLook(
  tx: Db,
  actor: Actor | SystemActor,
  app: Pick<OAuthClient, 'id' | 'name' | 'workspaceId'>,
  claim: AppDomain,
  proof: Look,
): Promise<void> {
  const now = new Date(databaseNow())
  const tell = (action: string, details: object) =>
    recordEvent(tx, actor, {
      action,
      resource: { type: 'oauth_app', id: app.id },
      workspaceId: app.workspaceId,
      details: { name: app.name, domain: claim.domain, ...details },
    })
  if ('found' in proof) {
    const { count } = await tx.appDomain.updateMany({
      where: same(claim),
      data: { checkedAt: now, problem: null, failingSince: null, verifiedAt: claim.verifiedAt ?? now },
    })
    if (count > 0 && !claim.verifiedAt) await tell('oauth_app.domain_verified', { by: proof.found })
    return
  }
  const { problem } = proof
  const missed = { checkedAt: now, problem }
  if (!claim.verifiedAt) {
    await tx.appDomain.updateMany({ where: same(claim), data: missed })
    return
  }
  const since = claim.failingSince ?? now
  const until = endOfGrace(since)
  const lost = now >= until
  const { count } = await tx.appDomain.updateMany({
    where: same(claim),
    data: { ...missed, failingSince: since, ...(lost ? { verifiedAt: null } : {}) },
  })
  if (count === 0 || (claim.failingSince && !lost)) return
  await tell(lost ? 'oauth_app.domain_lost' : 'oauth_app.domain_failing', {
    problem,
    until: until.toISOString(),
  })
}

/**
 * Removes an app's domain if `where` returns true for it, and records an event if the domain was verified.
 * After the removal, the existing DNS record or file is no longer a valid proof, because a new claim gets a
 * new token.
 * @param app the app's current row
 */
export async function dropDomain(
  tx: Db,
  actor: Actor,
  { id, name, workspaceId }: OAuthClient,
  where: (domain: string) => boolean = () => true,
): Promise<void> {
  const claim = await tx.appDomain.findUnique({ where: { clientId: id } })
  if (!claim || !where(claim.domain)) return
  const { count } = await tx.appDomain.deleteMany({ where: same(claim) })
  if (count === 0 || !claim.verifiedAt) return
  await recordEvent(tx, actor, {
    action: 'oauth_app.domain_removed',
    resource: { type: 'oauth_app', id },
    workspaceId,
    details: { name, domain: claim.domain },
  })
}

const day = 86_400_000

/** The maximum number of domains that a run checks. The next run checks the remaining domains. */
const portion = 200

/**
 * Checks the proofs of up to `portion` verified domains that were last checked at least a day ago. The
 * domains with the oldest checks come first. The app's admins are notified when a proof is missing for the
 * first time. If the proof is still missing after the grace period, the verification ends and the admins are
 * notified again. Called regularly. See ADR 0010.
 */
export async function renewDomains(): Promise<void> {
  const due = await prisma().appDomain.findMany({
    where: { verifiedAt: { not: null }, checkedAt: { lte: new Date(databaseNow() - day) } },
    orderBy: { checkedAt: 'asc' },
    take: portion,
  })
  await renewEach(due, renew)
}

/**
 * Renews the claims, up to ten at a time, so that a domain with an unresponsive server does not delay all
 * other domains.
 * @throws the first failure, after all renewals are done
 */
export async function renewEach<Claim>(
  claims: readonly Claim[],
  renewOne: (claim: Claim) => Promise<void>,
): Promise<void> {
  const limit = pLimit(10)
  const outcomes = await Promise.allSettled(claims.map((claim) => limit(renewOne, claim)))
  const failure = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (failure) throw failure.reason
}

async function renew(claim: AppDomain): Promise<void> {
  const proof = await lookForProof(claim)
  await prisma().$transaction(async (tx) => {
    const app = await tx.oAuthClient.findUnique({
      where: { id: claim.clientId },
      select: { id: true, name: true, workspaceId: true },
    })
    if (app) await noteLook(tx, { kind: 'system' }, app, claim, proof)
  })
}
