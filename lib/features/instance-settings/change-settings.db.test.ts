import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { config, resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { makeUser } from '@/lib/testing/factories'
import { changeSettings, listChangeable } from './change-settings'
import { loadSettings } from './load-settings'

let instanceAdmin: SessionActor

beforeEach(async () => {
  const { id } = await makeUser({ instanceAdmin: true })
  instanceAdmin = { kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: true }
})

afterEach(async () => {
  await prisma().changedSetting.deleteMany()
  setChangedSettings({})
  vi.unstubAllEnvs()
  resetConfig()
})

/** Returns the settings that another process would read, or that this process would read after a restart. */
const inAnotherProcess = async () => {
  setChangedSettings({})
  await loadSettings()
  return config()
}

const shown = (name: string) =>
  [...listChangeable(instanceAdmin, 'sign-in'), ...listChangeable(instanceAdmin, 'apps')]
    .flatMap(({ settings }) => settings)
    .find((setting) => setting.name === name)

describe('an instance setting', () => {
  it('takes effect immediately in this process and at the next load in others, and each change is recorded with both values', async () => {
    await changeSettings(instanceAdmin, { sessionDays: ' 030 ', restoreDays: '7' })
    expect(config().sessionDays).toBe(30)
    // Earlier releases read the setting by this name.
    expect(await prisma().changedSetting.findMany({ select: { name: true } })).toEqual([
      { name: 'SESSION_DAYS' },
    ])
    expect((await inAnotherProcess()).sessionDays).toBe(30)
    await changeSettings(instanceAdmin, { sessionDays: '30' })
    await changeSettings(instanceAdmin, { sessionDays: '' })
    expect((await inAnotherProcess()).sessionDays).toBe(14)
    const events = await prisma().auditEvent.findMany({
      where: { userId: instanceAdmin.userId },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'setting.changed', details: { name: 'sessionDays', from: '14', to: '30' } },
      { action: 'setting.changed', details: { name: 'sessionDays', from: '30', to: '14' } },
    ])
  })

  it('is no longer stored after it is set back to the default', async () => {
    await changeSettings(instanceAdmin, { workspaceApps: 'own' })
    await changeSettings(instanceAdmin, { workspaceApps: 'open' })
    expect(await prisma().changedSetting.count()).toBe(0)
  })

  it('is not changed if any submitted value is invalid, and each invalid field gets an error', async () => {
    const wrong = { sessionDays: '0', refreshTokenDays: 'long', restoreDays: '3' }
    await expect(changeSettings(instanceAdmin, wrong)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: {
        fields: {
          sessionDays: 'This must be a number between 1 and 365.',
          refreshTokenDays: 'This must be a number between 1 and 3650.',
        },
      },
    })
    expect(config().restoreDays).toBe(7)
  })

  it('can change the branding, but cannot set an accent color that is hard to see', async () => {
    const white = changeSettings(instanceAdmin, { accentColor: '#ffffff', serviceName: 'Acme ID' })
    await expect(white).rejects.toMatchObject({
      details: { fields: { accentColor: expect.stringContaining('Choose a darker one, such as #') } },
    })
    expect(config().serviceName).toBe('Latchkey')
    await changeSettings(instanceAdmin, {
      serviceName: ' Acme ID ',
      mailFooter: 'Acme Inc.\r\n1 Main Street',
    })
    expect(config()).toMatchObject({ serviceName: 'Acme ID', mailFooter: 'Acme Inc.\n1 Main Street' })
    const [look] = listChangeable(instanceAdmin, 'branding')
    expect(look?.settings[0]).toMatchObject({ name: 'serviceName', value: 'Acme ID', fallback: 'Latchkey' })
  })

  it('cannot be empty if another setting requires it', async () => {
    const open = { metadataDocuments: 'hosts', metadataDocumentHosts: ' ' }
    await expect(changeSettings(instanceAdmin, open)).rejects.toMatchObject({
      details: { fields: { metadataDocumentHosts: 'Add at least one entry.' } },
    })
    await changeSettings(instanceAdmin, { ...open, metadataDocumentHosts: 'Claude.ai\n*.example.com' })
    expect(config().metadataDocumentHosts).toEqual(['claude.ai', '*.example.com'])
  })

  it.each([
    ['LATCHKEY_SETTINGS', '{"sessionDays": {"value": 5, "locked": true}}', 'sessionDays', '30', '5'],
    ['WORKSPACE_APPS', 'own', 'workspaceApps', 'approved', 'own'],
  ])('cannot be changed if it is locked by %s', async (variable, said, key, changed, locked) => {
    await changeSettings(instanceAdmin, { [key]: changed })
    vi.stubEnv(variable, said)
    resetConfig()
    expect(config()).toMatchObject({ [key]: key === 'sessionDays' ? Number(locked) : locked })
    expect(shown(key)).toMatchObject({ value: locked, lockedBy: variable })
    await expect(changeSettings(instanceAdmin, { [key]: changed, restoreDays: '3' })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: {
        fields: { [key]: `${variable} sets this in the environment. Change it there.` },
      },
    })
    await changeSettings(instanceAdmin, { [key]: locked })
    expect(await prisma().changedSetting.findMany({ select: { value: true } })).toEqual([{ value: changed }])
  })

  it('has the default from LATCHKEY_SETTINGS until an instance admin changes it', async () => {
    vi.stubEnv('LATCHKEY_SETTINGS', '{"sessionDays": 5}')
    resetConfig()
    expect(shown('sessionDays')).toMatchObject({ value: '5', fallback: '5', lockedBy: undefined })
    await changeSettings(instanceAdmin, { sessionDays: '14' })
    expect(config().sessionDays).toBe(14)
    await changeSettings(instanceAdmin, { sessionDays: '' })
    expect(config().sessionDays).toBe(5)
    expect(await prisma().changedSetting.count()).toBe(0)
  })

  it('is not stored if only the environment can set it, and has the default value if the stored value is invalid', async () => {
    await changeSettings(instanceAdmin, { SECRET_KEY: 'x'.repeat(40), BASE_URL: 'https://evil.example' })
    expect(await prisma().changedSetting.count()).toBe(0)
    await prisma().changedSetting.createMany({
      data: [
        { name: 'SESSION_DAYS', value: 'a fortnight' },
        { name: 'GONE', value: '1' },
      ],
    })
    expect((await inAnotherProcess()).sessionDays).toBe(14)
    expect(shown('sessionDays')?.value).toBe('14')
  })

  it('can be listed and changed only by an instance admin in a browser', async () => {
    const others: Actor[] = [
      { ...instanceAdmin, instanceAdmin: false },
      { kind: 'account-token', userId: instanceAdmin.userId, tokenId: randomUUID(), role: 'ADMIN' },
    ]
    for (const actor of others) {
      await expect(changeSettings(actor, { sessionDays: '30' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(() => listChangeable(actor, 'apps')).toThrow()
    }
  })
})
