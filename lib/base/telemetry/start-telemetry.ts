import os from 'node:os'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { api, core, metrics, NodeSDK, resources } from '@opentelemetry/sdk-node'
import { log } from '@/lib/base/log/log'
import { nameTracesBy } from '@/lib/base/log/trace-name'
import { onShutdown } from '@/lib/base/process/shutdown'
import { version } from '@/package.json'
import { definedMetrics, type Source } from './define-metric'
import { serveText, textReader } from './metrics-text'
import { recordMetrics } from './record-metrics'
import { recordSteps } from './record-steps'
import { recordWith } from './telemetry'
import type { Destinations } from './wanted'

/** What is ours among what a process measures. */
const scope = 'latchkey'

/**
 * Starts OpenTelemetry in this process. Nothing but this file and those it imports loads the SDK, and nothing imports it
 * unless telemetry is wanted.
 * See decision 118.
 * @param sources what is read when somebody asks for metrics
 * @returns ends it, after everything that is due has been sent; the end of the process does that too
 * @throws Error with one sentence when the port for metrics cannot be had
 */
export async function startTelemetry(
  { traces, metrics: sent, text }: Destinations,
  sources: readonly Source[],
): Promise<() => Promise<void>> {
  tellTroubles()
  const resource = describeProcess()
  const sdk = new NodeSDK({
    resource,
    autoDetectResources: false,
    // What callers say beside the trace (baggage) is for nobody here.
    ...(process.env.OTEL_PROPAGATORS ? {} : { textMapPropagator: new core.W3CTraceContextPropagator() }),
    ...(traces ? {} : { spanProcessors: [] }),
    ...(sent ? {} : { metricReaders: [] }),
    logRecordProcessors: [],
  })
  sdk.start()
  const tracer = api.trace.getTracer(scope, version)
  // Next would record whole addresses, and tokens of mailed links with them: ours is the only tracer.
  api.trace.disable()

  const providers: api.MeterProvider[] = sent ? [api.metrics.getMeterProvider()] : []
  const asText = text && textReader()
  const ownProvider = asText && new metrics.MeterProvider({ resource, readers: [asText.reader] })
  if (ownProvider) providers.push(ownProvider)
  const server = asText && (await serveText(asText.text, text.port, text.host))

  for (const provider of providers) new RuntimeNodeInstrumentation().setMeterProvider(provider)
  const meters = providers.map((provider) => provider.getMeter(scope, version))
  const steps = recordSteps(tracer)
  recordWith({ measure: recordMetrics(meters, definedMetrics(), sources), ...steps })
  if (traces) nameTracesBy(steps.traceId)

  const stop = async () => {
    recordWith(undefined)
    server?.close()
    server?.closeAllConnections()
    await Promise.all([sdk.shutdown(), ownProvider?.shutdown()])
  }
  onShutdown('telemetry', stop)
  return stop
}

/** Which service, release and process it is; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say more, or otherwise. */
const describeProcess = () =>
  resources
    .defaultResource()
    .merge(
      resources.resourceFromAttributes({
        'service.name': scope,
        'service.version': version,
        'host.name': os.hostname(),
      }),
    )
    .merge(
      resources.detectResources({ detectors: [resources.serviceInstanceIdDetector, resources.envDetector] }),
    )

/** What the SDK has to say, such as that a collector does not answer, stands with everything else; unless OTEL_LOG_LEVEL has it write itself. */
function tellTroubles(): void {
  if (process.env.OTEL_LOG_LEVEL) return
  const tell = (...said: unknown[]) => {
    const error = said.find((each) => each instanceof Error)
    log.warn('telemetry has a problem', {
      problem: String(said[0]).slice(0, 500),
      ...(error ? { error } : {}),
    })
  }
  const silent = () => {}
  api.diag.setLogger(
    { error: tell, warn: tell, info: silent, debug: silent, verbose: silent },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}
