import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { readConfig } from '@/lib/base/config/env'

const isSet = (name: string) => (process.env[name]?.trim() ?? '') !== ''

/** Returns whether DATABASE_URL is set. */
export const hasOwnDatabase = () => isSet('DATABASE_URL')

/** Returns the folder that contains the embedded database and its key. */
export const dataDir = (root: string) => path.resolve(root, process.env.DATA_DIR?.trim() || '.data')

/**
 * Checks all settings before slow steps begin. If a setting is provided by a later step, checks a placeholder instead.
 * @throws ConfigError if a setting is missing or invalid
 */
export function checkSettings(): void {
  readConfig({
    ...process.env,
    DATABASE_URL: hasOwnDatabase() ? process.env.DATABASE_URL : 'postgresql://embedded.invalid/latchkey',
    SECRET_KEY: isSet('SECRET_KEY') ? process.env.SECRET_KEY : '3f9c1b7e5a2d8046e1c7b39f0d5a6284',
  })
}

/**
 * Adds the settings of an instance with the embedded database to the environment of this process and its child processes.
 * @param embeddedUrl the URL of the embedded database; if undefined, the environment does not change
 */
export function provideSettings(root: string, embeddedUrl: string | undefined): void {
  if (embeddedUrl === undefined) return
  process.env.DATABASE_URL = embeddedUrl
  process.env.DATA_DIR = dataDir(root)
  if (!isSet('SECRET_KEY')) process.env.SECRET_KEY = keptSecretKey(dataDir(root))
  if (!isSet('SEED_DEMO')) process.env.SEED_DEMO = '1'
}

/** Returns the secret key of an instance with the embedded database. Creates the key if it does not exist. */
function keptSecretKey(dir: string): string {
  const file = path.join(dir, 'secret-key')
  try {
    // If two launchers start at the same time, the flag `wx` ensures that only one of them creates the key. Both launchers
    // then use this key.
    fs.writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return fs.readFileSync(file, 'utf8').trim()
}
