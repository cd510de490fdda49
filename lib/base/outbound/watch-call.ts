import { callDuration } from '@/lib/base/telemetry/metrics'
import { recorder } from '@/lib/base/telemetry/telemetry'
import { outboundErrorIn } from './outbound-error'

/** What an address of somebody else's is called for; the address itself is told nobody. */
export type Purpose =
  | 'webhook'
  | 'sign-out'
  | 'audit-stream'
  | 'logo'
  | 'client-document'
  | 'domain'
  | 'identity-provider'
  | 'other'

/**
 * Measures a call to the outside, as a step of the trace that caused it.
 * @param call makes it, with these headers besides its own: by them the receiver can tell the trace
 */
export function watchCall<Answer extends { status: number }>(
  purpose: Purpose,
  method: string,
  call: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const recording = recorder()
  if (!recording) return call({})
  const since = performance.now()
  const labels = { purpose, 'http.request.method': method }
  const note = (failure: string | undefined, status?: number) =>
    callDuration.record((performance.now() - since) / 1000, {
      ...labels,
      'http.response.status_code': status,
      'error.type': failure,
    })
  return recording.within({ name: `${method} ${purpose}`, kind: 'client', labels }, async (end) => {
    try {
      const answer = await call(recording.headers())
      const failure = answer.status >= 400 ? String(answer.status) : undefined
      note(failure, answer.status)
      end(failure, { 'http.response.status_code': answer.status })
      return answer
    } catch (error) {
      const failure = outboundErrorIn(error)?.reason ?? 'network'
      note(failure)
      end(failure)
      throw error
    }
  })
}
