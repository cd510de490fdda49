import { z } from 'zod'
import { publicNameInput } from '@/lib/base/errors/names'
import { reservedSlugs } from './choose-slug'

/** It is shown to strangers: whoever uses an app of the workspace reads it on the consent page. */
const name = (current?: string) => publicNameInput(undefined, current)

const slug = z
  .string()
  .trim()
  .regex(/^[a-z0-9](-?[a-z0-9])*$/, 'Use lower case letters, digits and single dashes between them.')
  .min(2, 'Use at least 2 characters.')
  .max(50, 'Use at most 50 characters.')
  .refine((value) => !reservedSlugs.has(value), 'This address is taken.')

/** A new workspace. */
export const createWorkspaceInput = z.object({ name: name() })

/** What changes about a workspace; what is left out stays. @param before the workspace as it is */
export const updateWorkspaceInput = (before: { name: string }) =>
  z.object({ name: name(before.name).optional(), slug: slug.optional() })
