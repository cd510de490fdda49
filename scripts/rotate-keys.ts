import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openEmbeddedDatabase } from '@/lib/base/db/embedded/embedded-database'
import { endConnections } from '@/lib/base/db/end-connections'
import { rotateKeys } from '@/lib/features/signing-keys/rotate-keys'
import { dataDir, hasOwnDatabase, provideSettings } from './launch/settings'

/**
 * `npm run keys:rotate`: new signing keys, published at once, that sign in ten minutes (`-- --in 0`: seconds from now).
 * Uses the same settings as `npm start`; the servers that are running pick the keys up by themselves.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({ options: { in: { type: 'string', default: '600' } } })
const seconds = Number(values.in)
if (!Number.isSafeInteger(seconds) || seconds < 0) {
  console.error('--in takes a number of seconds, such as --in 600.')
  process.exit(1)
}

const embedded = hasOwnDatabase() ? undefined : await openEmbeddedDatabase(dataDir(root))
try {
  provideSettings(root, embedded?.url)
  const { kids, signsFrom } = await rotateKeys(seconds)
  console.log(`New keys ${kids.join(', ')} are published and sign from ${signsFrom.toISOString()} on.`)
} finally {
  await endConnections()
  await embedded?.release()
}
