import { remember } from '@/lib/base/process/remember'

/** The labels of a measurement or a step. They contain only fixed words and numbers, never client data. */
export type Labels = Readonly<Record<string, string | number | undefined>>

/** A step in the processing of a request or a job. */
export type Step = {
  name: string
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  labels?: Labels
  /** The headers of the request, which can continue the sender's trace (W3C Trace Context). */
  from?: Readonly<Record<string, string | string[] | undefined>>
}

/**
 * Ends a step.
 * @param failure the code of the error, never its message; undefined if the step succeeded
 * @param labels the labels that are known only at the end
 */
export type EndStep = (failure?: string, labels?: Labels) => void

/**
 * The functions that record metrics and steps while telemetry is enabled. start-telemetry.ts implements them.
 */
export type Recorder = {
  measure: (metric: string, value: number, labels: Labels) => void
  /** Starts a step that contains no other steps. Returns the function that ends it. */
  begin: (step: Step) => EndStep
  /** Starts a step and runs work inside it. The work must call `end`. */
  within: <Result>(step: Step, work: (end: EndStep) => Result) => Result
  label: (labels: Labels) => void
  /** Returns the headers that identify the trace to the receiver of a request. */
  headers: () => Record<string, string>
}

/**
 * A function that receives every count and duration for the charts for instance admins, even if metrics are
 * not exported.
 */
type Counting = (metric: string, value: number, labels: Labels) => void

/**
 * The process's telemetry state. It is shared under a name because Next bundles a second copy of this module.
 */
const holder = remember<{ recorder?: Recorder | undefined; counting?: Counting }>('telemetry', () => ({}))

/**
 * Returns the recorder, or undefined if telemetry is disabled. Without a recorder, callers skip their
 * measurements. See ADR 0042.
 */
export const recorder = (): Recorder | undefined => holder.recorder

/** Enables telemetry in this process, or disables it if the recorder is undefined. */
export const setRecorder = (recorder: Recorder | undefined): void => {
  holder.recorder = recorder
}

/**
 * Sets the function that receives all counts and durations in this process for the charts for instance
 * admins.
 */
export const setCountListener = (counting: Counting): void => {
  holder.counting = counting
}

/** Returns whether anything receives counts and durations: the recorder or the charts for instance admins. */
export const isMeasured = (): boolean => holder.recorder !== undefined || holder.counting !== undefined

/** Records a count or a duration. */
export function measure(metric: string, value: number, labels: Labels): void {
  holder.recorder?.measure(metric, value, labels)
  holder.counting?.(metric, value, labels)
}

/**
 * Runs work as a step of a trace or, if telemetry is disabled, only runs the work. The step ends when the
 * work ends, and fails if the work throws an error.
 * @param codeOf returns the code of a thrown value; by default, the error's name
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

/**
 * Returns an error's name, or `unknown` for any other value. The message is not used, because it can contain
 * any data.
 */
const nameOfError = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

type Env = Readonly<Record<string, string | undefined>>

/** The destinations of telemetry. */
export type Destinations = {
  /** Whether the environment configures exporters for traces. */
  traces: boolean
  /** Whether the environment configures exporters for metrics. */
  metrics: boolean
  /** The port and host that serve metrics as text. Undefined if METRICS_PORT is not set. */
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
 * Returns the telemetry that the environment enables with OpenTelemetry's variables and METRICS_PORT.
 * OTEL_EXPORTER_OTLP_ENDPOINT enables traces unless OTEL_TRACES_EXPORTER is set, and metrics unless
 * OTEL_METRICS_EXPORTER is set. If an exporter is enabled without an endpoint, the exporter uses the
 * standard's default endpoint.
 * @param settings the validated METRICS_PORT
 * @returns undefined if telemetry is disabled, so that the SDK is not loaded
 * @throws Error that names the variable if a value is invalid, because the SDK would ignore it
 */
export function requestedTelemetry(
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
