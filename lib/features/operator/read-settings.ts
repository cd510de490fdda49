import { type Config, config } from '@/lib/base/config/env'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'

export type Setting = {
  name: string
  /** What is in effect; secrets are never in here. */
  value: string
  /** Whether the environment says so; otherwise it is the default. */
  set: boolean
}

const isSecret = (name: string) => /SECRET|PASSWORD|KEY$/.test(name)

/** An address without its password. */
function withoutPassword(value: string): string {
  if (!URL.canParse(value)) return value
  const url = new URL(value)
  if (!url.password && !url.search) return value
  if (url.password) url.password = '***'
  // Connection strings carry passwords in their parameters, too.
  if (/password|token|key/i.test(url.search)) url.search = '?***'
  return url.href
}

/**
 * Shows settings as the operator may see them.
 * @param settings as checked
 * @param env the environment they were read from
 */
export function describeSettings(settings: Config, env: NodeJS.ProcessEnv): Setting[] {
  return Object.entries(settings)
    .filter(([name]) => name === name.toUpperCase())
    .map(([name, value]) => {
      const text = value === undefined ? '' : String(value)
      return {
        name,
        value: isSecret(name) && text ? '***' : withoutPassword(text),
        set: (env[name] ?? '').trim() !== '',
      }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** The settings in effect, secrets masked. @throws AppError FORBIDDEN for anyone but the operator */
export function readSettings(actor: Actor): Setting[] {
  authorizeInstance(actor)
  return describeSettings(config(), process.env)
}
