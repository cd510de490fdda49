import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { readConfig } from '@/lib/base/config/env'
import { variableNames } from '@/lib/base/config/environment'
import { refuseUnknownNames } from '@/lib/base/config/similar-names'

const isSet = (name: string) => (process.env[name]?.trim() ?? '') !== ''

/** Returns whether DATABASE_URL is set. */
export const hasOwnDatabase = () => isSet('DATABASE_URL')

/** Returns whether SECRET_KEY is set, so that the instance does not use the key in DATA_DIR. */
export const hasOwnSecretKey = () => isSet('SECRET_KEY')

/** Returns the path of the secret key in DATA_DIR or in a backup of it. */
export const secretKeyFile = (dataDir: string) => path.join(dataDir, 'secret-key')

/** Returns the absolute path of DATA_DIR, by default `.data` below `root`. */
export const dataDir = (root: string) => path.resolve(root, process.env.DATA_DIR?.trim() || '.data')

/**
 * Checks all settings before slow steps begin. If DATABASE_URL or SECRET_KEY is not set, checks a placeholder
 * instead, because a later step can provide the setting.
 * @throws ConfigError if a setting is missing, invalid, or misspelled
 */
export function checkSettings(): void {
  // Search the actual environment first. With the placeholders, a misspelled DATABASE_URL would not be found.
  refuseUnknownNames(process.env, variableNames)
  readConfig({
    ...process.env,
    DATABASE_URL: hasOwnDatabase() ? process.env.DATABASE_URL : 'postgresql://embedded.invalid/latchkey',
    SECRET_KEY: hasOwnSecretKey() ? process.env.SECRET_KEY : '3f9c1b7e5a2d8046e1c7b39f0d5a6284',
  })
}

/**
 * Adds the settings of an instance with the embedded database to the environment of this process and of the
 * child processes that it starts later: DATABASE_URL, DATA_DIR and, unless they are set, SECRET_KEY and
 * SEED_DEMO.
 * @param embeddedUrl the URL of the embedded database; if undefined, the environment does not change
 */
export function provideSettings(root: string, embeddedUrl: string | undefined): void {
  if (embeddedUrl === undefined) return
  process.env.DATABASE_URL = embeddedUrl
  process.env.DATA_DIR = dataDir(root)
  if (!hasOwnSecretKey()) process.env.SECRET_KEY = keptSecretKey(dataDir(root))
  if (!isSet('SEED_DEMO')) process.env.SEED_DEMO = '1'
}

/** Returns the secret key of an instance with the embedded database. Creates the key if it does not exist. */
function keptSecretKey(dir: string): string {
  const file = secretKeyFile(dir)
  try {
    // If two launchers start at the same time, the flag `wx` ensures that only one of them creates the key.
    // Both launchers then use this key.
    fs.writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return fs.readFileSync(file, 'utf8').trim()
}
