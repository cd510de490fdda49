import { type ChangedSettings, isLocked, setChangedSettings, settingText } from '@/lib/base/config/env'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { holdInstance } from '@/lib/policy/hold'
import { changeableSettings } from './changeable-settings'
import { settingProblem } from './setting-problem'

/** Operators that save at the same moment do it one after the other, so that the log tells what each of them found. */
const settingsLock = 5_201_402_131

/**
 * Changes settings, at once in this process and within seconds in the others, and records each change.
 * @param input values as texts by the names of settings; blank for the default; what is left out stays. What the environment
 *   says stays as well
 * @throws AppError FORBIDDEN for anyone but the operator, BAD_USER_INPUT by name
 */
export async function changeSettings(actor: Actor, input: Record<string, string>): Promise<void> {
  authorizeInstance(actor)
  const wanted = readWanted(input)
  const stored = await prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${settingsLock}::bigint)`
    await holdInstance(tx, actor)
    const before = Object.fromEntries(
      (await tx.changedSetting.findMany()).map(({ name, value }) => [name, value]),
    )
    const after = withoutDefaults({ ...before, ...wanted })
    const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
    await store(tx, changed, after)
    for (const name of changed) {
      await recordEvent(tx, actor, {
        action: 'setting.changed',
        resource: { type: 'setting', id: name },
        details: { name, from: settingText(name, before[name]), to: settingText(name, after[name]) },
      })
      log.info('an operator acted', { action: 'setting.changed', operator: actor.userId, setting: name })
    }
    return after
  })
  setChangedSettings(stored)
}

function readWanted(input: Record<string, string>): ChangedSettings {
  const wanted: Record<string, string> = {}
  const wrong: Record<string, string> = {}
  for (const { name } of changeableSettings) {
    const value = input[name]
    if (value === undefined || isLocked(name)) continue
    const problem = settingProblem(name, value)
    if (problem) wrong[name] = problem
    else wanted[name] = settingText(name, value)
  }
  for (const setting of changeableSettings) {
    if (!('neededFor' in setting) || !setting.neededFor || wanted[setting.name] !== '') continue
    const { name, value } = setting.neededFor
    if (wanted[name] === value) wrong[setting.name] = 'Name at least one.'
  }
  const [field, message] = Object.entries(wrong)[0] ?? []
  if (field) throw new AppError('BAD_USER_INPUT', message, { field, fields: wrong })
  return wanted
}

const withoutDefaults = (settings: ChangedSettings): ChangedSettings =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== settingText(name)))

async function store(tx: Db, names: string[], settings: ChangedSettings): Promise<void> {
  await tx.changedSetting.deleteMany({ where: { name: { in: names } } })
  await tx.changedSetting.createMany({
    data: names.flatMap((name) => {
      const value = settings[name]
      return value === undefined ? [] : [{ name, value }]
    }),
  })
}
