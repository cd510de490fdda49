import { changedSettings, setChangedSettings } from '@/lib/base/config/env'
import { inCapitals, instanceKeys, type SettingTexts } from '@/lib/base/config/instance-settings'
import { isOutage } from '@/lib/base/db/database-errors'
import { statement } from '@/lib/base/db/statements'
import { log } from '@/lib/base/log/log'
import { keepAwake, onShutdown, repeat } from '@/lib/base/process/background'
import { remember } from '@/lib/base/process/remember'

/** How long a process goes on with the settings it knows, in milliseconds. */
const lookAfterMs = 5_000

const readChanged = statement<{ name: string; value: string }, []>(
  'changed-settings',
  'SELECT name, value FROM changed_settings ORDER BY name',
)

/**
 * Returns the texts of rows of changed_settings, by key. The table has the names of earlier releases, so that one of them can
 * run beside this one.
 */
export function fromStored(rows: { name: string; value: string }[]): SettingTexts {
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  return Object.fromEntries(
    instanceKeys.flatMap((key) => {
      const value = values.get(inCapitals(key))
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** Has this process use what is stored now. @throws what the database throws */
export async function loadSettings(): Promise<void> {
  const known = changedSettings()
  const stored = fromStored(await readChanged())
  // What was changed in this process meanwhile is newer than what was read.
  if (changedSettings() !== known || JSON.stringify(stored) === JSON.stringify(known)) return
  setChangedSettings(stored)
}

/** The same for a process that can do without for a while. */
const loadQuietly = () =>
  loadSettings().catch((error) => {
    if (!isOutage(error)) throw error
    log.warn('the settings changed in the console could not be read', { error })
  })

/**
 * Reads the settings now, and again every few seconds until the process ends, so that what is changed on one replica
 * holds on all.
 * @returns once they have been read, or the database has not answered
 */
export async function followSettings(): Promise<void> {
  await loadQuietly()
  const stop = repeat('reading settings', loadSettings, lookAfterMs)
  onShutdown('reading settings', async () => stop())
}

/** The same for a function on demand, in which nothing runs between requests: called at each, it reads every few seconds. */
export function lookAtSettings(): void {
  const state = remember('settings', () => ({ lookedAt: 0 }))
  if (Date.now() - state.lookedAt < lookAfterMs) return
  state.lookedAt = Date.now()
  keepAwake(loadQuietly())
}
