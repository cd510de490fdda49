import { divertConsole } from '@/lib/base/log/divert-console'
import { logToStandardError } from '@/lib/base/log/log'
import { composeEvents } from '@/lib/server/compose-events'
import type { Loaders } from '@/lib/server/run-production'
import { backupCommand } from './backup'
import { checkCommand } from './check'
import { createAdminCommand } from './create-admin'
import { distributeCommand } from './distribute'
import { exportCommand } from './export'
import { runCommand } from './frame/run-command'
import { grantAdminCommand } from './grant-admin'
import { importCommand } from './import'
import { migrateCommand } from './migrate'
import { removeDemoCommand } from './remove-demo'
import { resealCommand } from './reseal'
import { restoreCommand } from './restore'
import { revokeAdminCommand } from './revoke-admin'
import { rotateKeysCommand } from './rotate-keys'
import { serveCommand } from './serve'
import { versionCommand } from './version'

/** Every command there is, in the order of the help. */
const commands = (loaders: Loaders) => [
  serveCommand(loaders),
  checkCommand,
  migrateCommand,
  distributeCommand,
  createAdminCommand,
  grantAdminCommand,
  revokeAdminCommand,
  removeDemoCommand,
  rotateKeysCommand,
  resealCommand,
  exportCommand,
  importCommand,
  backupCommand,
  restoreCommand,
  versionCommand,
]

/**
 * Runs what was typed after `latchkey`.
 * @param root the folder of this installation
 * @param loaders load what `latchkey serve` starts
 * @returns the exit code
 */
export function main(words: string[], root: string, loaders: Loaders): Promise<number> {
  if (words[0] !== 'serve') {
    // Standard output is the result of a command. The log, and what libraries write to the console, go to standard error.
    process.env.LOG_LEVEL ??= 'warn'
    logToStandardError()
    divertConsole({ log: true })
  }
  process.stdout.on('error', unlessNobodyReads)
  composeEvents()
  return runCommand(commands(loaders), words, root)
}

/** Whoever reads the output may have seen enough (`latchkey check | head`); the work goes on. */
function unlessNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
