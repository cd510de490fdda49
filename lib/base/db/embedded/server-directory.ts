import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { canWrite, giveTo, type ServerAccount, serverAccount } from './server-account'

/** Where a server keeps its data. */
export type ServerDirectory = {
  dir: string
  account: ServerAccount
  /** The folder lies outside DATA_DIR, because the server's account cannot enter DATA_DIR. */
  relocated: boolean
}

/** Places on a usual system that survive a reboot and that every account may pass through. */
const SHELTERS = ['/var/lib/latchkey', '/var/tmp/latchkey']

/** The cluster inside a server's folder. */
export const clusterOf = (dir: string) => path.join(dir, 'cluster')

const hasCluster = (dir: string) => fs.existsSync(path.join(clusterOf(dir), 'PG_VERSION'))

/**
 * Finds the folder of the server for a DATA_DIR, or makes one.
 *
 * It is `DATA_DIR/postgres`. Root cannot run PostgreSQL, though, and the unprivileged account it uses instead may not be
 * able to enter DATA_DIR (a clone below /root, say): then the folder is made elsewhere, and `DATA_DIR/postgres.location`
 * remembers where.
 * @param dataDir absolute path of DATA_DIR, made when missing
 * @throws Error with one sentence when no usable folder can be had
 */
export async function serverDirectory(dataDir: string): Promise<ServerDirectory> {
  fs.mkdirSync(dataDir, { recursive: true })
  const pointer = path.join(dataDir, 'postgres.location')
  const near = path.join(dataDir, 'postgres')
  if (fs.existsSync(pointer)) {
    const dir = fs.readFileSync(pointer, 'utf8').trim()
    if (fs.existsSync(dir)) return { dir, account: serverAccount(dir), relocated: true }
  }
  const account = serverAccount(near)
  if (await prepare(near, account)) return { dir: near, account, relocated: false }
  if (hasCluster(near)) {
    throw new Error(
      `The database in ${near} cannot be entered by the account that owns it. Make the folders above it accessible (chmod o+x), or choose another DATA_DIR.`,
    )
  }
  fs.rmSync(near, { recursive: true, force: true })
  for (const shelter of SHELTERS) {
    const dir = path.join(shelter, `postgres-${randomBytes(6).toString('hex')}`)
    if (!openShelter(shelter) || !(await prepare(dir, account))) continue
    fs.writeFileSync(pointer, `${dir}\n`)
    return { dir, account, relocated: true }
  }
  throw new Error(
    `PostgreSQL cannot run as root, and its account cannot use any suitable folder. Start Latchkey as an ordinary user, choose a DATA_DIR outside of ${path.dirname(dataDir)}, or set DATABASE_URL.`,
  )
}

/** Makes the folder, private to the account. @returns whether the account can work in it */
async function prepare(dir: string, account: ServerAccount): Promise<boolean> {
  const asRoot = account.uid !== undefined
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
    if (asRoot && !hasCluster(dir)) giveTo(account, dir)
    if (!asRoot) fs.accessSync(dir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (error) {
    if (!asRoot) throw ownedByAnother(dir, error)
    return false
  }
  return canWrite(account, dir)
}

const ownedByAnother = (dir: string, cause: unknown) =>
  new Error(
    `${dir} cannot be used by this account. Start Latchkey as the account that created it, or choose another DATA_DIR.`,
    { cause },
  )

/** Makes a shelter that root owns and others may pass through. @returns false when that cannot be trusted */
function openShelter(shelter: string): boolean {
  try {
    fs.mkdirSync(shelter, { recursive: true, mode: 0o755 })
    const stat = fs.lstatSync(shelter)
    if (!stat.isDirectory() || stat.uid !== 0) return false
    fs.chmodSync(shelter, 0o755)
    return true
  } catch {
    return false
  }
}
