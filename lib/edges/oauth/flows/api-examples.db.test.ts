import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fetch } from 'undici'
import { afterAll, describe, expect, it } from 'vitest'
import { config } from '@/lib/base/config/env'
import { prisma } from '@/lib/base/db/prisma'
import { revokeAuthorization } from '@/lib/features/apps/authorizations/revoke-authorization'
import { makeApi } from '@/lib/testing/api-world'
import { makeProject } from '@/lib/testing/factories'
import { testPort } from '@/lib/testing/free-port'
import { sessionOf } from '@/lib/testing/installation-world'
import { signInToApp } from '@/lib/testing/oauth-flow'
import { native, startOAuthWorld } from '@/lib/testing/oauth-world'
import { cleanEnvironment } from '@/lib/testing/test-environment'

/**
 * Runs the programs of examples/api-* as separate services. TEST_EXAMPLES=all also builds the Go program,
 * which takes a long time.
 */
const { owner } = await startOAuthWorld()
const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-api-'))
const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill()
  rmSync(folder, { recursive: true })
})

const python = process.env.TEST_PYTHON ?? 'python3'
const runs = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

const examples = [
  { name: 'node', exists: true, start: () => [process.execPath, 'examples/api-node/main.mjs'] },
  {
    name: 'python',
    exists: runs(python, '-c', 'import authlib, flask, requests'),
    start: () => [python, 'examples/api-python/main.py'],
  },
  {
    name: 'go',
    exists: process.env.TEST_EXAMPLES === 'all' && runs('go', 'version'),
    start: () => {
      const program = path.join(folder, 'api-go')
      const { status, stderr } = spawnSync('go', ['build', '-o', program, '.'], { cwd: 'examples/api-go' })
      if (status !== 0) throw new Error(String(stderr))
      return [program]
    },
  },
]

/** Starts an example. @returns its URL when it is ready */
async function serve(command: string[], env: Record<string, string>): Promise<string> {
  const port = String(await testPort())
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: { ...cleanEnvironment(), ...env, PORT: port } })
  running.push(child)
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Deployment API: ')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`exit code ${code}: ${output}`)))
  })
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${url}/.well-known/oauth-protected-resource`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  return url
}

for (const { name, exists, start } of examples) {
  describe.runIf(exists)(`examples/api-${name}`, () => {
    it.each(['OPAQUE', 'JWT'] as const)(
      'accepts only valid tokens for its API, and only for the selected projects (token format: %s)',
      async (tokenFormat) => {
        const scopes = [
          { name: 'deployments:write', selects: 'PROJECTS' as const },
          { name: 'deployments:read' },
        ]
        await prisma().api.deleteMany()
        const api = await makeApi({ tokenFormat, scopes })
        const issuer = `${config().BASE_URL}/oauth`
        const url = await serve(start(), {
          ISSUER: issuer,
          IDENTIFIER: api.identifier,
          API_ID: api.id,
          API_SECRET: api.secret,
        })
        const document = await fetch(`${url}/.well-known/oauth-protected-resource`).then((answer) =>
          answer.json(),
        )
        expect(document).toMatchObject({ resource: api.identifier, authorization_servers: [issuer] })

        const app = await owner.makeApp(native)
        const tokenFor = async (scope: string) => {
          const more = { resource: api.identifier, scope: `openid ${scope}`, prompt: 'consent' }
          const { body } = await signInToApp(owner.browser, app, more, { projects: [owner.project.id] })
          return String(body.access_token)
        }
        const deploy = async (projectId: string, token?: string): Promise<[number, string | null]> => {
          const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
          const answer = await fetch(`${url}/projects/${projectId}/deployments`, { method: 'POST', headers })
          return [answer.status, answer.headers.get('www-authenticate')]
        }
        const metadata = `resource_metadata="${api.identifier}/.well-known/oauth-protected-resource"`
        const token = await tokenFor('deployments:write')
        expect(token.split('.')).toHaveLength(tokenFormat === 'JWT' ? 3 : 1)
        expect(await deploy(owner.project.id, token)).toEqual([201, null])
        const refused = [403, `Bearer error="insufficient_scope", ${metadata}`]
        expect(await deploy((await makeProject(owner.workspace)).id, token)).toEqual(refused)
        expect(await deploy(owner.project.id)).toEqual([401, `Bearer ${metadata}`])
        const unknown = [401, `Bearer error="invalid_token", ${metadata}`]
        expect(await deploy(owner.project.id, 'made-up')).toEqual(unknown)
        expect(await deploy(owner.project.id, `${token.slice(0, -4)}AAAA`)).toEqual(unknown)

        const other = await owner.makeApp(native)
        const { body } = await signInToApp(owner.browser, other, {}, { projects: [owner.project.id] })
        expect(await deploy(owner.project.id, String(body.access_token))).toEqual(unknown)
        expect(await deploy(owner.project.id, String(body.id_token))).toEqual(unknown)

        const { id } = await prisma().authorization.findFirstOrThrow({ where: { clientId: app.clientId } })
        await revokeAuthorization(sessionOf(owner), id)
        if (tokenFormat === 'OPAQUE') expect(await deploy(owner.project.id, token)).toEqual(unknown)
      },
    )
  })
}
