import { composeEvents } from '@/lib/server/compose-events'
import { checkCommand } from './check'
import { runCommand } from './frame/run-command'
import { grantAdminCommand } from './grant-admin'
import { migrateCommand } from './migrate'
import { resealCommand } from './reseal'
import { revokeAdminCommand } from './revoke-admin'
import { rotateKeysCommand } from './rotate-keys'
import { serveCommand } from './serve'

/** Every command there is, in the order of the help. */
const commands = [
  serveCommand,
  checkCommand,
  migrateCommand,
  grantAdminCommand,
  revokeAdminCommand,
  rotateKeysCommand,
  resealCommand,
]

/**
 * Runs what was typed after `latchkey`.
 * @param root the folder of this installation
 * @returns the exit code
 */
export function main(words: string[], root: string): Promise<number> {
  composeEvents()
  return runCommand(commands, words, root)
}
