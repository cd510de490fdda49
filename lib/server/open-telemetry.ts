import { config } from '@/lib/base/config/env'
import { countWith, recorder, wantedTelemetry } from '@/lib/base/telemetry/telemetry'
import { countMetric } from '@/lib/features/figures/count-figure'

/**
 * Starts what the operator's charts count, and metrics and traces where the settings ask for them; else nothing of the SDK is loaded. To be called before anything
 * asks the database, whose connections are watched from when they are opened; called again it does nothing.
 * @throws Error with one sentence for settings that are wrong, and for a port that cannot be had
 */
export async function openTelemetry(): Promise<void> {
  countWith(countMetric)
  const wanted = wantedTelemetry(process.env, config())
  if (!wanted || recorder()) return
  const [{ startTelemetry }, { telemetrySources }] = await Promise.all([
    import('@/lib/base/telemetry/start-telemetry'),
    import('./health'),
  ])
  await startTelemetry(wanted, telemetrySources)
}
