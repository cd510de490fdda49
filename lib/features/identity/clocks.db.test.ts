import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { measureClockOffset } from '@/lib/base/db/clock'
import { prisma } from '@/lib/base/db/prisma'
import { makeUser } from '@/lib/testing/factories'
import { findEmailToken, mintEmailToken } from './email/email-tokens'
import { spendChallenge, storeChallenge } from './passkeys/challenges'
import { startSession } from './sessions/start-session'
import { requireFreshSignIn } from './two-factor/require-password'

const minute = 60_000

/**
 * Simulates a replica whose clock is off by some minutes, and measures the offset from the database clock.
 */
async function atReplica(minutes: number): Promise<void> {
  vi.useRealTimers()
  if (minutes !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * minute })
  await measureClockOffset()
}
afterEach(() => atReplica(0))

describe.each([
  [0, 20],
  [-20, 0],
  [20, -20],
  [-20, 20],
])('replicas with clocks that are off by %i and %i minutes', (first, second) => {
  it('accept passkey responses to each other’s challenges', async () => {
    const challenge = randomUUID()
    await atReplica(first)
    await storeChallenge(challenge, 'sign-in')
    await atReplica(second)
    expect(await spendChallenge(challenge, 'sign-in')).toBe(true)
  })

  it('reject a challenge that has expired', async () => {
    const challenge = randomUUID()
    await atReplica(first)
    await storeChallenge(challenge, 'sign-in')
    await prisma().$executeRaw`UPDATE webauthn_challenges SET expires_at = expires_at - interval '6 minutes'`
    await atReplica(second)
    expect(await spendChallenge(challenge, 'sign-in')).toBe(false)
  })

  it('accept each other’s emailed links for one hour', async () => {
    const { id: userId, email } = await makeUser()
    await atReplica(first)
    const token = await mintEmailToken(prisma(), {
      purpose: 'RESET_PASSWORD',
      userId,
      email: email as string,
    })
    await atReplica(second)
    const ageBy = async (minutes: number) => {
      const { expiresAt } = await prisma().emailToken.findFirstOrThrow({ where: { userId } })
      const sooner = new Date(expiresAt.getTime() - minutes * 60_000)
      await prisma().emailToken.updateMany({ where: { userId }, data: { expiresAt: sooner } })
    }
    await ageBy(50)
    expect(await findEmailToken('RESET_PASSWORD', token)).toMatchObject({ email })
    await ageBy(11)
    expect(await findEmailToken('RESET_PASSWORD', token)).toBeUndefined()
  })

  it('agree on the age of a sign-in', async () => {
    const { id: userId } = await makeUser()
    await atReplica(first)
    const sessionId = await startSession({}, userId, ['ext'])
    await atReplica(second)
    const actor = { kind: 'session', userId, sessionId, instanceAdmin: false } as const
    await requireFreshSignIn(actor)
    const { createdAt } = await prisma().session.findUniqueOrThrow({ where: { id: sessionId } })
    const earlier = new Date(createdAt.getTime() - 16 * 60_000)
    await prisma().session.update({ where: { id: sessionId }, data: { createdAt: earlier } })
    await expect(requireFreshSignIn(actor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
