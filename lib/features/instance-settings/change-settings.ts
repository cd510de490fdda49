import { contrast, mixColors } from '@/lib/base/config/contrast'
import { checkSetting, lockedBy, setChangedSettings, settingText, textInEffect } from '@/lib/base/config/env'
import { type InstanceKey, type SettingTexts, upperSnakeCase } from '@/lib/base/config/instance-settings'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { AppError } from '@/lib/base/errors/app-error'
import { log } from '@/lib/base/log/log'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { lockInstanceAdminRole } from '@/lib/policy/lock-role'
import {
  type ChangeableSetting,
  changeableSettings,
  type SettingGroup,
  type SettingsPage,
  settingGroups,
} from './changeable-settings'
import { fromStored } from './load-settings'

/**
 * The page backgrounds behind buttons in light and dark mode. components/ui/tokens.test.ts checks that these
 * colors match the design tokens.
 */
export const buttonGrounds = { light: '#ffffff', dark: '#0f1117' }

/**
 * The minimum contrast at which the edge of a button is visible. The button's text needs no check, because
 * its color adapts automatically.
 */
const leastContrast = 1.25

/**
 * Returns an error message that states how to fix the value if a service name has no letter or digit, or if
 * buttons in an accent color would be hard to see. Returns undefined otherwise, and for all other settings.
 * Only texts entered in the console are checked, because errors for values from the environment could not be
 * shown on a page.
 * @param value a well-formed value, or an empty text
 */
export function unreadable(name: string, value: string): string | undefined {
  if (name === 'serviceName' && value !== '' && !/[\p{L}\p{N}]/u.test(value)) {
    return 'Use at least one letter or digit.'
  }
  if (name !== 'accentColor' || value === '') return undefined
  if (contrast(value, buttonGrounds.light) < leastContrast) {
    return `Buttons in this color are hard to see on light pages. Choose a darker one, such as ${nearest(value, '#000000', buttonGrounds.light)}.`
  }
  if (contrast(value, buttonGrounds.dark) < leastContrast) {
    return `Buttons in this color are hard to see on dark pages. Choose a lighter one, such as ${nearest(value, '#ffffff', buttonGrounds.dark)}.`
  }
  return undefined
}

/**
 * Returns the color between `color` and `towards` that is closest to `color` and has sufficient contrast with
 * the background. Returns `towards` if there is none.
 */
function nearest(color: string, towards: string, ground: string): string {
  const steps = Array.from({ length: 50 }, (_, step) => mixColors(color, towards, 1 - step / 50))
  return steps.find((candidate) => contrast(candidate, ground) >= leastContrast) ?? towards
}

/**
 * Returns an error message if a setting's value is malformed or not legible, or undefined if the value is
 * valid or blank.
 */
function settingProblem(name: string, value: string): string | undefined {
  const malformed = checkSetting(name, value)
  return malformed ? `This ${malformed}.` : unreadable(name, value.trim())
}

/**
 * The ID of the advisory lock that serializes concurrent changes, so that each audit event contains the
 * correct previous value.
 */
const settingsLock = 5_201_402_131

/**
 * Changes settings and records each change. Changes apply immediately in this process and within seconds in
 * other processes.
 * @param input texts by setting key; a blank text resets the setting to its default; omitted settings are
 * unchanged
 * @throws AppError FORBIDDEN if the actor is not an instance admin, or BAD_USER_INPUT with an error for each
 * setting that is invalid, that is a required list without entries, or that the environment locks to a
 * different value
 */
export async function changeSettings(actor: Actor, input: Record<string, string>): Promise<void> {
  authorizeInstance(actor)
  const wanted = readWanted(input)
  const stored = await prisma().$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${settingsLock}::bigint)`
    await lockInstanceAdminRole(tx, actor)
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
    if (wanted[name] === value) wrong[setting.name] = 'Add at least one entry.'
  }
  const [field, message] = Object.entries(wrong)[0] ?? []
  if (field) throw new AppError('BAD_USER_INPUT', message, { field, fields: wrong })
  return wanted
}

/** Returns an error message if the environment locks a setting to a value other than `value`. */
function lockProblem(name: InstanceKey, value: string): string | undefined {
  const variable = lockedBy(name)
  return variable === undefined || settingText(name, value) === textInEffect(name)
    ? undefined
    : `${variable} sets this in the environment. Change it there.`
}

const withoutDefaults = (settings: SettingTexts): SettingTexts =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== settingText(name)))

async function store(tx: Db, keys: string[], settings: SettingTexts): Promise<void> {
  await tx.changedSetting.deleteMany({ where: { name: { in: keys.map(upperSnakeCase) } } })
  await tx.changedSetting.createMany({
    data: keys.flatMap((key) => {
      const value = settings[key]
      return value === undefined ? [] : [{ name: upperSnakeCase(key), value }]
    }),
  })
}

/**
 * A setting as shown on its page, with its effective text, its default, and, if it is locked, the environment
 * variable that locks it.
 */
export type ShownSetting = ChangeableSetting & {
  value: string
  fallback: string
  lockedBy: string | undefined
}

/**
 * Returns the groups of settings that a page shows, with the current value and the default of each setting.
 * Includes settings that the environment locks.
 * @param page the page that lists the settings
 * @throws AppError FORBIDDEN if the actor is not an instance admin
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

/**
 * An instance admin's unsaved branding (`values`), and the error messages for invalid texts (`problems`).
 * Both are keyed by setting name.
 */
export type DraftBrand = { values: Record<string, string>; problems: Record<string, string> }

/**
 * Returns the branding for the preview. It contains the entered texts, except that a setting whose text is
 * invalid or missing, or that the environment locks, has its current value.
 * @param typed the entered texts by setting name; a blank text means the default
 * @throws AppError FORBIDDEN if the actor is not an instance admin
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
