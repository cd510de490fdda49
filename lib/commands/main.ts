import { logToStandardError } from '@/lib/base/log/log'
import { composeEvents } from '@/lib/server/compose-events'
import type { LoadServer } from '@/lib/server/run-production'
import { backupCommand } from './backup'
import { checkCommand } from './check'
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

/** Every command there is, in the order of the help. */
const commands = (loadServer: LoadServer) => [
  serveCommand(loadServer),
  checkCommand,
  migrateCommand,
  distributeCommand,
  grantAdminCommand,
  revokeAdminCommand,
  removeDemoCommand,
  rotateKeysCommand,
  resealCommand,
  exportCommand,
  importCommand,
  backupCommand,
  restoreCommand,
]

/**
 * Runs what was typed after `latchkey`.
 * @param root the folder of this installation
 * @param loadServer loads what `latchkey serve` starts
 * @returns the exit code
 */
export function main(words: string[], root: string, loadServer: LoadServer): Promise<number> {
  if (words[0] !== 'serve') {
    // What a command did it says itself; troubles are logged all the same, where they get into no export.
    process.env.LOG_LEVEL ??= 'warn'
    logToStandardError()
  }
  process.stdout.on('error', unlessNobodyReads)
  composeEvents()
  return runCommand(commands(loadServer), words, root)
}

/** Whoever reads the output may have seen enough (`latchkey check | head`); the work goes on. */
function unlessNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
