import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** The default processor of a measured server. The driver and PostgreSQL share the other processors. */
const SERVER_CPU = '0'
const otherCpus = cpus().length > 2 ? `1-${cpus().length - 1}` : '1'

export const canPin = cpus().length > 1 && spawnSync('taskset', ['-V']).status === 0

/**
 * Moves this process and its future children off the server's processor. Does nothing if pinning is
 * impossible.
 */
export function pinDriver(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', otherCpus, String(process.pid)])
}

/**
 * Returns the command line that runs a program on one processor, by default the server's. Returns the
 * unchanged command line if pinning is impossible.
 */
export const onServerCpu = (program: string, args: string[], cpu = SERVER_CPU): [string, string[]] =>
  canPin ? ['taskset', ['-c', cpu, program, ...args]] : [program, args]
