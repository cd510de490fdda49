import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { onServerCpu } from './pinning'
import { processCpu, residentMiB } from './processor-time'

export type ServerProcess = {
  pid: number
  /** Returns the CPU time that the process has used so far, in seconds. */
  cpu: () => number
  memory: () => number
  /** The time from the start of the process to its first successful response, in milliseconds. */
  startedIn: number
  stop: () => Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a Node program on one processor, by default the server's, and waits until the URL `probe` responds
 * successfully.
 * @throws Error with the end of the program's output if the program ends or does not respond within a minute
 */
export async function startServerProcess(
  args: string[],
  { cwd, env, probe, cpu }: { cwd: string; env: Record<string, string>; probe: string; cpu?: string },
): Promise<ServerProcess> {
  const [program, all] = onServerCpu(process.execPath, args, cpu)
  const since = performance.now()
  const child = spawn(program, all, {
    cwd,
    env: { ...environment(), NODE_ENV: 'production', NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-4_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  ended.then(() => running.delete(child))
  const pid = child.pid as number
  const stop = async () => {
    child.kill('SIGTERM')
    await Promise.race([ended, sleep(15_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))])
  }
  while (!(await answers(probe))) {
    if (child.exitCode === null && performance.now() - since < 60_000) await sleep(20)
    else {
      await stop()
      throw new Error(`${args.join(' ')} did not start:\n${output}`)
    }
  }
  const startedIn = performance.now() - since
  return { pid, cpu: () => processCpu(pid), memory: () => residentMiB(pid), startedIn, stop }
}

const answers = (probe: string) =>
  fetch(probe).then(
    (answer) => answer.arrayBuffer().then(() => answer.ok),
    () => false,
  )

/** Returns the only environment variables that a measured server inherits. */
const environment = () => {
  const { PATH, HOME, TMPDIR, LANG } = process.env
  return { PATH, HOME, TMPDIR, LANG }
}
