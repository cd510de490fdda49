import { remember } from '@/lib/base/process/remember'

/** What a measurement or a step says beside its value. Never what a client sent: words that stand in the code, and numbers. */
export type Labels = Readonly<Record<string, string | number | undefined>>

/** A step of the work on a request or a job. */
export type Step = {
  name: string
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  labels?: Labels
  /** The headers of the request that it answers: whoever sent it may have begun the trace (W3C Trace Context). */
  from?: Readonly<Record<string, string | string[] | undefined>>
}

/** Ends a step. @param failure what it failed of: the code of an error, never its message @param labels known only now */
export type EndStep = (failure?: string, labels?: Labels) => void

/** What stands behind this file while telemetry is on (start-telemetry.ts). */
export type Recorder = {
  measure: (metric: string, value: number, labels: Labels) => void
  /** Begins a step that nothing happens in but waiting. */
  begin: (step: Step) => EndStep
  /** Begins a step, and does its work: what happens in there belongs to it. */
  within: <Result>(step: Step, work: (end: EndStep) => Result) => Result
  label: (labels: Labels) => void
  /** The headers that tell the receiver of a request which trace it belongs to. */
  headers: () => Record<string, string>
}

/** Hears of every count and duration, for the instance admin's own charts: of those that are exported nowhere too. */
type Counting = (metric: string, value: number, labels: Labels) => void

/** One per process, although Next bundles this module a second time. */
const holder = remember<{ recorder?: Recorder | undefined; counting?: Counting }>('telemetry', () => ({}))

/** What records; undefined while telemetry is off, which costs whoever asks nothing. See ADR 0053. */
export const recorder = (): Recorder | undefined => holder.recorder

/** Begins or ends telemetry in this process. */
export const recordWith = (recorder: Recorder | undefined): void => {
  holder.recorder = recorder
}

/** Has every count and duration of this process told from now on. */
export const countWith = (counting: Counting): void => {
  holder.counting = counting
}

/** Whether anybody wants to hear of counts and durations. */
export const isMeasured = (): boolean => holder.recorder !== undefined || holder.counting !== undefined

/** Tells a count or a duration to whoever wants to hear of it. */
export function measure(metric: string, value: number, labels: Labels): void {
  holder.recorder?.measure(metric, value, labels)
  holder.counting?.(metric, value, labels)
}

/**
 * Does some work as a step of the trace it belongs to. The step ends when the work does, and failed if that throws.
 * @param codeOf what is said of what was thrown; its name alone unless given
 */
export function step<Result>(
  what: Step,
  work: () => Promise<Result>,
  codeOf: (error: unknown) => string = nameOfError,
): Promise<Result> {
  if (!holder.recorder) return work()
  return holder.recorder.within(what, async (end) => {
    try {
      const result = await work()
      end()
      return result
    } catch (error) {
      end(codeOf(error))
      throw error
    }
  })
}

/** The name of an error's class, which stands in the code, where its message may hold anything. */
const nameOfError = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

type Env = Readonly<Record<string, string | undefined>>

/** Where telemetry goes. */
export type Destinations = {
  /** Traces to the exporters that the environment names. */
  traces: boolean
  /** Metrics to the exporters that the environment names. */
  metrics: boolean
  /** Metrics as text, for whoever asks at a port. */
  text?: { port: number; host?: string | undefined }
}

const known = {
  OTEL_TRACES_EXPORTER: ['otlp', 'console', 'zipkin', 'none'],
  OTEL_METRICS_EXPORTER: ['otlp', 'console', 'none'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['http/protobuf', 'http/json', 'grpc'],
} as const

const endpoints = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
]

/**
 * What the environment asks for, by OpenTelemetry's own variables and ours for the port. Naming an endpoint sends traces and
 * metrics there; naming an exporter alone uses the endpoint that the standard has by default.
 * @param settings METRICS_PORT, checked
 * @returns undefined when nothing is wanted, so that nothing of it need be loaded
 * @throws Error with one sentence for a value that the SDK would pass over
 */
export function wantedTelemetry(
  env: Env,
  { METRICS_PORT: text }: { METRICS_PORT?: Destinations['text'] },
): Destinations | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined
  const traces = isWanted(env, 'OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const metrics = isWanted(env, 'OTEL_METRICS_EXPORTER', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT')
  if (!traces && !metrics && text === undefined) return undefined
  listed(env, 'OTEL_EXPORTER_OTLP_PROTOCOL')
  for (const name of endpoints) requireAddress(env, name)
  return { traces, metrics, ...(text === undefined ? {} : { text }) }
}

function isWanted(env: Env, exporter: keyof typeof known, endpoint: string): boolean {
  const named = listed(env, exporter)
  if (named.length > 0) return !named.includes('none')
  return Boolean(env[endpoint]?.trim() || env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim())
}

function listed(env: Env, name: keyof typeof known): string[] {
  const values = (env[name] ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean)
  const wrong = values.find((value) => !(known[name] as readonly string[]).includes(value))
  if (wrong === undefined) return values
  if (wrong === 'prometheus') {
    throw new Error(
      `${name} is prometheus. Set METRICS_PORT=9464 instead, which only this machine can reach.`,
    )
  }
  throw new Error(`${name} must be ${known[name].slice(0, -1).join(', ')} or ${known[name].at(-1)}.`)
}

function requireAddress(env: Env, name: string): void {
  const value = env[name]?.trim()
  if (value && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new Error(`${name} must be an http or https address, such as http://collector:4318.`)
  }
}
