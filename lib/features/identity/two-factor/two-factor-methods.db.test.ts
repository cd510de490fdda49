import { beforeEach, describe, expect, it, vi } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { makeFactorWorld, makePasskey } from '@/lib/testing/factor-world'
import { testPassword } from '@/lib/testing/factories'
import { lockWaits } from '@/lib/testing/lock-waits'
import { renewRecoveryCodes } from './enroll-totp'
import { changeFactors, lockSignInMethods, twoFactorMethods } from './two-factor-methods'

/** Tests concurrent changes to two-factor methods. */
let world: Awaited<ReturnType<typeof makeFactorWorld>>
beforeEach(async () => {
  world = await makeFactorWorld()
})

describe('a change to two-factor methods', () => {
  it('creates no recovery codes if the last method is removed at the same time', async () => {
    const userId = world.user.id
    await makePasskey(userId)
    const { renewing } = await prisma().$transaction(
      async (tx) => {
        await lockSignInMethods(tx, userId)
        await tx.passkey.deleteMany({ where: { userId } })
        const renewing = Promise.allSettled([renewRecoveryCodes(world.session, { password: testPassword })])
        await vi.waitFor(async () => expect(await lockWaits('users')).toBe(1), { timeout: 15_000 })
        return { renewing }
      },
      { timeout: 30_000 },
    )
    expect(await renewing).toMatchObject([{ status: 'rejected', reason: { code: 'CONFLICT' } }])
    expect(await twoFactorMethods(userId)).toMatchObject({ recoveryCodes: 0, enrolled: false })
  })

  it('is retried after PostgreSQL aborts it to resolve a deadlock', async () => {
    const deadlock = Object.assign(new Error('deadlock detected'), { code: 'P2034' })
    const work = vi.fn(async () => ({ answer: 'done' })).mockRejectedValueOnce(deadlock)
    expect(await changeFactors(world.session, { name: 'passkey:rename' }, work)).toBe('done')
    expect(work).toHaveBeenCalledTimes(2)
  })
})
