import { createHmac } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { derivedKey } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { loadKeyRing } from '@/lib/features/keys/signing-keys'
import { makeUser } from '@/lib/testing/factories'
import { resealCommand, rotateKeysCommand } from './keys'

const key = String(process.env.SECRET_KEY)
function use(present: string, previous = ''): void {
  Object.assign(process.env, { SECRET_KEY: present, SECRET_KEY_PREVIOUS: previous })
  resetConfig()
}
afterEach(() => {
  vi.restoreAllMocks()
  use(key)
})

/** Returns the exit code of the command and the last line of its output. */
async function run(check: boolean): Promise<[number | undefined, string | undefined]> {
  const said: string[] = []
  const out = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((line) => said.push(String(line).trim()) > 0)
  const code = await resealCommand.run({ args: {}, options: { check }, root: '' } as never)
  out.mockRestore()
  return [code, said.at(-1)]
}

const removable = [
  0,
  expect.stringMatching(/^Everything is encrypted with SECRET_KEY\. You can remove SECRET_KEY_PREVIOUS/),
]

it('latchkey rotate-keys changes nothing if SECRET_KEY is not the servers’ key', async () => {
  await loadKeyRing()
  const kids = async () =>
    (await prisma().signingKey.findMany({ orderBy: { kid: 'asc' } })).map(({ kid }) => kid)
  const before = await kids()
  use('c92f5e7d1ca4b863f6f93e8c275d1b4a')
  const input = { args: {}, options: { in: '600', withdraw: true }, root: '' } as never
  await expect(rotateKeysCommand.run(input)).rejects.toThrow('SECRET_KEY does not decrypt')
  use(key)
  expect(await kids()).toEqual(before)
})

it('latchkey reseal reports a former key as removable only if no value or recovery code needs it', async () => {
  await loadKeyRing()
  use('b81f4e6d0c93a752f5e82d7b164c0a39', key)
  expect(await run(true)).toEqual([1, expect.stringContaining('Run `latchkey reseal` to re-encrypt')])
  expect(await run(false)).toEqual(removable)
  expect(await run(true)).toEqual(removable)

  const ada = await makeUser()
  const hash = createHmac('sha256', derivedKey('recovery-code')).update('code').digest()
  await prisma().recoveryCode.create({ data: { userId: ada.id, hash: Uint8Array.from(hash) } })
  expect(await run(true)).toEqual([1, expect.stringContaining('still needed for recovery codes')])
  expect(await run(false)).toEqual(removable)
  expect(await run(true)).toEqual(removable)

  use('b81f4e6d0c93a752f5e82d7b164c0a39')
  expect(await run(true)).toEqual([0, 'Everything is encrypted with SECRET_KEY.'])
})
