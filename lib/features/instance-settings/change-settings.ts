import { contrast, mix } from '@/lib/base/config/contrast'
import { checkSetting, lockedBy, setChangedSettings, settingText, textInEffect } from '@/lib/base/config/env'
import { type InstanceKey, inCapitals, type SettingTexts } from '@/lib/base/config/instance-settings'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { holdInstance } from '@/lib/policy/hold'
import {
  type ChangeableSetting,
  changeableSettings,
  type SettingGroup,
  type SettingsPage,
  settingGroups,
} from './changeable-settings'
import { fromStored } from './load-settings'

/** What buttons lie on, where pages are light and where they are dark; components/ui/tokens.test.ts holds them to the scheme. */
export const buttonGrounds = { light: '#ffffff', dark: '#0f1117' }

/** The least contrast at which the edge of a button is still seen. Its text is read at any: its ink follows the colour. */
const leastContrast = 1.25

/**
 * What cannot be read or seen of a value that is well-formed, and what to choose instead. The environment may say such a value:
 * nobody looks at a page while writing it.
 * @returns a sentence; undefined where nothing is wrong
 */
export function unreadable(name: string, value: string): string | undefined {
  if (name === 'serviceName' && value !== '' && !/[\p{L}\p{N}]/u.test(value)) {
    return 'Use at least one letter or digit.'
  }
  if (name !== 'accentColor' || value === '') return undefined
  if (contrast(value, buttonGrounds.light) < leastContrast) {
    return `Buttons in this color would vanish on light pages. Choose a darker one, such as ${nearest(value, '#000000', buttonGrounds.light)}.`
  }
  if (contrast(value, buttonGrounds.dark) < leastContrast) {
    return `Buttons in this color would vanish on dark pages. Choose a lighter one, such as ${nearest(value, '#ffffff', buttonGrounds.dark)}.`
  }
  return undefined
}

/** The first colour on the way to black or white that stands out from a ground. */
function nearest(colour: string, towards: string, ground: string): string {
  const steps = Array.from({ length: 50 }, (_, step) => mix(colour, towards, 1 - step / 50))
  return steps.find((candidate) => contrast(candidate, ground) >= leastContrast) ?? towards
}

/** What is wrong with what an instance admin chose, as a sentence; undefined where nothing is, also where it is blank. */
function settingProblem(name: string, value: string): string | undefined {
  const malformed = checkSetting(name, value)
  return malformed ? `This ${malformed}.` : unreadable(name, value.trim())
}

/** Instance admins that save at the same moment do it one after the other, so that the log tells what each of them found. */
const settingsLock = 5_201_402_131

/**
 * Changes settings, at once in this process and within seconds in the others, and records each change.
 * @param input texts by the keys of settings; blank for the default; a setting that is left out stays
 * @throws AppError FORBIDDEN for anyone but the instance admin, BAD_USER_INPUT by key, also for a locked setting
 */
export async function changeSettings(actor: Actor, input: Record<string, string>): Promise<void> {
  authorizeInstance(actor)
  const wanted = readWanted(input)
  const stored = await prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${settingsLock}::bigint)`
    await holdInstance(tx, actor)
    const before = fromStored(await tx.changedSetting.findMany())
    const after = withoutDefaults({ ...before, ...wanted })
    const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name])
    await store(tx, changed, after)
    for (const name of changed) {
      await recordEvent(tx, actor, {
        action: 'setting.changed',
        resource: { type: 'setting', id: name },
        details: { name, from: settingText(name, before[name]), to: settingText(name, after[name]) },
      })
      log.info('an instance admin acted', {
        action: 'setting.changed',
        instanceAdmin: actor.userId,
        setting: name,
      })
    }
    return after
  })
  setChangedSettings(stored)
}

function readWanted(input: Record<string, string>): SettingTexts {
  const wanted: Record<string, string> = {}
  const wrong: Record<string, string> = {}
  for (const { name } of changeableSettings) {
    const value = input[name]
    if (value === undefined) continue
    const problem = settingProblem(name, value) ?? lockProblem(name, value)
    if (problem) wrong[name] = problem
    else if (lockedBy(name) === undefined) wanted[name] = settingText(name, value)
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

/** Returns a sentence if a change contradicts what the environment locks. */
function lockProblem(name: InstanceKey, value: string): string | undefined {
  const variable = lockedBy(name)
  return variable === undefined || settingText(name, value) === textInEffect(name)
    ? undefined
    : `${variable} sets this in the environment, so it can’t be changed here.`
}

const withoutDefaults = (settings: SettingTexts): SettingTexts =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== settingText(name)))

async function store(tx: Db, keys: string[], settings: SettingTexts): Promise<void> {
  await tx.changedSetting.deleteMany({ where: { name: { in: keys.map(inCapitals) } } })
  await tx.changedSetting.createMany({
    data: keys.flatMap((key) => {
      const value = settings[key]
      return value === undefined ? [] : [{ name: inCapitals(key), value }]
    }),
  })
}

/** A setting as the page shows it: the text in effect, its default, and the variable that locks it. */
export type ShownSetting = ChangeableSetting & {
  value: string
  fallback: string
  lockedBy: string | undefined
}

/**
 * The settings that an instance admin may change, as they are now.
 * @param page of which page
 * @throws AppError FORBIDDEN for anyone but the instance admin
 */
export function listChangeable(
  actor: Actor,
  page: SettingsPage,
): (Omit<SettingGroup, 'settings'> & { settings: ShownSetting[] })[] {
  authorizeInstance(actor)
  return settingGroups
    .filter((group) => group.page === page)
    .map((group) => ({ ...group, settings: group.settings.map(show) }))
}

const show = (setting: ChangeableSetting): ShownSetting => ({
  ...setting,
  lockedBy: lockedBy(setting.name),
  value: textInEffect(setting.name),
  fallback: settingText(setting.name),
})

/** The look of the service as an instance admin has typed it so far, by the names of settings, and what is wrong with it. */
export type DraftBrand = { values: Record<string, string>; problems: Record<string, string> }

/**
 * Reads what has been typed. What is wrong, is not there, or is the environment's counts as it is now.
 * @param typed texts by the names of settings; a blank one stands for the default
 * @throws AppError FORBIDDEN for anyone but the instance admin
 */
export function draftBrand(actor: Actor, typed: Record<string, string>): DraftBrand {
  const draft: DraftBrand = { values: {}, problems: {} }
  for (const { name, value, lockedBy } of listChangeable(actor, 'branding').flatMap(
    (group) => group.settings,
  )) {
    const text = lockedBy ? undefined : typed[name]
    const problem = text === undefined ? undefined : settingProblem(name, text)
    draft.values[name] = text === undefined || problem ? value : settingText(name, text)
    if (problem) draft.problems[name] = problem
  }
  return draft
}
