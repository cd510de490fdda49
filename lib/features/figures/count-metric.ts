import { requestDuration, signIns, tokensIssued } from '@/lib/base/telemetry/metrics'
import type { Labels } from '@/lib/base/telemetry/telemetry'
import { countFigure } from './count-figure'
import { timeClassOf } from './measures'

/** What asks again and again whether the process lives, and files that never change, would hide everything else. */
const notCounted = new Set(['/healthz', '/readyz', '/_next'])

/**
 * Counts for the charts what is measured anyway (lib/base/telemetry/metrics), so that charts and metrics agree.
 * @param value seconds of a request, else how many
 */
export function countMetric(metric: string, value: number, labels: Labels): void {
  if (metric === requestDuration.name) countRequest(value, labels)
  if (metric === tokensIssued.name) countFigure(`tokens:${labels.grant ?? 'other'}`, value)
  if (metric === signIns.name) {
    if (labels.outcome === 'success') countFigure('sign-ins:good', value)
    if (labels.outcome === 'refused' || labels.outcome === 'limited') countFigure('sign-ins:refused', value)
  }
}

/** An answer that nobody waited for is no error of ours. */
function countRequest(seconds: number, labels: Labels): void {
  if (notCounted.has(String(labels['http.route']))) return
  countFigure('requests')
  countFigure(timeClassOf(seconds * 1000))
  if (Number(labels['error.type']) >= 500) countFigure('errors')
}
