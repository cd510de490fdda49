import type { Say } from '@/lib/base/language/say'
import { requestId } from '@/lib/base/log/request-scope'

/** By what a person's request is found in the log, as a MessageCard shows it. */
export function referenceDetails(say: Say): { label: string; value: string }[] {
  const id = requestId()
  return id === undefined ? [] : [{ label: say('oauth.reference'), value: id }]
}
