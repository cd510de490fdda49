import { api } from '@opentelemetry/sdk-node'
import type { EndStep, Recorder, Step } from './telemetry'

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
export function recordSteps(
  tracer: api.Tracer,
): Omit<Recorder, 'measure'> & { traceId: () => string | undefined } {
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
