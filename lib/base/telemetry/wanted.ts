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
 * @param text METRICS_PORT and METRICS_HOST, checked
 * @returns undefined when nothing is wanted, so that nothing of it need be loaded
 * @throws Error with one sentence for a value that the SDK would pass over
 */
export function wantedTelemetry(
  env: Env,
  text: { METRICS_PORT?: number | undefined; METRICS_HOST?: string | undefined },
): Destinations | undefined {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined
  const traces = isWanted(env, 'OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const metrics = isWanted(env, 'OTEL_METRICS_EXPORTER', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT')
  const { METRICS_PORT: port, METRICS_HOST: host } = text
  if (!traces && !metrics && port === undefined) return undefined
  listed(env, 'OTEL_EXPORTER_OTLP_PROTOCOL')
  for (const name of endpoints) requireAddress(env, name)
  return { traces, metrics, ...(port === undefined ? {} : { text: { port, host } }) }
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
      `${name} names prometheus; set METRICS_PORT=9464 instead, which only this machine reaches.`,
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
