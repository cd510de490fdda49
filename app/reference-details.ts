import { requestId } from '@/lib/base/log/request-scope'

/** By what a person's request is found in the log, as a MessageCard shows it. */
export function referenceDetails(): { label: string; value: string }[] {
  const id = requestId()
  return id === undefined ? [] : [{ label: 'Reference', value: id }]
}
