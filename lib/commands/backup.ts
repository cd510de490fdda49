import fs from 'node:fs'
import path from 'node:path'
import { backUp } from '@/lib/base/db/embedded/back-up'
import { dataDir, hasOwnDatabase } from '@/lib/base/db/embedded/settings'
import { defineCommand, say } from './frame/command'
import { typedPath } from './typed-path'

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
