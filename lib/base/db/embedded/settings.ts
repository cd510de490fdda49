import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { readConfig } from '@/lib/base/config/env'

const isSet = (name: string) => (process.env[name]?.trim() ?? '') !== ''

/** Whether the instance admin brought a database. */
export const hasOwnDatabase = () => isSet('DATABASE_URL')

/** Where an embedded database and its key lie. */
export const dataDir = (root: string) => path.resolve(root, process.env.DATA_DIR?.trim() || '.data')

/**
 * Checks every setting before the long steps; those that a later step provides are taken as given.
 * @throws ConfigError with one sentence
 */
export function checkSettings(): void {
  readConfig({
    ...process.env,
    DATABASE_URL: hasOwnDatabase() ? process.env.DATABASE_URL : 'postgresql://embedded.invalid/latchkey',
    SECRET_KEY: isSet('SECRET_KEY') ? process.env.SECRET_KEY : '3f9c1b7e5a2d8046e1c7b39f0d5a6284',
  })
}

/**
 * Settles the settings that have defaults only a launcher can give: it writes them into the environment, from which the
 * product and the processes below read.
 * @param embeddedUrl the embedded database, when that is used
 */
export function provideSettings(root: string, embeddedUrl: string | undefined): void {
  if (embeddedUrl === undefined) return
  process.env.DATABASE_URL = embeddedUrl
  process.env.DATA_DIR = dataDir(root)
  if (!isSet('SECRET_KEY')) process.env.SECRET_KEY = keptSecretKey(dataDir(root))
  if (!isSet('SEED_DEMO')) process.env.SEED_DEMO = '1'
}

/** The key of an embedded installation, made at its first start. */
function keptSecretKey(dir: string): string {
  const file = path.join(dir, 'secret-key')
  try {
    // `wx`: of two launchers that start together, one makes the key and both use it.
    fs.writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return fs.readFileSync(file, 'utf8').trim()
}
