import { expect, it } from 'vitest'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { removeLogo } from '@/lib/features/apps/change-logo'
import { updateApp } from '@/lib/features/apps/update-app'
import { clearPersonalWorkspace } from '@/lib/features/identity/users/reset-password'
import { decideVerification, setAppDisabled } from '@/lib/features/instance-admin/manage-apps'
import type { SessionActor } from '@/lib/policy/actor'
import { countStatements } from '@/lib/testing/count-statements'
import { makeClient, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { saveClient } from './clients'
import { loadSnapshot } from './snapshot'

const user = await makeUser({ instanceAdmin: true })
const workspace = await makeWorkspace([[user, 'ADMIN']])
await prisma().workspace.update({ where: { id: workspace.id }, data: { personalOwnerId: user.id } })
const actor: SessionActor = {
  kind: 'session',
  userId: user.id,
  sessionId: crypto.randomUUID(),
  instanceAdmin: true,
}
const { client } = await makeClient(workspace, { metadata: { jwks: { keys: [{ kty: 'EC' }] } } })
const { id } = client

const read = async () => (await loadSnapshot(id, null)).client

/** Sets a fixed update time, as if all changes happened within one millisecond. */
const stopClock = () =>
  pool().query(`UPDATE oauth_clients SET updated_at = '2026-01-01Z' WHERE id = $1`, [id])

const changes: [string, () => Promise<unknown>][] = [
  ['the app’s name', () => updateApp(actor, id, { name: 'Renamed' })],
  ['the app’s logo', () => removeLogo(actor, id, 'light')],
  ['the app’s logo for dark mode', () => removeLogo(actor, id, 'dark')],
  [
    'the app’s verification',
    async () => {
      const { version } = await prisma().oAuthClient.findUniqueOrThrow({ where: { id } })
      await decideVerification(actor, id, { decision: 'verify', version })
    },
  ],
  ['the app’s disabled state', () => setAppDisabled(actor, id, true)],
  [
    'the app’s keys after an account takeover',
    () => prisma().$transaction((tx) => clearPersonalWorkspace(tx, { kind: 'system' }, user.id)),
  ],
  [
    'the app’s registration',
    () => saveClient(id, { client_name: 'Renamed', redirect_uris: ['https://new.example/'] }),
  ],
]

it.each(changes)(
  'loadSnapshot detects a change to %s even if the timestamp stays the same',
  async (_what, change) => {
    await stopClock()
    const before = await read()
    expect(await read()).toBe(before)
    await change()
    await stopClock()
    const after = await read()
    expect(after).not.toBe(before)
    expect(await read()).toBe(after)
  },
)

it('loadSnapshot detects changes that do not increment the version, such as manual SQL', async () => {
  await stopClock()
  const before = await read()
  await prisma().oAuthClient.update({ where: { id }, data: { name: 'By an older process' } })
  const renamed = await read()
  expect([before?.name, renamed?.name]).toEqual(['Renamed', 'By an older process'])
  await pool().query('UPDATE oauth_clients SET disabled_at = now() WHERE id = $1', [id])
  expect((await read())?.disabled).toBe(true)
})

it('loadSnapshot does not query tokens if the request presents none', async () => {
  const { value, statements } = await countStatements(read)
  expect(value?.id).toBe(id)
  expect(statements.length).toBeGreaterThan(0)
  for (const text of statements) expect(text).not.toContain('oauth_artifacts')
})
