import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { writeExport } from '@/lib/features/transfer/write-export'
import { defineCommand } from './frame/command'
import { typedPath } from './typed-path'
import { writeWhole } from './write-whole'

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write people, workspaces, projects, apps and their credentials to a file',
  about:
    'One line of JSON for each row, as of one moment, while the servers run. What is sealed stays sealed and hashes stay hashes, so the import takes the same SECRET_KEY. docs/operate/backup.md says what is in it and what is not.',
  takes: { file: 'where to, a file that is not there yet; - for standard output' },
  needs: 'schema',
  run: async ({ args }) => {
    const counts =
      args.file === '-' ? await writeTo(process.stdout) : await writeWhole(typedPath(args.file), writeTo)
    for (const [table, rows] of counts) if (rows > 0) process.stderr.write(`${table.padEnd(22)} ${rows}\n`)
    return 0
  },
})

/** Waits for a slow reader. What the stream itself says of an error ends it. */
async function writeTo(out: Writable): Promise<Map<string, number>> {
  const failed = once(out, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => undefined)
  const write = async (lines: string) => {
    if (!out.write(lines)) await Promise.race([once(out, 'drain'), failed])
  }
  return Promise.race([writeExport(write), failed])
}
