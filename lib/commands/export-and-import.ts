import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type ImportCounts, importUsers } from '@/lib/features/move-users/import-users'
import { readExport } from '@/lib/features/move-users/read-export'
import { findUsers } from '@/lib/features/move-users/read-users'
import { isExport, writeExport } from '@/lib/features/move-users/write-export'
import { typedPath } from './backup'
import { defineCommand, say, UsageError } from './command'

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write users, workspaces, projects, apps, and their credentials to a file',
  about:
    'Writes one line of JSON per row, from one snapshot, while the servers run. Encrypted values stay encrypted, so the import needs the same SECRET_KEY. See docs/operate/backup.md for the contents.',
  takes: { file: 'destination, which must not exist; - for standard output' },
  needs: 'schema',
  run: async ({ args }) => {
    const counts =
      args.file === '-' ? await writeTo(process.stdout) : await writeWhole(typedPath(args.file), writeTo)
    for (const [table, rows] of counts) if (rows > 0) process.stderr.write(`${table.padEnd(22)} ${rows}\n`)
    return 0
  },
})

/**
 * Writes the export to a stream, and waits whenever the stream's buffer is full. If the stream fails, stops
 * the export and throws the stream's error. Returns the number of rows of each table.
 */
async function writeTo(out: Writable): Promise<Map<string, number>> {
  const failed = once(out, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => undefined)
  const write = async (lines: string) => {
    if (!out.write(lines)) await Promise.race([once(out, 'drain'), failed])
  }
  return Promise.race([writeExport(write), failed])
}

/**
 * Writes a file completely or not at all: writes to a temporary file whose name ends with `.part`, and
 * renames it when the data is on disk.
 * @param file the file, which must not exist
 * @param write a function that writes the content; if it throws, the partial file is removed
 * @returns the result of `write`
 * @throws the system's error (EEXIST: the file exists) or the error of `write`
 */
export async function writeWhole<T>(file: string, write: (out: fs.WriteStream) => Promise<T>): Promise<T> {
  refuseExisting(file)
  const part = `${file}.${randomBytes(4).toString('hex')}.part`
  const out = fs.createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
  const closed = finished(out)
  closed.catch(() => undefined)
  try {
    const result = await write(out)
    out.end()
    await closed
    refuseExisting(file)
    fs.renameSync(part, file)
    return result
  } catch (error) {
    out.destroy()
    await closed.catch(() => undefined)
    fs.rmSync(part, { force: true })
    throw namingFile(error, file)
  }
}

/**
 * Replaces the path of the `.part` file in an error with the path of the requested file. If the file's
 * directory does not exist, uses the directory's path instead. Changes only errors that occurred while a file
 * was opened or written.
 */
function namingFile(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== 'open' && syscall !== 'write') return error
  return Object.assign(error as Error, { path: code === 'ENOENT' ? path.dirname(file) : file })
}

function refuseExisting(file: string): void {
  if (fs.existsSync(file))
    throw Object.assign(new Error(`${file} already exists`), { code: 'EEXIST', path: file })
}

