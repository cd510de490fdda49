import { databaseNow } from '@/lib/base/db/watch-clock'

/** Open; or what was answered; or over: an approval that was used, or one whose time has passed. */
export type AskState = 'open' | 'approved-once' | 'approved' | 'denied' | 'used' | 'over'

/** Where a question stands. */
export function stateOf(ask: {
  state: string
  once: boolean
  usedBy: string | null
  validUntil: Date
}): AskState {
  if (ask.once && ask.usedBy) return 'used'
  if (ask.validUntil.getTime() <= databaseNow()) return 'over'
  if (ask.state === 'OPEN') return 'open'
  if (ask.state === 'DENIED') return 'denied'
  return ask.once ? 'approved-once' : 'approved'
}
