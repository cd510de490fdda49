import { checkSetting } from '@/lib/base/config/env'
import { unreadable } from './unreadable'

/** What is wrong with what an operator chose, as a sentence; undefined where nothing is, also where it is blank. */
export function settingProblem(name: string, value: string): string | undefined {
  const malformed = checkSetting(name, value)
  return malformed ? `This ${malformed}.` : unreadable(name, value.trim())
}
