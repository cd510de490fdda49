import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { verifyPassword } from '@/lib/base/credentials/password'
import { prisma } from '@/lib/base/db/prisma'
import { emptyDatabase } from '@/lib/testing/database'
import { makeUser } from '@/lib/testing/factories'
import { createAdmin, createFirstAdmin } from './create-admin'

const password = 'quiet harbor seventeen lanterns'

const files: string[] = []

beforeEach(emptyDatabase)
afterEach(() => {
  for (const file of files.splice(0)) fs.rmSync(path.dirname(file), { recursive: true, force: true })
  vi.unstubAllEnvs()
  vi.resetModules()
  resetConfig()
})

const use = (settings: Record<string, string>) => {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  resetConfig()
}

/** Creates a file with a password and returns its path. */
function passwordFile(text: string): string {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'admin-')), 'password')
  files.push(file)
  fs.writeFileSync(file, `${text}\n`)
  return file
}

const admins = () => prisma().user.findMany({ where: { instanceAdmin: true } })

describe('createAdmin', () => {
  it('creates an instance admin with a confirmed email address and a password', async () => {
    expect(await createAdmin({ name: 'Ada', email: ' Ada@Example.com', password })).toBe(true)
    const [ada, ...others] = await admins()
    expect(ada).toMatchObject({ name: 'Ada', email: 'ada@example.com', emailVerifiedAt: expect.any(Date) })
    expect(await verifyPassword(ada?.passwordHash, password)).toBe(true)
    expect(others).toEqual([])
    expect(await prisma().auditEvent.findFirst()).toMatchObject({
      action: 'user.instance_admin_added',
      actorKind: 'system',
      resourceId: ada?.id,
    })
  })

  it('applies the email and password rules of sign-up, and suggests grant-admin for an existing user', async () => {
    const refusal = (more: object) =>
      createAdmin({ name: 'Ada', email: 'ada@example.com', password, ...more })
    await expect(refusal({ email: 'ada' })).rejects.toMatchObject({ details: { field: 'email' } })
    await expect(refusal({ password: 'short' })).rejects.toMatchObject({ details: { field: 'password' } })
    await expect(refusal({ password: 'password1234' })).rejects.toMatchObject({
      details: { field: 'password' },
    })
    await makeUser({ email: 'ada@example.com' })
    await expect(refusal({})).rejects.toThrow('Run `latchkey grant-admin ada@example.com`')
    expect(await admins()).toEqual([])
  })
})

describe('createFirstAdmin', () => {
  it('creates the first instance admin from the environment, but only one if several servers start together', async () => {
    use({ ADMIN_EMAIL: 'ops@example.com', ADMIN_PASSWORD_FILE: passwordFile(password) })
    await Promise.all([createFirstAdmin(), createFirstAdmin(), createFirstAdmin()])
    expect(await admins()).toMatchObject([{ email: 'ops@example.com', name: 'ops' }])
  })

  it('reads the password from a file, and ignores the file if an instance admin exists', async () => {
    const file = passwordFile(password)
    use({ ADMIN_EMAIL: 'ops@example.com', ADMIN_PASSWORD_FILE: file })
    await createFirstAdmin()
    const [admin] = await admins()
    expect(await verifyPassword(admin?.passwordHash, password)).toBe(true)
    fs.rmSync(path.dirname(file), { recursive: true })
    use({ ADMIN_EMAIL: 'other@example.com', ADMIN_PASSWORD_FILE: file })
    await createFirstAdmin()
    expect(await admins()).toHaveLength(1)
  })

  it('throws an error that names the invalid setting, but does not reveal the password', async () => {
    use({ ADMIN_EMAIL: 'ops@example.com', ADMIN_PASSWORD_FILE: passwordFile('password1234') })
    const error = await createFirstAdmin().catch((error: Error) => error)
    expect(String(error)).toContain('(ADMIN_PASSWORD_FILE)')
    expect(String(error)).not.toContain('password1234')
    use({ ADMIN_PASSWORD_FILE: '/nowhere/password' })
    await expect(createFirstAdmin()).rejects.toThrow('ADMIN_PASSWORD_FILE cannot be read (ENOENT).')
    expect(await admins()).toEqual([])
  })
})
