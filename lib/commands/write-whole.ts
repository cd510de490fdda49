import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'

/**
 * Makes a file that is there whole or not at all: it is written beside its place under a name that ends with `.part`, and takes
 * its name when it is on the disk.
 * @param file one that is not there yet
 * @param write fills it; what it throws removes what was written
 * @returns what `write` did
 * @throws Error of the system (EEXIST: the file is there already), or of `write`
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
    throw told(error, file)
  }
}

/** What the system says of the `.part` is about the file that was named, or about the folder that is not there. */
function told(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall !== 'open' && syscall !== 'write') return error
  return Object.assign(error as Error, { path: code === 'ENOENT' ? path.dirname(file) : file })
}

function refuseExisting(file: string): void {
  if (fs.existsSync(file))
    throw Object.assign(new Error(`${file} is there already`), { code: 'EEXIST', path: file })
}
