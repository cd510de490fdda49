import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** The measured server has the first processor to itself. The driver and PostgreSQL share the others. */
const SERVER_CPU = '0'
const otherCpus = cpus().length > 2 ? `1-${cpus().length - 1}` : '1'

export const canPin = cpus().length > 1 && spawnSync('taskset', ['-V']).status === 0

/** Moves this process and its future children off the server's processor. */
export function pinDriver(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', otherCpus, String(process.pid)])
}

/**
 * @returns the command line that runs a program on the server's processor; unchanged if that is impossible
 */
export const onServerCpu = (program: string, args: string[], cpu = SERVER_CPU): [string, string[]] =>
  canPin ? ['taskset', ['-c', cpu, program, ...args]] : [program, args]
