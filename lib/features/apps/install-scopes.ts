import { z } from 'zod'
import { oneOf } from '@/lib/base/errors/input'
import type { Scope } from '@/lib/policy/scopes'

/** What an app can be installed with: whatever a member may do, and nothing of what takes an admin or a person. */
const installableScopes = [
  'workspace:member',
  'workspace:viewer',
  'project:member',
  'project:viewer',
] as const satisfies readonly Scope[]

/** A list of them, or text with one a line. */
export const installScopesInput = z
  .union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())])
  .transform((list) => [...new Set(list.filter(Boolean))])
  .pipe(z.array(z.enum(installableScopes, oneOf(installableScopes))))
