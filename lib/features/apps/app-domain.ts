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

/** Whether an app is at home in a domain: its website or one of its redirect URIs is an https address there or below. */
const isAtHomeIn = (domain: string, { homepageUrl, redirectUris }: Addressed): boolean =>
  [homepageUrl ?? '', ...redirectUris].some((address) => {
    const url = URL.parse(address)
    return url?.protocol === 'https:' && (url.hostname === domain || url.hostname.endsWith(`.${domain}`))
  })

/** A domain to be proven: one that the app is at home in. */
const domainInput = (app: Addressed) =>
  z.object({
    domain: domainName.refine(
      (value) => isAtHomeIn(value, app),
      'Neither the website nor a redirect URI of the app is an https address in this domain.',
    ),
  })

type Claim = Pick<AppDomain, 'domain' | 'token'>

/** What proves a domain, and where it is looked for: a DNS record, or a file. Either will do. */
export const proofOf = ({ domain, token }: Claim) => ({
  text: `latchkey-app=${token}`,
  record: `_latchkey.${domain}`,
  file: `https://${domain}/.well-known/latchkey-app.txt`,
})

/** Where a proof was found, or a sentence about what was found instead. */
type Look = { found: 'DNS' | 'FILE' } | { problem: string }

/** Looks for the proof of a domain, by DNS first. */
async function lookForProof(claim: Claim): Promise<Look> {
  const { text, record, file } = proofOf(claim)
  const inRecords = await txtRecordProblem(record, text)
  if (inRecords === undefined) return { found: 'DNS' }
  const inFile = await readProof(file, text).catch(problemOf)
  if (inFile === true) return { found: 'FILE' }
  return { problem: `${inRecords} ${inFile || 'The file does not say what it should.'}` }
}

/**
 * Whether the file at an address holds a text as one of its lines. A redirect is not followed: whoever may send people on from
 * a domain need not own it.
 * @throws OutboundError
 */
export async function readProof(address: string, text: string): Promise<boolean> {
  const { status, body } = await guardedFetch(address, { purpose: 'domain', maxBytes: 4_096, truncate: true })
  if (status !== 200) throw new OutboundError('network', `The file request returned ${status}.`)
  return body
    .toString('utf8')
    .split(/\r?\n/)
    .some((line) => line.trim() === text)
}

const problemOf = (error: unknown): string => {
  if (error instanceof OutboundError) return error.message
  throw error
}

/** Each look asks name servers and a host that somebody named. */
const looks: AttemptLimit = {
  name: 'check-domain',
  points: 30,
  seconds: 3600,
  message: 'This was checked too many times. Try again in an hour: DNS changes take time.',
}

/** The domains of several apps, null where there is none. The caller has required `workspace:manage-apps` for each. One statement. */
export async function domainsOf(clientIds: readonly string[]): Promise<(AppDomain | null)[]> {
  const rows = await prisma().appDomain.findMany({ where: { clientId: { in: [...clientIds] } } })
  return clientIds.map((id) => rows.find(({ clientId }) => clientId === id) ?? null)
}

/** An app's domain as its page shows it. The caller has required `workspace:manage-apps`. */
export async function readDomain(clientId: string) {
  const [claim] = await domainsOf([clientId])
  if (!claim) return null
  const { domain, verifiedAt, checkedAt, problem, failingSince } = claim
  const countsUntil = failingSince && endOfGrace(failingSince)
  return { domain, proof: proofOf(claim), verifiedAt, checkedAt, problem, failingSince, countsUntil }
}

/** A proof that was not found any more counts for so long, since records are mended and name servers have bad days. */
export const graceDays = 7

/** Until when a proof still counts that has not been found since a moment. */
export const endOfGrace = (since: Date): Date => new Date(since.getTime() + graceDays * 86_400_000)

/**
 * Claims a domain for an app, in place of an earlier one. Requires `workspace:manage-apps`. See ADR 0013.
 * @param input `domain`
 * @returns the app
 * @throws AppError BAD_USER_INPUT (no domain, or one in which the app has no address), NOT_FOUND, and as `authorizeWorkspace`
 */
export async function claimDomain(actor: Actor, appId: string, input: unknown): Promise<OAuthApp> {
  const app = await requireApp(actor, appId)
  const { domain } = parseInput(domainInput(app), input)
  const fresh = { domain, token: randomBytes(16).toString('base64url') }
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app)
    // The addresses of the app might have changed since they were read.
    parseInput(domainInput(await tx.oAuthClient.findUniqueOrThrow({ where: { id: appId } })), { domain })
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
 * Looks for the proof of an app's domain now and stores the result. A missing proof starts the grace period of a verified
 * domain as the daily check does, so that checking by hand does not replace that check. Requires `workspace:manage-apps`.
 * @returns the app
 * @throws AppError CONFLICT (no domain is claimed), RATE_LIMITED, NOT_FOUND, and as `authorizeWorkspace`
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

/** Takes the domain of an app away, and the mark with it. Takes `workspace:manage-apps`. @throws as `requireApp` */
export async function removeDomain(actor: Actor, appId: string): Promise<void> {
  const app = await requireApp(actor, appId)
  await prisma().$transaction(async (tx) => {
    await lockApp(tx, actor, app)
    await dropDomain(tx, actor, app)
  })
}

/** Takes the domain away from an app that moved out of it. @param app as it is now */
export const dropStrayDomain = (tx: Db, actor: Actor, app: OAuthClient): Promise<void> =>
  dropDomain(tx, actor, app, (domain) => !isAtHomeIn(domain, app))

/** Matches the claim that was checked, and no claim that has replaced it since. */
const same = ({ clientId, token }: AppDomain) => ({ clientId, token })

/**
 * Stores the result of a look for the proof of a domain. A domain that becomes verified, starts to fail, or is lost is an
 * event.
 * @param claim as it was before the look
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

/** Removes the domain of an app. Its owner's record or file proves nothing from then on. @param app as it is now */
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

/** Looked at in one run; the next takes what is left. */
const portion = 200

/**
 * Looks again for the proofs of domains, each once a day. Admins are told of one that is gone when that is first noticed; after a
 * grace the mark is gone as well. Runs regularly.
 * See ADR 0013.
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
 * Renews several claims at a time, so that a domain whose server hangs does not delay the others.
 * @throws what the first failure was, after all others are done
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
