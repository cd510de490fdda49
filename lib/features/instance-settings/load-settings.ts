import { changedSettings, setChangedSettings } from '@/lib/base/config/env'
import { instanceKeys, type SettingTexts, upperSnakeCase } from '@/lib/base/config/instance-settings'
import { isOutage } from '@/lib/base/db/database-errors'
import { statement } from '@/lib/base/db/statements'
import { log } from '@/lib/base/log/log'
import { onShutdown, repeat, runInBackground } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'

/** The number of milliseconds after which a process rereads the settings. */
const lookAfterMs = 5_000

const readChanged = statement<{ name: string; value: string }, []>(
  'changed-settings',
  'SELECT name, value FROM changed_settings ORDER BY name',
)

/**
 * Converts rows of changed_settings to texts by setting key. Omits settings that this release does not
 * support. The table contains the setting names of earlier releases, such as SIGN_UP, so that an earlier
 * release can run at the same time.
 */
export function fromStored(rows: { name: string; value: string }[]): SettingTexts {
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  return Object.fromEntries(
    instanceKeys.flatMap((key) => {
      const value = values.get(upperSnakeCase(key))
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/**
 * Reads the stored settings and applies them to this process.
 * @throws database errors
 */
export async function loadSettings(): Promise<void> {
  const known = changedSettings()
  const stored = fromStored(await readChanged())
  // If a setting was changed in this process after the query started, keep the change, because it is newer
  // than the query's result. If nothing changed, keep the current object, because `config()` is cached until
  // the object is replaced.
  if (changedSettings() !== known || JSON.stringify(stored) === JSON.stringify(known)) return
  setChangedSettings(stored)
}

/** Loads the settings. If the database is unavailable, logs the error instead of throwing it. */
const loadQuietly = () =>
  loadSettings().catch((error) => {
    if (!isOutage(error)) throw error
    log.warn('the settings changed in the console could not be read', { error })
  })

/**
 * Reads the settings immediately, and again every few seconds until the process shuts down, so that all
 * replicas apply a change.
 * @returns a promise that resolves after the first attempt, even if the database did not respond
 */
export async function followSettings(): Promise<void> {
  await loadQuietly()
  const stop = repeat('reading settings', loadSettings, lookAfterMs)
  onShutdown('reading settings', async () => stop())
}

/**
 * Reads the settings in the background, if they were last read more than a few seconds ago. Serverless
 * functions call this on each request, because no code runs between requests.
 */
export function refreshSettingsIfStale(): void {
  const state = remember('settings', () => ({ lookedAt: 0 }))
  if (Date.now() - state.lookedAt < lookAfterMs) return
  state.lookedAt = Date.now()
  runInBackground('reading settings', loadQuietly)
}
