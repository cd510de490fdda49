import { beforeEach, expect, it } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { seal } from '@/lib/base/credentials/seal'
import { hashCredential } from '@/lib/base/credentials/tokens'
import { pool } from '@/lib/base/db/pool'
import { prisma } from '@/lib/base/db/prisma'
import { loadKeyRing } from '@/lib/features/keys/signing-keys'
import { emptyDatabase } from '@/lib/testing/database'
import { makeApiToken, makeClient, makeProject, makeUser, makeWorkspace } from '@/lib/testing/factories'
import { readExport } from './read-export'
import { transferredTables, writeExport } from './write-export'

/** The tables that an export omits, with the reasons. */
const leftOut: Record<string, string> = {
  _prisma_migrations: 'describes the schema',
  app_events: 'a record',
  app_failures: 'a record',
  app_offers: 'expires within days',
  app_sign_ins: 'ends with the browser session',
  app_usage: 'a record',
  asks: 'ends within hours',
  audit_events: 'a record',
  audit_waiting: 'belongs to records',
  database_readers: 'describes the running servers',
  deleted_workspaces: 'belongs to records',
  email_tokens: 'ends within hours',
  factor_asks: 'ends within hours',
  figures: 'a record',
  deleted_projects: 'expires within days',
  deleted_variable_changes: 'expires within days',
  deleted_variables: 'expires within days',
  keyed_requests: 'ends within a day',
  notifications: 'a record',
  outbox_mails: 'only used by the demo',
  pending_sign_ins: 'ends within minutes',
  rate_limits: 'ends within hours',
  replicas: 'describes the running servers',
  request_counts: 'ends within hours',
  sessions: 'users sign in again',
  webauthn_challenges: 'ends within minutes',
  webhook_deliveries: 'a record',
  workspace_app_usage: 'a record',
}

beforeEach(emptyDatabase)

const bytes = (text: string) => Uint8Array.from(Buffer.from(text))

const quietly = { sending: false }

/** Inserts rows into most tables. */
async function fill() {
  await loadKeyRing()
  const ada = await makeUser({ name: 'Ada "Ünïcode" \\ 🔑\n', instanceAdmin: true })
  const workspace = await makeWorkspace([[ada, 'ADMIN']])
  const project = await makeProject(workspace, [[ada, 'VIEWER']])
  const environment = await prisma().environment.create({
    data: { projectId: project.id, name: 'production' },
  })
  await prisma().variable.create({
    data: { environmentId: environment.id, name: 'A', sealedValue: Uint8Array.from(seal('b', 'variable')) },
  })
  await prisma().passkey.create({
    data: {
      id: 'key',
      userId: ada.id,
      name: 'k',
      publicKey: bytes('pk'),
      counter: 9007199254740993n,
      transports: ['usb'],
    },
  })
  const { client } = await makeClient(workspace, { metadata: { nested: { list: [1, null] } } })
  await makeApiToken(ada, { workspace })
  await prisma().authorization.create({
    data: {
      userId: ada.id,
      clientId: client.id,
      scopes: ['openid'],
      workspaceIds: [workspace.id],
      projectIds: [],
    },
  })
  for (const [model, hours] of [
    ['RefreshToken', 1],
    ['RefreshToken', -1],
    ['AccessToken', 1],
  ] as const) {
    await prisma().oAuthArtifact.create({
      data: {
        hash: new Uint8Array(hashCredential(`${model} ${hours}`)),
        model,
        payload: { jkt: null },
        expiresAt: new Date(Date.now() + hours * 3_600_000),
      },
    })
  }
}

async function exported(): Promise<string[]> {
  let text = ''
  await writeExport(async (lines) => {
    text += lines
  })
  return text.trimEnd().split('\n')
}

async function* each(lines: string[]) {
  yield* lines
}

it('exporting again after an import produces the same rows', async () => {
  await fill()
  const lines = await exported()
  expect(lines.filter((line) => line.includes('"oauth_artifacts"'))).toHaveLength(1)
  expect(lines.join('')).toContain('9007199254740993')
  await emptyDatabase()
  // A server that started before the import has created signing keys.
  await loadKeyRing()
  expect(await readExport(each(lines), { sending: true })).toEqual({
    rows: lines.length - 2,
    silenced: { webhooks: 0, streams: 0 },
    underPresentKey: true,
  })
  expect((await exported()).slice(1)).toEqual(lines.slice(1))
}, 60_000)

