import fs from 'node:fs'

/** Kernel ticks per second in /proc: 100 on every Linux that Node supports. */
const TICKS = 100

type Times = { parent: number; own: number; reaped: number }

function timesOf(pid: number | string): Times | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    const field = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const at = (index: number) => field[index] as number
    return { parent: at(1), own: (at(11) + at(12)) / TICKS, reaped: (at(13) + at(14)) / TICKS }
  } catch {
    return undefined // The process has just ended, or /proc does not exist.
  }
}

/**
 * Returns a process's CPU time (user and system) in seconds, or 0 if the process has ended or /proc does not
 * exist.
 */
export const processCpu = (pid: number): number => timesOf(pid)?.own ?? 0

/**
 * Returns the CPU time in seconds of a process and its children, including children that have ended, such as
 * PostgreSQL's backends. Returns 0 if /proc does not exist.
 */
export function familyCpu(root: number): number {
  if (!fs.existsSync('/proc')) return 0
  let seconds = timesOf(root)?.reaped ?? 0
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const times = timesOf(name)
    if (times && (Number(name) === root || times.parent === root)) seconds += times.own
  }
  return seconds
}

/**
 * Returns the resident memory of a process in MiB, or NaN if the process has ended or /proc does not exist.
 */
export function residentMiB(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
