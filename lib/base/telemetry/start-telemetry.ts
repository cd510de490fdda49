import { createServer, type Server } from 'node:http'
import os from 'node:os'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { api, core, metrics, NodeSDK, resources } from '@opentelemetry/sdk-node'
import { log } from '@/lib/base/log/log'
import { nameTracesBy } from '@/lib/base/log/request-scope'
import { onShutdown, withTimeout } from '@/lib/base/process/background'
import { version } from '@/package.json'
import { definedMetrics, type MetricDefinition, type Reading, type Source } from './metrics'
import {
  type Destinations,
  type EndStep,
  type Labels,
  type Recorder,
  type Step,
  setRecorder,
} from './telemetry'

/** The instrumentation scope of our metrics and traces. */
const scope = 'latchkey'

/**
 * Starts OpenTelemetry in this process. Only this file and its imports load the SDK, and this file is
 * imported only if telemetry is enabled. See ADR 0042.
 * @param sources the sources of metrics that are read on demand
 * @returns a function that sends pending data and stops telemetry; it also runs at the end of the process
 * @throws Error with a message for the instance admin if the metrics port is not available
 */
export async function startTelemetry(
  { traces, metrics: sent, text }: Destinations,
  sources: readonly Source[],
): Promise<() => Promise<void>> {
  redirectSdkLog()
  const resource = describeProcess()
  const sdk = new NodeSDK({
    resource,
    autoDetectResources: false,
    // Unless OTEL_PROPAGATORS is set, use a propagator that ignores the baggage that callers send.
    ...(process.env.OTEL_PROPAGATORS ? {} : { textMapPropagator: new core.W3CTraceContextPropagator() }),
    ...(traces ? {} : { spanProcessors: [] }),
    ...(sent ? {} : { metricReaders: [] }),
    logRecordProcessors: [],
  })
  sdk.start()
  const tracer = api.trace.getTracer(scope, version)
  // Disable all tracers except ours. Next's tracer would record full URLs, including the tokens in emailed
  // links.
  api.trace.disable()

  const providers: api.MeterProvider[] = sent ? [api.metrics.getMeterProvider()] : []
  const asText = text && textReader()
  const ownProvider = asText && new metrics.MeterProvider({ resource, readers: [asText.reader] })
  if (ownProvider) providers.push(ownProvider)
  const server = asText && (await serveText(asText.text, text.port, text.host))

  for (const provider of providers) new RuntimeNodeInstrumentation().setMeterProvider(provider)
  const meters = providers.map((provider) => provider.getMeter(scope, version))
  const steps = recordSteps(tracer)
  setRecorder({ measure: recordMetrics(meters, definedMetrics(), sources), ...steps })
  if (traces) nameTracesBy(steps.traceId)

  const stop = async () => {
    setRecorder(undefined)
    server?.close()
    server?.closeAllConnections()
    await Promise.all([sdk.shutdown(), ownProvider?.shutdown()])
  }
  onShutdown('telemetry', stop)
  return stop
}

/**
 * Returns the OpenTelemetry resource that describes the service, release, and process. OTEL_SERVICE_NAME and
 * OTEL_RESOURCE_ATTRIBUTES can override the resource's attributes.
 */
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

/**
 * Writes the SDK's warnings and errors, such as those about an unreachable collector, to our log. Does
 * nothing if OTEL_LOG_LEVEL is set, because the SDK then uses its own log.
 */
