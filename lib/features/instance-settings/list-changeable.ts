import { changedSettings, isLocked, settingText } from '@/lib/base/config/env'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import {
  type ChangeableSetting,
  type SettingGroup,
  type SettingsPage,
  settingGroups,
} from './changeable-settings'

/** A setting as the page shows it: the text in effect, its default, and whether the environment says it. */
export type ShownSetting = ChangeableSetting & { value: string; fallback: string; locked: boolean }

/**
 * The settings that an operator may change, as they are now.
 * @param page of which page
 * @throws AppError FORBIDDEN for anyone but the operator
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

function show(setting: ChangeableSetting): ShownSetting {
  const { name } = setting
  const locked = isLocked(name)
  return {
    ...setting,
    locked,
    value: settingText(name, locked ? process.env[name] : changedSettings()[name]),
    fallback: settingText(name),
  }
}
