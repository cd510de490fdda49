import { config } from '@/lib/base/config/env'
import { recorder, requestedTelemetry, setCountListener } from '@/lib/base/telemetry/telemetry'
import { countMetric } from '@/lib/features/figures/count-figure'

/**
 * Starts the counters for the instance admins' charts, and metrics and traces if the settings enable them.
 * Otherwise, the SDK is not loaded. Call this function before opening the first database connection, because
 * connections are instrumented when they open. Further calls do nothing.
 * @throws Error with a message for the instance admin if a setting is invalid or METRICS_PORT is not
 * available
 */
export async function openTelemetry(): Promise<void> {
  setCountListener(countMetric)
  const wanted = requestedTelemetry(process.env, config())
  if (!wanted || recorder()) return
  const [{ startTelemetry }, { telemetrySources }] = await Promise.all([
    import('@/lib/base/telemetry/start-telemetry'),
    import('./health'),
  ])
  await startTelemetry(wanted, telemetrySources)
}
