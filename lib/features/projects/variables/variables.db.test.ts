import { expect, it } from 'vitest'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import type { Actor } from '@/lib/policy/actor'
import { makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { createEnvironment } from '../environments'
import { listVariableNames, readVariable } from '../read-variables'
import { setVariable } from '../set-variables'

const asSession = (user: { id: string }): Actor => ({
  kind: 'session',
  userId: user.id,
  sessionId: 's',
  instanceAdmin: false,
})

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error) => (isAppError(error) ? error.code : Promise.reject(error)),
  )

async function makeWorld() {
  const [member, viewer] = [await makeUser(), await makeUser()]
  const workspace = await makeWorkspace([
    [member, 'MEMBER'],
    [viewer, 'VIEWER'],
  ])
  const project = await makeProject(workspace)
  const [live, test] = [
    await createEnvironment(asSession(member), { projectId: project.id, name: 'live' }),
    await createEnvironment(asSession(member), { projectId: project.id, name: 'test' }),
  ]
  return { member: asSession(member), viewer: asSession(viewer), workspace, project, live, test }
}

it('members can read a variable’s value, and viewers can read only the names of variables', async () => {
  const { member, viewer, project, live, test } = await makeWorld()
  await setVariable(member, { environmentId: live.id, name: 'B', value: 'of live' })
  await setVariable(member, { environmentId: live.id, name: 'A', value: '' })
  await setVariable(member, { environmentId: test.id, name: 'B', value: 'of test' })
  const read = (actor: Actor, name: string) => readVariable(actor, { environmentId: live.id, name })
  expect(await read(member, 'B')).toBe('of live')
  expect(await codeOf(read(member, 'C'))).toBe('NOT_FOUND')
  expect(await codeOf(read(viewer, 'B'))).toBe('FORBIDDEN')
  const names = await listVariableNames(viewer, project.id, [test.id, live.id])
  expect(names.map((each) => each.map(({ name }) => name))).toEqual([['B'], ['A', 'B']])
  expect(JSON.stringify(names)).not.toContain('ealed')

  const other = await makeWorld()
  expect(await listVariableNames(other.viewer, other.project.id, [live.id])).toEqual([[]])
  expect(await codeOf(readVariable(other.member, { environmentId: live.id, name: 'B' }))).toBe('NOT_FOUND')
})

it('sessions without 2FA cannot read variables if the workspace requires 2FA', async () => {
  const { member, workspace, live } = await makeWorld()
  await setVariable(member, { environmentId: live.id, name: 'A', value: 'a' })
  await prisma().workspace.update({ where: { id: workspace.id }, data: { requireTwoFactor: true } })
  const read = (actor: Actor) => codeOf(readVariable(actor, { environmentId: live.id, name: 'A' }))
  expect(await read(member)).toBe('FORBIDDEN')
  expect(await read({ ...member, twoFactor: true })).toBe('ok')
})
