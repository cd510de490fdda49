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
  recordWith,
  type Step,
} from './telemetry'

/** What is ours among what a process measures. */
const scope = 'latchkey'

/**
 * Starts OpenTelemetry in this process. Nothing but this file and those it imports loads the SDK, and nothing imports it
 * unless telemetry is wanted.
 * See ADR 0053.
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

/** How Prometheus writes a unit into the name of a metric, as OpenTelemetry's collector does; the exporter leaves it out. */
const units: Record<string, string> = { s: 'seconds', By: 'bytes', '1': 'ratio' }

/** A metric's name in Prometheus text, without what stands for its parts (`_bucket`, `_total`). */
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

/** What reads metrics and writes them as text, for a provider of meters. */
type TextReader = { reader: PrometheusExporter; text: () => Promise<string> }

/** Makes it. */
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
 * Answers `GET /metrics` on a port of its own, which nobody reaches by the product's address.
 * @param host an address of this machine; 127.0.0.1, which nobody else reaches, when undefined
 * @throws Error with one sentence when the port cannot be had
 */
function serveText(text: () => Promise<string>, port: number, host = '127.0.0.1'): Promise<Server> {
  const server = createServer((req, res) => {
    const send = (status: number, body: string, type = types.other) =>
      res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    if (req.url?.split('?', 1)[0] !== '/metrics') return send(404, 'The metrics are at /metrics.\n')
    if (req.method !== 'GET' && req.method !== 'HEAD') return send(405, 'The metrics are read with GET.\n')
    text().then(
      (body) => send(200, body, types.metrics),
      () => send(500, 'The metrics could not be read.\n'),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new Error(`Port ${port} for metrics cannot be opened (${code}). Choose another with METRICS_PORT.`),
      ),
    )
    // It keeps no process from ending.
    server.listen(port, host, () => resolve(server.unref()))
  })
}

/** Whoever asks for metrics does not wait longer for one part of them, in milliseconds. */
const readingMs = 2_000

/**
 * Makes the instruments of metrics.
 * @param meters one for each way out
 * @param definitions what is measured
 * @param sources where values come from that are read when somebody asks
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
          result.observe(observed.get(name) as api.Observable, value, said(labels))
      },
      [...observed.values()],
    )
  }
  return (metric, value, labels) => {
    for (const record of instruments.get(metric) ?? []) record(value, said(labels))
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

/** Labels that have a value. */
function said(labels: Labels): api.Attributes {
  const values: api.Attributes = {}
  for (const name in labels) if (labels[name] !== undefined) values[name] = labels[name]
  return values
}

/** Reads a source no more often than it allows. What cannot be read is left out, so that nobody takes an old value for a new one. */
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

/** What a caller says to those behind us is not handed on to the addresses of strangers; which trace it is, is. */
const keptToOurselves = ['tracestate', 'baggage']

/**
 * Where the span of the step under way is kept. What everybody else finds in the context says which trace it is and takes
 * nothing: Next would write whole addresses and messages of errors into it.
 */
const ownSpan = createContextKey('latchkey.span')

const nothingBegun: EndStep = () => {}

/**
 * Records steps as spans. A request and a job begin a trace; every other step belongs to one, or is not recorded, so that
 * what a timer does makes no traces of one step.
 * @param tracer makes the spans; of its sampler it depends which traces are recorded
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
      for (const name of keptToOurselves) delete carrier[name]
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
