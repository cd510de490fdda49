import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { log } from '@/lib/base/log/log'
import { connectIdentity, removeIdentity } from '@/lib/features/identity/identities'
import { removePasskey } from '@/lib/features/identity/passkeys/manage-passkeys'
import { sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { sessionCookie } from '@/lib/features/identity/sessions/session-cookie'
import { startSession } from '@/lib/features/identity/sessions/start-session'
import { ssoConnectionNames } from '@/lib/features/sso/sso-connection'
import { whileUncommitted } from '@/lib/testing/concurrency'
import { makeUser, makeWorkspace, testPassword } from '@/lib/testing/factories'
import {
  cookiesOf,
  finishSignIn,
  startOwnProvider,
  startSignIn,
  visitProvider,
} from '@/lib/testing/own-provider'
import { startConnecting } from './external-sign-in'

await startOwnProvider()

const finish = (address: string, cookie: string) => finishSignIn(address, cookie)

/** Returns the user whom an account at the provider signs in. */
async function signsIn(userId: string): Promise<string | undefined> {
  const begun = await startSignIn()
  const answer = await finish(await visitProvider(begun, userId), cookiesOf(begun))
  return (await sessionFromCookies(cookiesOf(answer), {}))?.user.id
}

describe('an account at a provider', () => {
  /** Returns a signed-in user who starts to connect an account. */
  async function signedIn() {
    const user = await makeUser()
    const sid = await startSession({}, user.id, ['pwd'])
    return { user, sid, cookie: (await sessionCookie({ sub: user.id, sid })).split(';', 1)[0] as string }
  }
  const leave = (cookie: string, password = testPassword, origin = config().BASE_URL) =>
    startConnecting(
      new Request(`${config().BASE_URL}/login/connect/submit`, {
        method: 'POST',
        headers: { origin, cookie },
        body: new URLSearchParams({ provider: 'oidc', password, next: 'https://evil.example' }),
      }),
    )
  const identitiesOf = (userId: string) =>
    prisma().identity.findMany({ where: { userId }, select: { provider: true, subject: true } })

  it('is connected to the user who started the connection, regardless of the email address, and then signs in that user', async () => {
    const [here, there] = [await signedIn(), await makeUser()]
    const begun = await leave(here.cookie)
    const answer = await finish(await visitProvider(begun, there.id), `${cookiesOf(begun)}; ${here.cookie}`)
    expect(answer.headers.get('location')).toBe('/account/security')
    expect(await identitiesOf(here.user.id)).toEqual([{ provider: 'oidc', subject: there.id }])
    expect(await signsIn(there.id)).toBe(here.user.id)
  })

  it('can be connected only with the user’s password, in a session, and from a form on this instance', async () => {
    const { cookie } = await signedIn()
    expect((await leave(cookie, 'guessed')).headers.get('location')).toMatch(
      /^\/login\/connect\?error=bad_user_input&provider=oidc$/,
    )
    expect((await leave('')).headers.get('location')).toBe('/login?next=%2Faccount%2Fsecurity')
    expect((await leave(cookie, testPassword, 'https://evil.example')).status).toBe(403)
  })

  it('is not connected in another browser, in another session, or after a sign-out', async () => {
    const [attacker, victim] = [await signedIn(), await signedIn()]
    const own = await makeUser()
    for (const cookie of [victim.cookie, (await signedIn()).cookie, '']) {
      const begun = await leave(attacker.cookie)
      const address = await visitProvider(begun, own.id)
      const answer = await finish(address, `${cookiesOf(begun)}; ${cookie}`)
      expect(answer.headers.get('location')).toBe('/login?next=%2Faccount%2Fsecurity')
    }
    const begun = await leave(attacker.cookie)
    const address = await visitProvider(begun, own.id)
    await prisma().session.updateMany({ where: { id: attacker.sid }, data: { revokedAt: new Date() } })
    await finish(address, `${cookiesOf(begun)}; ${attacker.cookie}`)
    expect(await prisma().identity.count({ where: { subject: own.id } })).toBe(0)
  })

  it('is not connected if it already signs in another user or if the response has the wrong state', async () => {
    const [here, there] = [await signedIn(), await makeUser()]
    await prisma().identity.create({ data: { provider: 'oidc', subject: there.id, userId: there.id } })
    const begun = await leave(here.cookie)
    const answer = await finish(await visitProvider(begun, there.id), `${cookiesOf(begun)}; ${here.cookie}`)
    expect(answer.headers.get('location')).toBe('/login/connect?provider=oidc&error=connected_elsewhere')
    const other = await leave(here.cookie)
    const address = new URL(await visitProvider(other, (await makeUser()).id))
    address.searchParams.set('state', 'another')
    vi.spyOn(log, 'warn').mockImplementation(() => {})
    const changed = await finish(address.href, `${cookiesOf(other)}; ${here.cookie}`)
    expect(changed.headers.get('location')).toBe('/login/connect?provider=oidc&error=failed')
    expect(await identitiesOf(here.user.id)).toEqual([])
  })

  it('is connected once if the same user connects it twice at the same moment, and only to the first of two users', async () => {
    const [here, other] = [await signedIn(), await signedIn()]
    const actorOf = ({ user, sid }: typeof here) =>
      ({ kind: 'session', userId: user.id, sessionId: sid, instanceAdmin: false }) as const
    const connectMeanwhile = (second: typeof here, subject: string) => {
      const first = `INSERT INTO identities (provider, subject, user_id) VALUES ('oidc', $1, $2)`
      const connect = () => connectIdentity(actorOf(second), { provider: 'oidc', subject })
      return whileUncommitted([[first, [subject, here.user.id]]], connect, 'identities')
    }
    const [one, two] = [randomUUID(), randomUUID()]
    expect(await connectMeanwhile(here, one)).toBe('ok')
    expect(await connectMeanwhile(other, two)).toBe('CONFLICT')
    expect((await identitiesOf(here.user.id)).map(({ subject }) => subject).sort()).toEqual([one, two].sort())
    expect(await identitiesOf(other.user.id)).toEqual([])

    const three = { provider: 'oidc', subject: randomUUID() }
    await Promise.all([connectIdentity(actorOf(here), three), connectIdentity(actorOf(here), three)])
    const where = { action: 'user.identity_connected', resourceId: here.user.id }
    expect(await prisma().auditEvent.count({ where })).toBe(1)
  })

  it('can be removed with the user’s password unless it is the last sign-in method', async () => {
    const { user, sid } = await signedIn()
    const actor = { kind: 'session', userId: user.id, sessionId: sid, instanceAdmin: false } as const
    const connect = (subject: string) =>
      prisma().identity.create({ data: { provider: 'oidc', subject, userId: user.id } })
    const remove = (subject: string, password = '') =>
      removeIdentity(actor, { provider: 'oidc', subject, password })
    const [one, two] = [randomUUID(), randomUUID()]
    await connect(one)
    await expect(remove(one)).rejects.toMatchObject({ details: { field: 'password' } })
    await remove(one, testPassword)
    await expect(remove(one)).rejects.toMatchObject({ code: 'NOT_FOUND' })

    await connect(one)
    await connect(two)
    await prisma().user.update({ where: { id: user.id }, data: { passwordHash: null } })
    const removed = await Promise.allSettled([remove(one), remove(two)])
    expect(removed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const passkey = await prisma().passkey.create({
      data: { id: randomUUID(), userId: user.id, name: 'Key', publicKey: new Uint8Array(1) },
    })
    const [left] = await identitiesOf(user.id)
    await remove(left?.subject ?? '')
    await expect(removePasskey(actor, passkey.id, {})).rejects.toMatchObject({ code: 'CONFLICT' })
    // No one can sign in through a provider that is no longer configured.
    await prisma().identity.create({ data: { provider: 'github', subject: one, userId: user.id } })
    await expect(removePasskey(actor, passkey.id, {})).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('for an SSO connection is listed with the workspace’s name, and can be removed unless it is the last sign-in method', async () => {
    const { user, sid } = await signedIn()
    const actor = { kind: 'session', userId: user.id, sessionId: sid, instanceAdmin: false } as const
    const { id, name } = await makeWorkspace([[user, 'ADMIN']])
    const sso = { provider: `workspace:${id}`, subject: randomUUID() }
    await prisma().identity.create({ data: { ...sso, userId: user.id } })
    expect(await ssoConnectionNames(['oidc', sso.provider])).toEqual([{ id: sso.provider, name }])
    await prisma().user.update({ where: { id: user.id }, data: { passwordHash: null } })
    await expect(removeIdentity(actor, sso)).rejects.toMatchObject({ code: 'CONFLICT' })
    await prisma().identity.create({
      data: { provider: 'oidc', subject: randomUUID(), userId: user.id },
    })
    await removeIdentity(actor, sso)
    expect((await identitiesOf(user.id)).map(({ provider }) => provider)).toEqual(['oidc'])
  })

  it('cannot be removed by another user', async () => {
    const [here, other] = [await signedIn(), await signedIn()]
    const subject = randomUUID()
    await prisma().identity.create({ data: { provider: 'oidc', subject, userId: here.user.id } })
    const actor = {
      kind: 'session',
      userId: other.user.id,
      sessionId: other.sid,
      instanceAdmin: false,
    } as const
    await expect(
      removeIdentity(actor, { provider: 'oidc', subject, password: testPassword }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await identitiesOf(here.user.id)).toHaveLength(1)
  })
})
