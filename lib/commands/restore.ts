import { restore } from '@/lib/base/db/embedded/restore'
import { dataDir, hasOwnDatabase } from '@/lib/base/db/embedded/settings'
import { defineCommand, say } from './frame/command'
import { typedPath } from './typed-path'

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
