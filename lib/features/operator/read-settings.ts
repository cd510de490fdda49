import { type ChangedSettings, type Config, changedSettings, config, isLocked } from '@/lib/base/config/env'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

export type Setting = {
  name: string
  /** What is in effect; secrets are never in here. */
  value: string
  /** Who says so: the environment, an operator in the console, or nobody, so that it is the default. */
  from: 'environment' | 'console' | 'default'
}

const isSecret = (name: string) => /SECRET|PASSWORD|KEY$/.test(name)

/** An address, or several in one, without passwords. A list of servers is no URL, so it is not taken apart as one. */
function withoutPassword(value: string): string {
  const hidden = value.replace(/(\/\/[^/?#:@\s]*:)[^/?#\s]*@/g, '$1***@')
  // Connection strings carry passwords in their parameters, too.
  return hidden.includes('://') ? hidden.replace(/\?\S*(?:password|token|key)\S*/gi, '?***') : hidden
}

const sourceOf = (name: string, env: NodeJS.ProcessEnv, changed: ChangedSettings): Setting['from'] => {
  if (isLocked(name, env)) return 'environment'
  return name in changed ? 'console' : 'default'
}

/**
 * Shows settings as the operator may see them.
 * @param settings as checked
 * @param env the environment they were read from
 * @param changed what an operator changed in the console
 */
export function describeSettings(
  settings: Config,
  env: NodeJS.ProcessEnv,
  changed: ChangedSettings = {},
): Setting[] {
  return Object.entries(settings)
    .filter(([name]) => name === name.toUpperCase())
    .map(([name, value]) => {
      const text = value === undefined ? '' : String(value)
      return {
        name,
        value: isSecret(name) && text ? '***' : withoutPassword(text),
        from: sourceOf(name, env, changed),
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** The settings in effect, secrets masked. @throws AppError FORBIDDEN for anyone but the operator */
export function readSettings(actor: Actor): Setting[] {
  authorizeInstance(actor)
  return describeSettings(config(), process.env, changedSettings())
}
