import { z } from 'zod'

/** The sensitive actions that can require approval; lib/policy/sensitive-actions describes them. */
const names = [
  'project:delete',
  'project:transfer',
  'project:read-values',
  'project:write-variables',
  'workspace:manage-members',
  'workspace:manage-apps',
  'workspace:manage-secrets',
  'workspace:manage-webhooks',
  'workspace:manage-tokens',
  'workspace:restore-projects',
  'workspace:update',
  'workspace:delete',
  'account:manage-ssh-keys',
] as const

/** Some of them, separated by commas, or `all`. */
export const sensitiveActionList = z
  .string()
  .transform((list) => {
    const listed = list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    return listed.length === 1 && listed[0] === 'all' ? [...names] : listed
  })
  .pipe(z.array(z.enum(names, { error: `must be all, or list some of ${names.join(', ')}` })))
