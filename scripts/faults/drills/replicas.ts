import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterMember } from '@/lib/testing/cluster-family'
import { testPort } from '@/lib/testing/free-port'
import { offline, signInToApp } from '@/lib/testing/oauth-flow'
import type { Drill } from '../drill'
import { withFamily } from '../family'

/** How long each way of reading is measured, in milliseconds, and by how many at once. */
const measuredMs = 6_000
const atOnce = 16

export const replicas: Drill = {
  about:
    'two read replicas: what the primary is spared, and revocations while they are late, stand still and are gone',
  async run() {
    return withFamily(async (stage, { primary, add }) => {
      const standbys = [await add('one'), await add('two')]
      const settings = { DATABASE_REPLICA_URL: standbys.map(({ url }) => url).join(' ') }
      const alone = stage.serve()
      await alone.ready()
      const reading = [
        stage.serve({ port: await testPort(), settings }),
        stage.serve({ port: await testPort(), settings }),
      ] as const
      await Promise.all(reading.map((server) => server.ready()))
      const app = await stage.app()
      const tokens: string[] = []
      for (let i = 0; i < 40; i++) {
        tokens.push(String((await signInToApp(await stage.browser(), app, offline)).body.access_token))
      }
      const spare = () => String(tokens.pop())
      const lines: [string, string][] = []
      const wrong: string[] = []

      const kept = tokens.splice(0, 8)
      for (const server of reading) await readMany([server.base], kept, 1_500)
      const used = new Map<string, number[]>()
      const runs: [string, string[]][] = [
        ['alone', [alone.base]],
        ['replicas', [reading[0].base]],
      ]
      for (const [name, bases] of [...runs, ...runs.toReversed()]) {
        const before = [primary, ...standbys].map(cpuOf)
        const done = await readMany(bases, kept, measuredMs)
        const spent = [primary, ...standbys].map(
          (member, i) => (cpuOf(member) - (before[i] as number)) / done,
        )
        used.set(name, [...(used.get(name) ?? []), done / (measuredMs / 1_000), ...spent])
      }
      for (const [name, all] of used) {
        const mean = (at: number) => ((all[at] as number) + (all[at + 4] as number)) / 2
        const ms = (at: number) => `${mean(at).toFixed(3)} ms`
        lines.push([
          name,
          `${mean(0).toFixed(0)} reads a second; of a processor for each: primary ${ms(1)}, replicas ${ms(2)} and ${ms(3)}`,
        ])
      }

      /** Revokes at one server, and asks the other at once. @returns how long the revocation took */
      const revoke = async (when: string): Promise<number> => {
        const token = spare()
        for (const { base } of reading) await ask(base, token)
        const since = performance.now()
        const body = new URLSearchParams({ token, client_id: app.clientId })
        await fetch(`${reading[0].base}/oauth/token/revocation`, { method: 'POST', body })
        const took = performance.now() - since
        for (const { base } of reading) {
          const status = await ask(base, token)
          if (status !== 401) wrong.push(`${when}: a revoked token was answered ${status}`)
        }
        return took
      }
      const several = async (word: string, when: string, times: number) => {
        const took: number[] = []
        for (let i = 0; i < times; i++) took.push(await revoke(when))
        lines.push([
          word,
          `${when}: a revocation takes ${took.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`,
        ])
      }
      await several('well', 'replicas as they are', 5)
      for (const each of standbys) await each.set({ recovery_min_apply_delay: '500ms' })
      await sleep(2_500)
      await several('late', 'replicas late by 500 ms', 3)
      for (const each of standbys) await each.set({ recovery_min_apply_delay: '0' })
      await sleep(2_500)
      for (const each of standbys) await each.ask('SELECT pg_wal_replay_pause()')
      await several('still', 'replay has just stopped', 4)
      lines.push(['in commit', await byRemoteApply(primary, standbys[0] as ClusterMember)])
      for (const each of standbys) await each.ask('SELECT pg_wal_replay_resume()')
      await sleep(3_000)
      await standbys[0]?.kill()
      await several('gone', 'one has just been killed', 4)
      return { lines, acknowledged: kept.length, lost: await dead(reading[1].base, kept), wrong }
    })
  },
}

/** What PostgreSQL's own way does while the one standby that it waits for stands still for five seconds. */
async function byRemoteApply(primary: ClusterMember, standby: ClusterMember): Promise<string> {
  await primary.set({ synchronous_standby_names: standby.name })
  await primary.ask('CREATE TABLE taken (at timestamptz)').catch(() => undefined)
  const since = performance.now()
  const taking = primary.ask(
    'BEGIN; SET LOCAL synchronous_commit = remote_apply; INSERT INTO taken VALUES (now()); COMMIT',
  )
  await sleep(5_000)
  const [{ seen } = { seen: 0 }] = await primary.ask<{ seen: number }>(
    'SELECT count(*)::int AS seen FROM taken',
  )
  await standby.ask('SELECT pg_wal_replay_resume()')
  await taking
  await primary.set({ synchronous_standby_names: '' })
  return `a commit with remote_apply took ${((performance.now() - since) / 1000).toFixed(1)} s; after 5 s the primary itself showed ${seen} of 1`
}

const ask = (base: string, token: string): Promise<number> =>
  fetch(`${base}/oauth/me`, { headers: { authorization: `Bearer ${token}` } }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 0,
  )

/** Asks as many times as it can. @returns how often */
async function readMany(bases: string[], tokens: string[], ms: number): Promise<number> {
  const end = performance.now() + ms
  let done = 0
  await Promise.all(
    Array.from({ length: atOnce }, async (_, i) => {
      while (performance.now() < end) {
        const status = await ask(bases[i % bases.length] as string, tokens[i % tokens.length] as string)
        if (status !== 200) throw new Error(`a read was answered ${status}`)
        done++
      }
    }),
  )
  return done
}

async function dead(base: string, tokens: string[]): Promise<string[]> {
  const statuses = await Promise.all(tokens.map((token) => ask(base, token)))
  return statuses.filter((status) => status !== 200).map((status) => `an access token: ${status}`)
}

/** The processor time that a server and its processes have used, in milliseconds; where there is no /proc, none. */
function cpuOf({ pid }: ClusterMember): number {
  const own = pid()
  if (own === undefined || !fs.existsSync('/proc/self/stat')) return 0
  const ticks = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(name))
    .filter((stat) => stat?.pid === own || stat?.parent === own)
    .reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0)
  return ticks * 10
}

/** The fields of /proc/PID/stat after the name, which may hold spaces: 1 the parent, 11 and 12 the time of its own. */
function statOf(pid: string): { pid: number; parent: number; ticks: number } | undefined {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return undefined
  }
}
