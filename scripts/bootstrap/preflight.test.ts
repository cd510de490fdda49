import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { testPort } from '@/lib/testing/free-port'
import { cleanEnvironment } from '@/lib/testing/test-environment'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'preflight-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

/**
 * Starts the launcher with an invalid setting, which it must reject before it installs or builds anything.
 */
async function start(settings: Record<string, string>) {
  const port = String(await testPort())
  const defaults = { PORT: port, DATA_DIR: path.join(folder, 'data'), ENV_FILE: '' }
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...cleanEnvironment(), ...defaults, ...settings },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, output: output.trim() }
}

const secret = 'a secret key of more than thirty-two characters'
const database = 'postgresql://user:hunter2@127.0.0.1:1/latchkey'

it.each([
  [{ PORT: 'abc' }, /PORT is "abc".*PORT=3000/],
  [{ PORT: '65536' }, /from 1 to 65535/],
  [{ HOST: '203.0.113.1' }, /HOST is "203.0.113.1", which is not an address of this machine/],
  [{ BASE_URL: 'login.example.com' }, /BASE_URL must be an http or https origin/],
  [{ BASE_URL: 'https://example.com/login' }, /BASE_URL must be an http or https origin/],
  [{ SECRET_KEY: 'too short' }, /SECRET_KEY has 9 characters, but needs at least 32.*openssl rand/],
  [{ DATABASE_URL: database }, /SECRET_KEY must be set if DATABASE_URL is set/],
  [{ DATABASE_URL: 'mysql://a@b/c', SECRET_KEY: secret }, /DATABASE_URL must look like postgresql:/],
  [
    { DATABASE_URL: database, SECRET_KEY: secret },
    /No database responds at 127\.0\.0\.1:1, .*\(ECONNREFUSED\)/,
  ],
  [{ DATA_DIR: 'package.json' }, /data directory .*package\.json is not writable/],
])('the launcher rejects %o with a one-line error that contains no password', async (settings, sentence) => {
  const { code, output } = await start(settings as Record<string, string>)
  expect(code).toBe(1)
  expect(output).toMatch(sentence)
  expect(output.split('\n')).toHaveLength(1)
  expect(output).not.toContain('hunter2')
})

it('the launcher reports a port in use and suggests another', async () => {
  const other = net.createServer().listen(0)
  const { port } = other.address() as AddressInfo
  const { code, output } = await start({ PORT: String(port) })
  other.close()
  expect(code).toBe(1)
  expect(output).toMatch(`Port ${port} is already in use`)
  expect(output).toMatch(`PORT=${port + 1} npm start`)
})
