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

/** The same for what a token asks about second factors, which is approved for once alone. */
export type FactorAskState = Exclude<AskState, 'approved'>

/** Where a question about second factors stands. */
export function stateOfFactorAsk(ask: {
  state: string
  usedAt: Date | null
  validUntil: Date
}): FactorAskState {
  if (ask.usedAt) return 'used'
  if (ask.validUntil.getTime() <= databaseNow()) return 'over'
  if (ask.state === 'OPEN') return 'open'
  return ask.state === 'DENIED' ? 'denied' : 'approved-once'
}
