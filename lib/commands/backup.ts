import fs from 'node:fs'
import path from 'node:path'
import { backUp } from '@/lib/base/db/embedded/back-up'
import { restore } from '@/lib/base/db/embedded/restore'
import { dataDir, hasOwnDatabase } from '@/lib/base/db/embedded/settings'
import { defineCommand, say } from './command'

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'copy the embedded database, while it is used',
  about:
    'The copy is started once and read to the last row, and is a DATA_DIR of its own. A PostgreSQL of your own is backed up by its own tools: docs/operate/backup.md.',
  takes: { folder: 'where to, a folder that is not there yet' },
  needs: 'nothing',
  run: async ({ args, root }) => {
    if (hasOwnDatabase()) {
      throw new Error(
        'DATABASE_URL is set, so the embedded database is not used; back that one up with pg_dump.',
      )
    }
    const data = dataDir(root)
    if (!['postgres', 'postgres.location'].some((name) => fs.existsSync(path.join(data, name)))) {
      throw new Error(`There is no embedded database in ${data}; set DATA_DIR to where it is.`)
    }
    const target = typedPath(args.folder)
    const { bytes, tables, rows, withKey } = await backUp(data, target)
    say(`${target}: ${Math.ceil(bytes / 1_000_000)} MB, started and read: ${rows} rows in ${tables} tables.`)
    say(
      withKey
        ? 'It holds the key that opens what is sealed in it (secret-key); keep it where nobody else reads it.'
        : 'SECRET_KEY is not part of it; keep that apart.',
    )
    return 0
  },
})

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'put a backup of the embedded database into DATA_DIR',
  about:
    'Here or on another machine, where there is no database in DATA_DIR yet. It is started once and read to the last row.',
  takes: { folder: 'what `latchkey backup` made' },
  needs: 'nothing',
  run: async ({ args, root }) => {
    if (hasOwnDatabase()) {
      throw new Error(
        'DATABASE_URL is set, so the embedded database is not used; restore that one with pg_restore.',
      )
    }
    const { tables, rows, withKey } = await restore(typedPath(args.folder), dataDir(root))
    say(`${dataDir(root)}: started and read: ${rows} rows in ${tables} tables. \`npm start\` serves it.`)
    if (!withKey) say('The backup has no key: set SECRET_KEY to the one that was used before.')
    return 0
  },
})

/** A path as it was typed: `npm run` goes to the folder of the package first, and tells where it was called from. */
export const typedPath = (typed: string): string => path.resolve(process.env.INIT_CWD ?? process.cwd(), typed)
