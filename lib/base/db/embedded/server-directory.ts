import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { canWrite, changeOwner, type ServerAccount, serverAccount } from './server-account'

/**
 * A server folder, which contains the cluster and its connection file, and the account that runs the server.
 */
export type ServerDirectory = {
  dir: string
  account: ServerAccount
  /** Whether the folder is outside DATA_DIR because the server's account cannot enter DATA_DIR. */
  relocated: boolean
}

/**
 * The locations for server folders outside DATA_DIR. They survive a reboot, and every account can enter them.
 */
const SHELTERS = ['/var/lib/latchkey', '/var/tmp/latchkey']

/** Returns the cluster's folder inside a server folder. */
export const clusterOf = (dir: string) => path.join(dir, 'cluster')

const hasCluster = (dir: string) => fs.existsSync(path.join(clusterOf(dir), 'PG_VERSION'))

/**
 * Returns the server folder for a DATA_DIR and creates it if needed. Usually, this is `DATA_DIR/postgres`. If
 * root runs Latchkey and the unprivileged account for PostgreSQL cannot enter DATA_DIR (for example, because
 * it is below /root), the folder is created elsewhere, and `DATA_DIR/postgres.location` contains its path.
 * @param dataDir absolute path of DATA_DIR; created if missing
 * @throws Error with a message for the instance admin if the existing database is not accessible or no folder
 * is usable
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
      `The database in ${near} is not accessible to the account that owns it. Make its parent folders accessible (chmod o+x), or choose another DATA_DIR.`,
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

/**
 * Creates a folder that only the given account can access. If the folder already exists, root makes the
 * account its owner unless the folder contains a cluster.
 * @returns whether the account can use the folder
 * @throws Error if this process is not root and cannot use the folder
 */
async function prepare(dir: string, account: ServerAccount): Promise<boolean> {
  const asRoot = account.uid !== undefined
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
    if (asRoot && !hasCluster(dir)) changeOwner(account, dir)
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

/**
 * Creates a shared folder that root owns and other accounts can enter.
 * @returns false if the folder cannot be created, is a symbolic link, or is not owned by root
 */
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