function redirectSdkLog(): void {
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

/**
 * The Prometheus suffix of each unit, as in OpenTelemetry's collector. The JavaScript exporter does not add
 * these suffixes.
 */
const units: Record<string, string> = { s: 'seconds', By: 'bytes', '1': 'ratio' }

/**
 * Returns the Prometheus name of a metric, without the suffixes that the serializer adds, such as `_bucket`
 * and `_total`.
 */
export function nameInText({ name, unit = '' }: { name: string; unit?: string }): string {
  const plain = name.replaceAll('.', '_')
  const suffix = units[unit]
  return suffix === undefined || plain.endsWith(`_${suffix}`) ? plain : `${plain}_${suffix}`
}

type Collected = metrics.ResourceMetrics

const named = (resourceMetrics: Collected): Collected => ({
  ...resourceMetrics,
  scopeMetrics: resourceMetrics.scopeMetrics.map((scope) => ({
    ...scope,
    metrics: scope.metrics.map((metric) => ({
      ...metric,
      descriptor: { ...metric.descriptor, name: nameInText(metric.descriptor) },
    })),
  })),
})

/** A metric reader for a meter provider, with a function that returns the metrics as text. */
type TextReader = { reader: PrometheusExporter; text: () => Promise<string> }

function textReader(): TextReader {
  const reader = new PrometheusExporter({ preventServerStart: true })
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  return {
    reader,
    text: async () => serializer.serialize(named((await reader.collect()).resourceMetrics)),
  }
}

const types = { metrics: 'text/plain; version=0.0.4; charset=utf-8', other: 'text/plain; charset=utf-8' }

/**
 * Serves `GET /metrics` on a separate port, so that metrics are not available on the public port.
 * @param host the local address to listen on; the default, 127.0.0.1, can be reached only from this machine
 * @throws Error with a message for the instance admin if the port is not available
 */
function serveText(text: () => Promise<string>, port: number, host = '127.0.0.1'): Promise<Server> {
  const server = createServer((req, res) => {
    const send = (status: number, body: string, type = types.other) =>
      res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    if (req.url?.split('?', 1)[0] !== '/metrics') return send(404, 'The metrics are at /metrics.\n')
    if (req.method !== 'GET' && req.method !== 'HEAD') return send(405, 'Use GET to read the metrics.\n')
    text().then(
      (body) => send(200, body, types.metrics),
      () => send(500, 'The metrics could not be read. Try again.\n'),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new Error(`Port ${port} for metrics can’t be opened (${code}). Set METRICS_PORT to another port.`),
      ),
    )
    // Do not let the listener keep the process alive.
    server.listen(port, host, () => resolve(server.unref()))
  })
}

/** The maximum wait for one source during a scrape, in milliseconds. */
const readingMs = 2_000

/**
 * Creates the OpenTelemetry instruments for all metrics. Returns the function that records a value.
 * @param meters the meters, one per meter provider
 * @param definitions the definitions of the metrics
 * @param sources the sources of values that are read on demand
 */
function recordMetrics(
  meters: readonly api.Meter[],
  definitions: readonly MetricDefinition[],
  sources: readonly Source[],
): Recorder['measure'] {
  const instruments = new Map<string, ((value: number, labels: api.Attributes) => void)[]>()
  const reads = sources.map(keepReadings)
  for (const meter of meters) {
    const observed = new Map<string, api.Observable>()
    for (const definition of definitions) {
      const { name } = definition
      const made = makeInstrument(meter, definition)
      if (typeof made === 'function') instruments.set(name, [...(instruments.get(name) ?? []), made])
      else observed.set(name, made)
    }
    meter.addBatchObservableCallback(
      async (result) => {
        const readings = await Promise.all(reads.map((read) => read()))
        for (const { name, value, labels } of readings.flat())
          result.observe(observed.get(name) as api.Observable, value, definedLabels(labels))
      },
      [...observed.values()],
    )
  }
  return (metric, value, labels) => {
    for (const record of instruments.get(metric) ?? []) record(value, definedLabels(labels))
  }
}

function makeInstrument(
  meter: api.Meter,
  { kind, name, unit, about: description, buckets }: MetricDefinition,
) {
  const options = { unit, description }
  switch (kind) {
    case 'counter': {
      const instrument = meter.createCounter(name, options)
      return (value: number, labels: api.Attributes) => instrument.add(value, labels)
    }
    case 'upDownCounter': {
      const instrument = meter.createUpDownCounter(name, options)
      return (value: number, labels: api.Attributes) => instrument.add(value, labels)
    }
    case 'histogram': {
      const advice = { explicitBucketBoundaries: [...(buckets ?? [])] }
      const instrument = meter.createHistogram(name, { ...options, advice })
      return (value: number, labels: api.Attributes) => instrument.record(value, labels)
    }
    case 'gauge':
      return meter.createObservableGauge(name, options)
    case 'observedCounter':
      return meter.createObservableCounter(name, options)
  }
}

