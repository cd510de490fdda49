import { once } from 'node:events'
import fs from 'node:fs'
import { writeExport } from '@/lib/features/transfer/write-export'
import { defineCommand } from './frame/command'
import { typedPath } from './typed-path'

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write people, workspaces, projects, apps and their credentials to a file',
  about:
    'One line of JSON for each row, as of one moment, while the servers run. What is sealed stays sealed and hashes stay hashes, so the import takes the same SECRET_KEY. docs/operate/backup.md says what is in it and what is not.',
  takes: { file: 'where to, a file that is not there yet; - for standard output' },
  needs: 'schema',
  run: async ({ args }) => {
    // `wx`: nothing is written over.
    const out =
      args.file === '-'
        ? process.stdout
        : fs.createWriteStream(typedPath(args.file), { flags: 'wx', mode: 0o600 })
    const failed = once(out, 'error').then(([error]) => Promise.reject(error))
    failed.catch(() => undefined)
    const write = async (lines: string) => {
      if (!out.write(lines)) await Promise.race([once(out, 'drain'), failed])
    }
    const counts = await Promise.race([writeExport(write), failed])
    if (out !== process.stdout) await Promise.race([new Promise<void>((done) => out.end(done)), failed])
    for (const [table, rows] of counts) if (rows > 0) process.stderr.write(`${table.padEnd(22)} ${rows}\n`)
    return 0
  },
})
