import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config, resetConfig, setChangedSettings } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import type { Actor, SessionActor } from '@/lib/policy/actor'
import { makePerson } from '@/lib/testing/factories'
import { changeSettings, listChangeable } from './change-settings'
import { loadSettings } from './load-settings'

let operator: SessionActor

beforeEach(async () => {
  const { id } = await makePerson({ instanceAdmin: true })
  operator = { kind: 'session', userId: id, sessionId: randomUUID(), instanceAdmin: true }
})

afterEach(async () => {
  await prisma().changedSetting.deleteMany()
  setChangedSettings({})
  delete process.env.SESSION_DAYS
  resetConfig()
})

/** What another process, or this one after a restart, would go by. */
const inAnotherProcess = async () => {
  setChangedSettings({})
  await loadSettings()
  return config()
}

const shown = (name: string) =>
  listChangeable(operator, 'settings')
    .flatMap(({ settings }) => settings)
    .find((setting) => setting.name === name)

describe('a setting that an operator changes', () => {
  it('holds at once here and as soon as it is read elsewhere, and is recorded with what it was', async () => {
    await changeSettings(operator, { SESSION_DAYS: ' 030 ', RESTORE_DAYS: '7' })
    expect(config().SESSION_DAYS).toBe(30)
    expect((await inAnotherProcess()).SESSION_DAYS).toBe(30)
    await changeSettings(operator, { SESSION_DAYS: '30' })
    await changeSettings(operator, { SESSION_DAYS: '' })
    expect((await inAnotherProcess()).SESSION_DAYS).toBe(14)
    const events = await prisma().auditEvent.findMany({
      where: { userId: operator.userId },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'setting.changed', details: { name: 'SESSION_DAYS', from: '14', to: '30' } },
      { action: 'setting.changed', details: { name: 'SESSION_DAYS', from: '30', to: '14' } },
    ])
  })

  it('is the default again where it is set to the default, so that a later default counts', async () => {
    await changeSettings(operator, { WORKSPACE_APPS: 'own' })
    await changeSettings(operator, { WORKSPACE_APPS: 'everybody' })
    expect(await prisma().changedSetting.count()).toBe(0)
  })

  it('is refused where it is wrong, each at its field, and then nothing is changed', async () => {
    const wrong = { SESSION_DAYS: '0', REFRESH_TOKEN_DAYS: 'long', RESTORE_DAYS: '3' }
    await expect(changeSettings(operator, wrong)).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      details: {
        fields: {
          SESSION_DAYS: 'This must be a number between 1 and 365.',
          REFRESH_TOKEN_DAYS: 'This must be a number between 1 and 3650.',
        },
      },
    })
    expect(config().RESTORE_DAYS).toBe(7)
  })

  it('is the look of pages and mails, where it can be seen', async () => {
    const white = changeSettings(operator, { ACCENT_COLOR: '#ffffff', SERVICE_NAME: 'Acme ID' })
    await expect(white).rejects.toMatchObject({
      details: { fields: { ACCENT_COLOR: expect.stringContaining('Choose a darker one, such as #') } },
    })
    expect(config().SERVICE_NAME).toBe('Latchkey')
    await changeSettings(operator, { SERVICE_NAME: ' Acme ID ', MAIL_FOOTER: 'Acme Inc.\r\n1 Main Street' })
    expect(config()).toMatchObject({ SERVICE_NAME: 'Acme ID', MAIL_FOOTER: 'Acme Inc.\n1 Main Street' })
    const [look] = listChangeable(operator, 'branding')
    expect(look?.settings[0]).toMatchObject({ name: 'SERVICE_NAME', value: 'Acme ID', fallback: 'Latchkey' })
  })

  it('is not left empty where another needs it', async () => {
    const open = { METADATA_DOCUMENTS: 'hosts', METADATA_DOCUMENT_HOSTS: ' ' }
    await expect(changeSettings(operator, open)).rejects.toMatchObject({
      details: { fields: { METADATA_DOCUMENT_HOSTS: 'Name at least one.' } },
    })
    await changeSettings(operator, { ...open, METADATA_DOCUMENT_HOSTS: 'Claude.ai\n*.example.com' })
    expect(config().METADATA_DOCUMENT_HOSTS).toEqual(['claude.ai', '*.example.com'])
  })

  it('gives way to the environment, which nobody changes from here', async () => {
    await changeSettings(operator, { SESSION_DAYS: '30' })
    process.env.SESSION_DAYS = '5'
    resetConfig()
    expect(config().SESSION_DAYS).toBe(5)
    expect(shown('SESSION_DAYS')).toMatchObject({ value: '5', locked: true })
    await changeSettings(operator, { SESSION_DAYS: '60' })
    expect(await prisma().changedSetting.findMany({ select: { value: true } })).toEqual([{ value: '30' }])
  })

  it('is none of those that only the environment sets, and counts no more where a release does not take it', async () => {
    await changeSettings(operator, { SECRET_KEY: 'x'.repeat(40), BASE_URL: 'https://evil.example' })
    expect(await prisma().changedSetting.count()).toBe(0)
    await prisma().changedSetting.createMany({
      data: [
        { name: 'SESSION_DAYS', value: 'a fortnight' },
        { name: 'GONE', value: '1' },
      ],
    })
    expect((await inAnotherProcess()).SESSION_DAYS).toBe(14)
    expect(shown('SESSION_DAYS')?.value).toBe('14')
  })

  it('is nobody’s but an operator’s, in the browser', async () => {
    const others: Actor[] = [
      { ...operator, instanceAdmin: false },
      { kind: 'account-token', userId: operator.userId, tokenId: randomUUID(), role: 'ADMIN' },
    ]
    for (const actor of others) {
      await expect(changeSettings(actor, { SESSION_DAYS: '30' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
      expect(() => listChangeable(actor, 'settings')).toThrow()
    }
  })
})