export const importCommand = defineCommand({
  name: 'import',
  summary: 'import a Latchkey export, or users from another provider',
  about:
    'Imports a Latchkey export into an empty database, completely or not at all. Webhooks and audit streams are disabled, so that a copy sends nothing to the original’s receivers. SECRET_KEY or SECRET_KEY_PREVIOUS must contain the SECRET_KEY of the exported instance. Users can come from Keycloak, Auth0, Zitadel, or a file with one JSON object per line. They are added in batches, and you can run the command again after an interruption. It prints a line for each skipped user and then exits with 1.',
  takes: { file: 'the export; - for standard input' },
  options: {
    sending: { about: 'for Latchkey exports: keeps webhooks and audit streams enabled' },
    'dry-run': { about: 'for users: checks every entry and changes nothing' },
  },
  needs: 'schema',
  run: async ({ args, options }) => {
    const input = new Input(args.file)
    const lines = await input.peek()
    if (!isExport(lines.first)) {
      if (options.sending)
        throw new UsageError('--sending is for Latchkey exports, but this file contains users.')
      return report(await importFrom(input, lines.all, { write: !options['dry-run'] }), options['dry-run'])
    }
    if (options['dry-run'])
      throw new UsageError('--dry-run is for users, but this file is a Latchkey export.')
    const { rows, silenced, underPresentKey } = await readExport(lines.all, options)
    say(`${rows} rows were imported.`)
    if (silenced.webhooks + silenced.streams > 0) {
      say(
        `${silenced.webhooks} webhooks and ${silenced.streams} audit streams were disabled, because the original instance sends them too. Admins can enable them in the console. To keep them enabled, use \`latchkey import --sending\`.`,
      )
    }
    if (!underPresentKey)
      say('The data is encrypted with a key from SECRET_KEY_PREVIOUS. Run `latchkey reseal` next.')
    return 0
  },
})

/**
 * A reader for the lines of a file or of standard input. It also reports how much of the file it has read.
 */
class Input {
  private readonly whole: number | undefined
  private read = 0
  constructor(private readonly file: string) {
    this.whole = file === '-' ? undefined : fs.statSync(typedPath(file), { throwIfNoEntry: false })?.size
  }

  /** The progress between 0 and 1. Undefined for standard input, whose length is unknown. */
  get progress(): number | undefined {
    return this.whole === undefined ? undefined : Math.min(1, this.read / Math.max(1, this.whole))
  }

  /**
   * Reads the first line.
   * @returns the first line, which is empty if there are no lines, and an iterator over all lines, including
   * the first line
   */
  async peek(): Promise<{ first: string; all: AsyncGenerator<string> }> {
    const lines = this.lines()
    const { value: first = '', done } = await lines.next()
    async function* all() {
      if (!done) yield first
      yield* lines
    }
    return { first, all: all() }
  }

  /**
   * Yields the lines. Opens the file only when the first line is requested, because readline would discard
   * lines that it reads before the iteration starts.
   */
  private async *lines(): AsyncGenerator<string, undefined> {
    const input = this.file === '-' ? process.stdin : fs.createReadStream(typedPath(this.file))
    for await (const line of readline.createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      this.read += Buffer.byteLength(line) + 1
      yield line
    }
    return undefined
  }
}

async function importFrom(
  input: Input,
  lines: AsyncIterable<string>,
  { write }: { write: boolean },
): Promise<ImportCounts> {
  const bar = progressBar()
  try {
    return await importUsers(findUsers(lines), {
      write,
      watch: {
        skipped: (line, reason) => {
          bar.clear()
          say(`line ${line}: skipped. ${reason}`)
        },
        stored: (_, counts) => bar.show(input.progress, counts),
      },
    })
  } finally {
    bar.clear()
  }
}

function report({ imported, updated, unchanged, skipped }: ImportCounts, dry: boolean): number {
  const total = imported + updated + unchanged + skipped
  if (total === 0)
    throw new Error(
      'The input contains no users. With `docker exec`, add -i, so that the command can read it.',
    )
  say(
    `${dry ? 'Dry run, nothing was changed. ' : ''}Imported ${imported}, updated ${updated}, unchanged ${unchanged}, skipped ${skipped} of ${total} users.`,
  )
  return skipped > 0 ? 1 : 0
}

const barWidth = 30

/** Returns a progress bar on standard error, which is drawn only if standard error is a terminal. */
function progressBar() {
  const { stderr } = process
  return {
    show(progress: number | undefined, { imported, updated, unchanged, skipped }: ImportCounts): void {
      if (!stderr.isTTY) return
      const full = Math.round((progress ?? 0) * barWidth)
      const bar =
        progress === undefined
          ? ''
          : `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${Math.round(progress * 100)}%  `
      stderr.write(`\r\x1b[K${bar}${imported + updated + unchanged + skipped} users, ${skipped} skipped`)
    },
    clear(): void {
      if (stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}
