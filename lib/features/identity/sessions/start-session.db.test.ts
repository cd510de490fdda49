import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { readMailbox } from '@/lib/base/mail/send-mail'
import { settleBackgroundWork } from '@/lib/base/process/background'
import { makeUser } from '@/lib/testing/factories'
import { endOwnSession } from './end-session'
import { emailNewSignIn, startSession } from './start-session'

const linux = { ip: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko Firefox/130.0' }
const windows = { ip: '198.51.100.9', userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/120.0 Safari/537.36' }

let user: Awaited<ReturnType<typeof makeUser>>
beforeEach(async () => {
  vi.stubEnv('SEED_DEMO', '1')
  resetConfig()
  user = await makeUser()
})
afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

const signIn = (from: typeof linux) => startSession(from, user.id, ['pwd'])
async function mailsAfter(...sessions: string[]) {
  await Promise.all(sessions.map(emailNewSignIn))
  await settleBackgroundWork()
  return readMailbox(user.email)
}

describe('a sign-in', () => {
  it('is reported only once for each new place, and never if it is the user’s first sign-in', async () => {
    expect(await mailsAfter(await signIn(linux))).toEqual([])
    expect(await mailsAfter(await signIn(linux))).toEqual([])
    const [mail] = await mailsAfter(await signIn(windows))
    expect(mail?.subject).toContain('New sign-in')
    expect(mail?.text).toContain('Chrome on Windows')
    expect(mail?.text).toContain('198.51.100.9')
    expect(await mailsAfter(await signIn(windows))).toHaveLength(1)
  })

  it('is reported only once if several sign-ins come from the same new place at the same moment', async () => {
    await signIn(linux)
    const several = await Promise.all([signIn(windows), signIn(windows), signIn(windows)])
    expect(await mailsAfter(...several)).toHaveLength(1)
  })

  it('prevents another report for the same place, even after a sign-out', async () => {
    await signIn(linux)
    const sessionId = await signIn(windows)
    await endOwnSession({ kind: 'session', userId: user.id, sessionId, instanceAdmin: false })
    expect(await mailsAfter(await signIn(windows))).toEqual([])
  })

  it('does not prevent a report to another user who signs in from the same place', async () => {
    const other = await makeUser()
    await startSession(windows, other.id, ['pwd'])
    await signIn(linux)
    expect(await mailsAfter(await signIn(windows))).toHaveLength(1)
  })

  it('is reported in the user’s language, without text that the browser sent', async () => {
    await prisma().user.update({ where: { id: user.id }, data: { language: 'de' } })
    await signIn(linux)
    const [mail] = await mailsAfter(
      await signIn({ ip: '203.0.113.5', userAgent: 'Call 555 at https://evil.example' }),
    )
    expect(mail?.subject).toContain('Neue Anmeldung')
    expect(mail?.text).not.toContain('evil')
  })
})
