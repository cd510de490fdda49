import { z } from 'zod'
import { databaseNow } from '@/lib/base/db/clock'
import { isId } from '@/lib/base/db/prisma'
import { oneOf } from '@/lib/base/errors/input'
import { allScopes, resourceOf, type Scope } from '@/lib/policy/scopes'

export const appPolicies = ['OPEN', 'APPROVED', 'OWN'] as const

/** The scopes that an approval can contain: all workspace and project scopes. */
export const boundedScopes: Scope[] = allScopes.filter((scope) => resourceOf(scope))

/** An admin's comment on a decision, or a member's comment on a request. */
export const wordInput = z.string().trim().max(500, 'Use at most 500 characters.')

/**
 * A list of values, or text with values separated by whitespace. Values are trimmed, and empty and duplicate
 * values are removed.
 */
const lines = z
  .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
  .transform((list) => [...new Set(list.map((one) => one.trim()).filter(Boolean))])

const soonest = 60_000

/**
 * An expiry time, or a date that means the end of that day in UTC. Must be more than one minute in the
 * future. Empty for no expiry.
 */
const endInput = z
  .union([z.date(), z.string().trim()])
  .nullish()
  .transform((value, context) => {
    if (value === null || value === undefined || value === '') return null
    const text = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T23:59:59Z` : value
    const end = new Date(text)
    if (!(end.getTime() > databaseNow() + soonest)) {
      context.addIssue({ code: 'custom', message: 'Choose a date in the future, or leave this empty.' })
      return z.NEVER
    }
    return end
  })

/** The IDs of up to 200 projects. Null or undefined means the whole workspace. */
export const projectsInput = lines
  .pipe(z.array(z.string().refine(isId, 'Enter valid project IDs.')).max(200, 'Choose at most 200 projects.'))
  .nullish()

/**
 * An approval's limits and comment: `scopes`, `projectIds` (default: the whole workspace), `expiresAt`
 * (default: no expiry), and `word`.
 */
export const approvalInput = z.object({
  scopes: lines.pipe(
    z
      .array(z.enum(boundedScopes as [Scope, ...Scope[]], oneOf(boundedScopes)))
      .min(1, 'Choose at least one scope.'),
  ),
  projectIds: projectsInput,
  expiresAt: endInput,
  word: wordInput.nullish(),
})

export const policyInput = z.object({
  policy: z.enum(appPolicies, { error: 'Choose one of the listed values.' }),
})
