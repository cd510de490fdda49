import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { filesLike, read } from './sources'

const root = path.join(import.meta.dirname, '../..')
const has = (tool: string, ...args: string[]) => spawnSync(tool, args, { stdio: 'ignore' }).status === 0

/** Every setting there is: those of the table, one that is read elsewhere, and one of Node's own. */
const settings = new Set([
  ...filesLike(/^lib\/base\/config\/[^.]+\.ts$/).flatMap((file) =>
    [...read(file).matchAll(/^\s+([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name as string),
  ),
  'MIGRATE',
  'UV_THREADPOOL_SIZE',
])

describe('settings named by what ships', () => {
  const names = {
    Dockerfile: read('Dockerfile').match(/(?<=^ENV .*)\b[A-Z_]+(?==)/gm) ?? [],
    compose: Object.keys(parse(read('deploy/compose/compose.yaml')).services.latchkey.environment),
    systemd: read('deploy/systemd/latchkey.env.example').match(/^#?[A-Z_]+(?==)/gm) ?? [],
  }
  it.each(Object.entries(names))('are settings: %s', (_, found) => {
    expect(found.length).toBeGreaterThan(1)
    expect(found.map((name) => name.replace('#', '')).filter((name) => !settings.has(name))).toEqual([])
  })
})

describe('the compose file', () => {
  const text = read('deploy/compose/compose.yaml')
  const { services, volumes, networks } = parse(text)
  const example = read('deploy/compose/.env.example')

  it('asks for nothing that .env.example does not have, and for all that it has', () => {
    const asked = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name))
    asked.delete('LATCHKEY_IMAGE')
    expect([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name).sort()).toEqual([...asked].sort())
  })

  it('names networks, volumes and services that it has', () => {
    for (const [name, service] of Object.entries<Record<string, object | string[] | undefined>>(services)) {
      const named = Object.keys(service.depends_on ?? {})
      expect(Object.keys(services), name).toEqual(expect.arrayContaining(named))
      expect(Object.keys(networks), name).toEqual(expect.arrayContaining(service.networks as string[]))
      const mounted = ((service.volumes ?? []) as string[]).map((each) => each.split(':')[0] as string)
      const ours = mounted.filter((each) => !each.startsWith('./'))
      expect(Object.keys(volumes), name).toEqual(expect.arrayContaining(ours))
    }
  })
})

describe('with the tools themselves', () => {
  it.skipIf(!has('docker', 'compose', 'version'))(
    'docker takes the compose file (needs docker compose)',
    () => {
      const dir = path.join(root, 'deploy/compose')
      const env = { ...process.env, DOMAIN: 'login.example.com', SECRET_KEY: 'a', DATABASE_PASSWORD: 'b' }
      const config = execFileSync('docker', ['compose', 'config', '--format', 'json'], {
        cwd: dir,
        env,
        encoding: 'utf8',
      })
      expect(Object.keys(JSON.parse(config).services).sort()).toEqual(['database', 'latchkey', 'proxy'])
    },
  )

  const programs = ['/usr/bin/node'].every((file) => fs.existsSync(file))
  it.skipIf(!programs || !has('systemd-analyze', '--version'))(
    'systemd takes the unit (needs systemd-analyze)',
    () => {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', 'deploy/systemd/latchkey.service'], {
        cwd: root,
      })
      expect([status, String(stderr)]).toEqual([0, ''])
    },
  )
})
