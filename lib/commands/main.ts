import { divertConsole, logToStandardError } from '@/lib/base/log/log'
import { release, releaseCommit } from '@/lib/base/process/release'
import { composeEvents } from '@/lib/server/compose-events'
import type { Loaders } from '@/lib/server/run-production'
import { createAdminCommand, grantAdminCommand, revokeAdminCommand } from './admins'
import { backupCommand, restoreCommand } from './backup'
import { checkCommand } from './check'
import { defineCommand, runCommand, say } from './command'
import { distributeCommand, migrateCommand, removeDemoCommand } from './database'
import { exportCommand, importCommand } from './export-and-import'
import { resealCommand, rotateKeysCommand } from './keys'

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

const versionCommand = defineCommand({
  name: 'version',
  summary: 'print the version, the commit and the Node version',
  about: 'It needs neither settings nor a database.',
  needs: 'nothing',
  run: async () => {
    say(`version  ${release}`)
    say(`commit   ${releaseCommit() ?? 'unknown'}`)
    say(`node     ${process.versions.node}`)
    return undefined
  },
})

/** @param loaders load the server with its pages, and the demo */
const serveCommand = (loaders: Loaders) =>
  defineCommand({
    name: 'serve',
    summary: 'run the server, as a container does',
    about:
      'It takes DATABASE_URL and SECRET_KEY, applies missing migrations unless MIGRATE=0, and stops in order on SIGTERM. A clone is started by `npm start`.',
    needs: 'nothing',
    run: async ({ root }) => {
      const { runProduction } = await import('@/lib/server/run-production')
      await runProduction(root, loaders)
      return undefined
    },
  })
