import fs from 'node:fs'
import path from 'node:path'
import { backUp } from '@/lib/base/db/embedded/back-up'
import { restore } from '@/lib/base/db/embedded/restore'
import { dataDir, hasOwnDatabase } from '@/lib/base/db/embedded/settings'
import { defineCommand, say } from './command'

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'copy the embedded database while it is in use',
  about:
    'Verifies the copy by starting it and reading every row. You can use the copy as DATA_DIR. If you use your own PostgreSQL server, back it up with its own tools (see docs/operate/backup.md).',
  takes: { folder: 'destination, which must not exist' },
  needs: 'nothing',
  run: async ({ args, root }) => {
    if (hasOwnDatabase()) {
      throw new Error('DATABASE_URL is set, so there is no embedded database to back up. Use pg_dump.')
    }
    const data = dataDir(root)
    if (!['postgres', 'postgres.location'].some((name) => fs.existsSync(path.join(data, name)))) {
      throw new Error(`There is no embedded database in ${data}. Set DATA_DIR to its directory.`)
    }
    const target = typedPath(args.folder)
    const { bytes, tables, rows, withKey } = await backUp(data, target)
    say(`${target}: ${Math.ceil(bytes / 1_000_000)} MB, verified: ${rows} rows in ${tables} tables.`)
    say(
      withKey
        ? 'The backup contains the encryption key (secret-key). Store it where no one else can read it.'
        : 'The backup does not contain SECRET_KEY. Store the key separately.',
    )
    return 0
  },
})

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'restore a backup of the embedded database to DATA_DIR',
  about:
    'DATA_DIR must not contain a database yet. Verifies the result by starting it and reading every row.',
  takes: { folder: 'a backup created by `latchkey backup`' },
  needs: 'nothing',
  run: async ({ args, root }) => {
    if (hasOwnDatabase()) {
      throw new Error('DATABASE_URL is set, so there is no embedded database to restore. Use pg_restore.')
    }
    const { tables, rows, withKey } = await restore(typedPath(args.folder), dataDir(root))
    say(`${dataDir(root)}: verified: ${rows} rows in ${tables} tables. Run \`npm start\` to use it.`)
    if (!withKey)
      say(
        'The backup does not contain the encryption key. Set SECRET_KEY to the key of the original instance.',
      )
    return 0
  },
})

/**
 * Resolves a path relative to the directory in which the user ran the command, because `npm run` changes to
 * the package's directory.
 */
export const typedPath = (typed: string): string => path.resolve(process.env.INIT_CWD ?? process.cwd(), typed)
