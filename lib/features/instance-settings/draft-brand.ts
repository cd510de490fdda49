import { settingText } from '@/lib/base/config/env'
import type { Actor } from '@/lib/policy/actor'
import { listChangeable } from './list-changeable'
import { settingProblem } from './setting-problem'

/** The look of the service as an operator has typed it so far, by the names of settings, and what is wrong with it. */
export type DraftBrand = { values: Record<string, string>; problems: Record<string, string> }

/**
 * Reads what has been typed. What is wrong, is not there, or is the environment's counts as it is now.
 * @param typed texts by the names of settings; a blank one stands for the default
 * @throws AppError FORBIDDEN for anyone but the operator
 */
export function draftBrand(actor: Actor, typed: Record<string, string>): DraftBrand {
  const draft: DraftBrand = { values: {}, problems: {} }
  for (const { name, value, locked } of listChangeable(actor, 'branding').flatMap(
    (group) => group.settings,
  )) {
    const text = locked ? undefined : typed[name]
    const problem = text === undefined ? undefined : settingProblem(name, text)
    draft.values[name] = text === undefined || problem ? value : settingText(name, text)
    if (problem) draft.problems[name] = problem
  }
  return draft
}
