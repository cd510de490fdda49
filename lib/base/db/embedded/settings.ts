import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { readConfig } from '@/lib/base/config/env'

const isSet = (name: string) => (process.env[name]?.trim() ?? '') !== ''

/** Whether DATABASE_URL is set. */
export const hasOwnDatabase = () => isSet('DATABASE_URL')

/** Returns the folder of the embedded database and its key. */
export const dataDir = (root: string) => path.resolve(root, process.env.DATA_DIR?.trim() || '.data')

/**
 * Checks every setting before slow steps. Assumes valid values for settings that a later step provides.
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
 * Writes the defaults that only a launcher can provide into the environment of the product and its child
 * processes.
 * @param embeddedUrl the embedded database, if it is used
 */
export function provideSettings(root: string, embeddedUrl: string | undefined): void {
  if (embeddedUrl === undefined) return
  process.env.DATABASE_URL = embeddedUrl
  process.env.DATA_DIR = dataDir(root)
  if (!isSet('SECRET_KEY')) process.env.SECRET_KEY = keptSecretKey(dataDir(root))
  if (!isSet('SEED_DEMO')) process.env.SEED_DEMO = '1'
}

/** Returns the key of an embedded instance. The first start creates it. */
function keptSecretKey(dir: string): string {
  const file = path.join(dir, 'secret-key')
  try {
    // `wx`: if two launchers start at the same time, one creates the key and both use it.
    fs.writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return fs.readFileSync(file, 'utf8').trim()
}
