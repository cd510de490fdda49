import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { removeDemo } from '@/lib/features/demo/remove-demo'
import { deleteAccount } from '@/lib/features/identity/delete-account'
import { endOwnSession } from '@/lib/features/identity/sessions/end-session'
import type { SessionActor } from '@/lib/policy/actor'
import { makePerson, testPassword } from '@/lib/testing/factories'
import { eventually, startLogoutWorld } from '@/lib/testing/logout-world'
import { startOAuthWorld } from '@/lib/testing/oauth-world'

/** Accounts end with their sessions and sign-ins; the apps are told all the same (OpenID Connect Back-Channel Logout). */
await startOAuthWorld()
const { answer, heard, jobs, sids, signedIn, signInAnew } = await startLogoutWorld()

const remove = async (actor: SessionActor, password = testPassword) => {
  const { email } = await prisma().user.findUniqueOrThrow({ where: { id: actor.userId } })
  return deleteAccount(actor, { confirm: email, password })
}

it('tells an app of each sign-in of a person who deletes their account, and of nobody else’s', async () => {
  const { app, actor: other } = await signedIn()
  const person = await makePerson()
  const [one, two] = [await signInAnew({ person }, app), await signInAnew({ person }, app)]
  await remove(one.actor)
  await eventually(() => expect(sids().sort()).toEqual([one.idToken.sid, two.idToken.sid].sort()))
  const told = decodeJwt(heard[0] as string)
  expect(told).toMatchObject({ sub: person.id, aud: app.clientId })
  const left = await prisma().appSignIn.findMany({ where: { clientId: app.clientId } })
  expect(left).toMatchObject([{ sessionId: other.sessionId, endedAt: null }])
})

it('goes on telling it what it could not be told before', async () => {
  const { app } = await signedIn()
  const person = await makePerson()
  const [ended, going] = [await signInAnew({ person }, app), await signInAnew({ person }, app)]
  answer.status = 503
  await endOwnSession(ended.actor)
  await eventually(() => expect(heard).toHaveLength(1))
  const { id } = await prisma().appSignIn.findFirstOrThrow({ where: { sessionId: ended.actor.sessionId } })
  const earlier = () => jobs.getJobById('backchannel-logout', id)
  await eventually(async () => expect(await earlier()).toMatchObject({ state: 'retry' }))
  answer.status = 200
  await remove(going.actor)
  await eventually(() =>
    expect(new Set(sids().slice(1))).toEqual(new Set([ended.idToken.sid, going.idToken.sid])),
  )
})

it('says nothing where the account stays', async () => {
  const { app } = await signedIn()
  const person = await makePerson()
  const { actor, idToken } = await signInAnew({ person }, app)
  await expect(remove(actor, 'guessed')).rejects.toMatchObject({ details: { field: 'password' } })
  await endOwnSession(actor)
  await eventually(() => expect(sids()).toEqual([idToken.sid]))
})

it('tells the apps to which people of the demo were signed in', async () => {
  await makePerson({ instanceAdmin: true })
  const { app } = await signedIn()
  const person = await makePerson()
  await prisma().user.update({ where: { id: person.id }, data: { demo: true } })
  const { idToken } = await signInAnew({ person }, app)
  await removeDemo()
  await eventually(() => expect(sids()).toEqual([idToken.sid]))
})
