import { randomInt } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { testPort } from '@/lib/testing/free-port'
import type { Drill, Findings } from '../drill'
import { releaseBefore, withBuiltRelease } from '../earlier-release'
import { openFront } from '../front'
import { type HandoverWorld, handovers, shortLived } from '../handovers'
import type { Server } from '../server'
import { type Stage, withStage } from '../stage'
import { filesOf, openReceiver, registerApp, signInThroughApp, signUp } from '../visitor'

/** The number of sign-ins that alternate between the releases. */
const alternating = 8

export const upgrade: Drill = {
  about:
    'users and apps start flows at one release and finish them at another: upgrade, side by side, and rollback',
  async run() {
    const release = process.env.FAULTS_RELEASE ?? releaseBefore()
    if (release === undefined) {
      return {
        skipped:
          'this clone does not contain the previous release; fetch the history, or specify one with --release <commit or folder>',
      }
    }
    return withBuiltRelease(release, (dir) =>
      withStage({ migrated: false }, (stage) => perform(stage, release, dir)),
    )
  },
}

async function perform(stage: Stage, release: string, dir: string): Promise<Findings> {
  const receiver = await openReceiver()
  const guard = pathToFileURL(path.resolve('e2e/support/open-guard.mjs')).href
  const settings = {
    TRUST_PROXY: '1',
    NODE_OPTIONS: `--import=${guard}`,
    E2E_REACHES: JSON.stringify(receiver.reaches),
  }
  const started: { server: Server; of: string }[] = []
  const start = async (of: 'old' | 'new') => {
    const server = stage.serve({ port: await testPort(), settings, ...(of === 'old' && { dir }) })
    started.push({ server, of })
    await server.ready()
    return server
  }
  const visits = new Visits()
  const front = await openFront(stage.port, () => visits.next().base, visits.address)
  const drill = new Handovers({ receiver }, visits)
  try {
    let old = await start('old')
    let current = await drill.pass('upgraded', old, () => start('new'), true)
    await drill.pass('old to new', old, async () => current)
    await drill.pass('new to old', current, async () => old)
    await drill.alternate(old, current)
    await drill.compareFiles(old, current)
    await drill.pass('old stopped', old, () => stop(old, current))
    old = await start('old')
    await drill.pass('rolled back', current, () => stop(current, old))
    await drill.pass('old alone', old, async () => old)
    current = await drill.pass('once more', old, () => start('new'), true)
  } finally {
    front.close()
    await receiver.close()
  }
  const errors = started.flatMap(({ server, of }) => errorsOf(server).map((line) => `${of} logged ${line}`))
  return { lines: [['before', release], ...drill.lines], wrong: [...drill.wrong, ...new Set(errors)] }
}

/**
 * Stops a server with SIGTERM, as an orchestrator does, and waits until it has ended. @returns the remaining
 * server
 */
async function stop({ child, ended }: Server, remaining: Server): Promise<Server> {
  child.kill('SIGTERM')
  await ended
  return remaining
}

/** Returns the errors in a server's log, each shortened to 400 characters. */
function errorsOf({ output }: Server): string[] {
  return output()
    .split('\n')
    .filter((line) => line.startsWith('{"level":"error"'))
    .map((line) => line.slice(0, 400))
}

/**
 * Chooses the server and the client IP address of each request. IP addresses are random, so that no rate
 * limit is reached.
 */
class Visits {
  #servers: Server[] = []
  #requests = 0

  to(...servers: Server[]): void {
    this.#servers = servers
    this.#requests = 0
  }

  next(): Server {
    return this.#servers[this.#requests++ % this.#servers.length] as Server
  }

  address = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
}

class Handovers {
  readonly lines: [string, string][] = []
  readonly wrong: string[] = []

  constructor(
    readonly world: HandoverWorld,
    readonly visits: Visits,
  ) {}

  /**
   * Starts each flow at one server and finishes the flow at the server that `handOver` returns, which can be
   * the same server. Records each failure.
   * @param handOver starts or stops a server in between, if necessary, and returns the second server
   * @param slow whether the second server takes so long to start that short-lived values expire; flows with
   * such values are omitted
   * @returns the second server
   */
  async pass(title: string, first: Server, handOver: () => Promise<Server>, slow = false): Promise<Server> {
    const names = Object.keys(handovers).filter((name) => !slow || !shortLived.includes(name))
    let failed = 0
    const attempt = async <T>(name: string, work: () => Promise<T> | undefined): Promise<T | undefined> => {
      try {
        return await work()
      } catch (error) {
        failed++
        this.wrong.push(`${title}: ${name}: ${(error as Error).message}`)
        return undefined
      }
    }
    const [short, long] = [true, false].map((is) => names.filter((name) => shortLived.includes(name) === is))
    const finishers = new Map<string, () => Promise<void>>()
    this.visits.to(first)
    for (const group of [long, short]) {
      await Promise.all(
        (group ?? []).map(async (name) => {
          const finish = await attempt(name, () => handovers[name]?.(this.world))
          if (finish) finishers.set(name, finish)
        }),
      )
    }
    const second = await handOver()
    this.visits.to(second)
    for (const group of [short, long]) {
      await Promise.all((group ?? []).map((name) => attempt(name, () => finishers.get(name)?.())))
    }
    this.say(title, `${names.length - failed} of ${names.length} handovers`)
    return second
  }

  /** Records a line and prints it immediately, because a pass takes a while on a busy machine. */
  private say(title: string, text: string): void {
    this.lines.push([title, text])
    console.error(`  ... ${title}: ${text}`)
  }

  /**
   * Signs up new users, registers apps, and signs the users in to these apps. Sends the requests to the two
   * releases alternately.
   */
  async alternate(...servers: [Server, Server]): Promise<void> {
    let finished = 0
    for (let i = 0; i < alternating; i++) {
      const [one, other] = i % 2 === 0 ? servers : servers.toReversed()
      this.visits.to(one as Server, other as Server)
      try {
        await signInThroughApp(await signUp(), await registerApp())
        finished++
      } catch (error) {
        this.wrong.push(`alternating: ${(error as Error).message}`)
      }
    }
    this.say('alternating', `${finished} of ${alternating} sign-ins finished`)
  }

  /**
   * Loads pages from one release and the files of these pages from the other release, as can happen behind a
   * load balancer. Reports how many of the files the other release has.
   */
  async compareFiles(...servers: [Server, Server]): Promise<void> {
    this.visits.to(servers[0])
    const { browser } = await signUp()
    for (const [page, of, at] of [
      ['old', servers[0], servers[1]],
      ['new', servers[1], servers[0]],
    ] as const) {
      this.visits.to(of)
      const files = new Set<string>()
      for (const each of ['/login', '/account', '/workspaces'])
        for (const file of await filesOf(browser.follow(each))) files.add(file)
      let found = 0
      for (const file of files) {
        const answer = await fetch(new URL(file, at.base))
        await answer.arrayBuffer()
        if (answer.ok) found++
      }
      this.say(`${page} files`, `${found} of ${files.size} files of its pages are at the other release`)
    }
  }
}