it('an export can be imported only into an empty database, and nothing is imported from an invalid file', async () => {
  await fill()
  const lines = await exported()
  await expect(readExport(each(lines), quietly)).rejects.toThrow(/is not empty \(users has rows\)/)
  await emptyDatabase()
  await expect(readExport(each(lines.slice(0, -1)), quietly)).rejects.toThrow(/incomplete/)
  const cut = [...lines.slice(0, 3), String(lines[3]).slice(0, 20)]
  await expect(readExport(each(cut), quietly)).rejects.toThrow(/incomplete/)
  await expect(readExport(each(lines.toSpliced(5, 1)), quietly)).rejects.toThrow()
  await expect(readExport(each(['hello']), quietly)).rejects.toThrow(/not a Latchkey export/)
  await expect(
    readExport(each([lines[0] as string, '{"table":"sessions","row":{}}']), quietly),
  ).rejects.toThrow(/"sessions"/)
  const [head = ''] = lines
  const newer = head.replace(/"schema":"[^"]+"/, '"schema":"29990101000000_later"')
  await expect(readExport(each([newer, ...lines.slice(1)]), quietly)).rejects.toThrow(/newer release/)
  expect(await prisma().user.count()).toBe(0)
})

it('an import disables webhooks and audit streams by default', async () => {
  const ada = await makeUser()
  const workspace = await makeWorkspace([[ada, 'ADMIN']])
  const url = 'https://example.com/'
  const sealed = (purpose: 'webhook-secret' | 'audit-stream-secret') => ({
    sealedSecret: Uint8Array.from(seal('secret', purpose)),
  })
  const off = new Date('2026-01-02T03:04:05Z')
  for (const disabledAt of [null, off]) {
    await prisma().webhook.create({
      data: {
        url,
        ...sealed('webhook-secret'),
        workspaceId: workspace.id,
        events: ['project.*'],
        disabledAt,
      },
    })
  }
  await prisma().auditStream.create({
    data: { url, ...sealed('audit-stream-secret'), placeId: workspace.id },
  })
  const lines = await exported()
  await emptyDatabase()
  expect(await readExport(each(lines), { sending: false })).toMatchObject({
    silenced: { webhooks: 1, streams: 1 },
  })
  expect(await prisma().webhook.count({ where: { disabledAt: null } })).toBe(0)
  expect(await prisma().webhook.count({ where: { disabledAt: off } })).toBe(1)
  expect(await prisma().auditStream.count({ where: { disabledAt: null } })).toBe(0)
  await emptyDatabase()
  await readExport(each(lines), { sending: true })
  expect((await exported()).slice(1)).toEqual(lines.slice(1))
})

it('an import requires the exporting instance’s SECRET_KEY as the current or a previous key', async () => {
  await fill()
  const lines = await exported()
  await emptyDatabase()
  const key = String(process.env.SECRET_KEY)
  try {
    process.env.SECRET_KEY = 'b81f4e6d0c93a752f5e82d7b164c0a39'
    resetConfig()
    await expect(readExport(each(lines), quietly)).rejects.toThrow(/another SECRET_KEY/)
    process.env.SECRET_KEY_PREVIOUS = key
    resetConfig()
    expect(await readExport(each(lines), quietly)).toMatchObject({ underPresentKey: false })
  } finally {
    process.env.SECRET_KEY = key
    delete process.env.SECRET_KEY_PREVIOUS
    resetConfig()
  }
})

it('an export with values of two keys is imported only with both keys', async () => {
  await fill()
  const key = String(process.env.SECRET_KEY)
  const use = (present: string, previous = '') => {
    Object.assign(process.env, { SECRET_KEY: present, SECRET_KEY_PREVIOUS: previous })
    resetConfig()
  }
  const next = 'b81f4e6d0c93a752f5e82d7b164c0a39'
  try {
    use(next, key)
    const lines = await exported()
    await emptyDatabase()
    use(next)
    await expect(readExport(each(lines), quietly)).rejects.toThrow(/SECRET_KEY does not decrypt/)
    expect(await prisma().user.count()).toBe(0)
    use(next, key)
    expect(await readExport(each(lines), quietly)).toMatchObject({ underPresentKey: true })
  } finally {
    use(key)
  }
})

it('every table is either exported or listed as omitted', async () => {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  const known = [...transferredTables.map(({ name }) => name), ...Object.keys(leftOut)]
  expect(rows.map(({ name }) => name).sort()).toEqual(known.sort())
})