/** Returns the labels that have a value. */
function definedLabels(labels: Labels): api.Attributes {
  const values: api.Attributes = {}
  for (const name in labels) if (labels[name] !== undefined) values[name] = labels[name]
  return values
}

/**
 * Returns a function that reads a source at most once per cache period. If reading the source fails or takes
 * too long, logs this and returns no values, so that an old value is not mistaken for a new one.
 */
function keepReadings({ name, keepMs, read }: Source): () => Promise<readonly Reading[]> {
  let kept: { at: number; readings: Promise<readonly Reading[]> } | undefined
  return () => {
    const now = performance.now()
    if (kept && now - kept.at < keepMs) return kept.readings
    const readings = withTimeout(readingMs, (async () => read())()).catch((error) => {
      log.warn('a metric could not be read', { name, error })
      return []
    })
    kept = { at: now, readings }
    return readings
  }
}

const {
  context,
  createContextKey,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} = api

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

/**
 * The trace headers that are omitted from outbound requests. Third-party servers receive only `traceparent`.
 */
const internalTraceHeaders = ['tracestate', 'baggage']

/**
 * The context key of our current span. Other code gets only a read-only span with the trace ID, because Next
 * would add full URLs and error messages to our spans.
 */
const ownSpan = createContextKey('latchkey.span')

const nothingBegun: EndStep = () => {}

/**
 * Creates the part of the recorder that records steps as spans. Requests start a trace or continue the
 * sender's trace, and jobs start a trace. Other steps are recorded only within an existing trace that is
 * sampled, so that timers do not create traces with a single span.
 * @param tracer the tracer that creates the spans; its sampler decides which traces are recorded
 */
function recordSteps(tracer: api.Tracer): Omit<Recorder, 'measure'> & { traceId: () => string | undefined } {
  const isRecorded = (parent: api.Context): boolean =>
    ((trace.getSpanContext(parent)?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0

  const parentOf = ({ kind, from }: Step): api.Context | undefined => {
    if (kind === 'server') return propagation.extract(ROOT_CONTEXT, from ?? {})
    if (kind === 'consumer') return ROOT_CONTEXT
    const active = context.active()
    return isRecorded(active) ? active : undefined
  }

  const start = ({ name, kind = 'internal', labels }: Step, parent: api.Context): api.Span =>
    tracer.startSpan(name, { kind: kinds[kind], attributes: { ...labels } }, parent)

  return {
    begin(step) {
      const parent = parentOf(step)
      return parent ? endOf(start(step, parent)) : nothingBegun
    },
    within(step, work) {
      const parent = parentOf(step)
      if (!parent) return work(nothingBegun)
      const span = start(step, parent)
      const inside = trace.setSpanContext(parent, span.spanContext()).setValue(ownSpan, span)
      return context.with(inside, () => work(endOf(span)))
    },
    label(labels) {
      const span = context.active().getValue(ownSpan) as api.Span | undefined
      span?.setAttributes({ ...labels })
    },
    headers() {
      const carrier: Record<string, string> = {}
      propagation.inject(context.active(), carrier)
      for (const name of internalTraceHeaders) delete carrier[name]
      return carrier
    },
    traceId() {
      const active = trace.getSpanContext(context.active())
      return active && isSpanContextValid(active) ? active.traceId : undefined
    },
  }
}

const endOf =
  (span: api.Span): EndStep =>
  (failure, labels) => {
    if (labels) span.setAttributes({ ...labels })
    if (failure !== undefined) {
      span.setAttribute('error.type', failure)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end()
  }
