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

/** Returns all commands in the order of the help. */
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
 * Runs a command line.
 * @param args the arguments after `latchkey`
 * @param root the product's folder
 * @param loaders functions that load the parts that `latchkey serve` starts
 * @returns the exit code
 */
export function main(args: string[], root: string, loaders: Loaders): Promise<number> {
  if (args[0] !== 'serve') {
    // Send the log and the console output of libraries to standard error, because standard output is for a
    // command's result.
    process.env.LOG_LEVEL ??= 'warn'
    logToStandardError()
    divertConsole({ log: true })
  }
  process.stdout.on('error', ignoreClosedPipe)
  composeEvents()
  return runCommand(commands(loaders), args, root)
}

/**
 * Ignores the error if the reader of standard output closes the pipe early (`latchkey check | head`), so that
 * the command still finishes. Throws any other error.
 */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

const versionCommand = defineCommand({
  name: 'version',
  summary: 'print the version, the commit, and the Node version',
  about: 'Needs no settings and no database.',
  needs: 'nothing',
  run: async () => {
    say(`version  ${release}`)
    say(`commit   ${releaseCommit() ?? 'unknown'}`)
    say(`node     ${process.versions.node}`)
    return undefined
  },
})

/**
 * Returns the `serve` command. @param loaders functions that load the server with its pages, and the demo
 * data
 */
const serveCommand = (loaders: Loaders) =>
  defineCommand({
    name: 'serve',
    summary: 'run the server in the foreground, as in the container',
    about:
      'Requires DATABASE_URL and SECRET_KEY. Applies missing migrations unless MIGRATE=0, and shuts down gracefully on SIGTERM. To start a clone of the repository, use `npm start`.',
    needs: 'nothing',
    run: async ({ root }) => {
      const { runProduction } = await import('@/lib/server/run-production')
      await runProduction(root, loaders)
      return undefined
    },
  })
