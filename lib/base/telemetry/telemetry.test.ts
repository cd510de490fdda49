import { expect, it } from 'vitest'
import { requestedTelemetry } from './telemetry'

const collector = 'http://collector:4318'

it.each<[string, Record<string, string>, object | undefined]>([
  ['nothing', {}, undefined],
  ['only a name', { OTEL_SERVICE_NAME: 'login' }, undefined],
  ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: collector }, { traces: true, metrics: true }],
  ['a blank endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, undefined],
  [
    'an endpoint for traces',
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector },
    { traces: true, metrics: false },
  ],
  ['an exporter', { OTEL_METRICS_EXPORTER: 'otlp' }, { traces: false, metrics: true }],
  [
    'an endpoint with disabled traces',
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_EXPORTER: 'none' },
    { traces: false, metrics: true },
  ],
  [
    'an endpoint with a disabled SDK',
    { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: collector },
    undefined,
  ],
])('requestedTelemetry returns the destinations for %s', (_what, env, wanted) => {
  expect(requestedTelemetry(env, {})).toEqual(wanted)
})

it('METRICS_PORT enables the metrics endpoint unless OTEL_SDK_DISABLED is true', () => {
  const text = { METRICS_PORT: { port: 9464, host: '127.0.0.1' } }
  expect(requestedTelemetry({}, text)).toMatchObject({ traces: false, metrics: false, text: { port: 9464 } })
  expect(requestedTelemetry({ OTEL_SDK_DISABLED: 'TRUE' }, text)).toBeUndefined()
})

it.each([
  [{ OTEL_TRACES_EXPORTER: 'jaeger' }, 'OTEL_TRACES_EXPORTER must be otlp, console, zipkin or none.'],
  [{ OTEL_METRICS_EXPORTER: 'otlp,prometheus' }, /is prometheus. Set METRICS_PORT=9464 instead/],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'http' },
    'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, http/json or grpc.',
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /must be an http or https address/],
])('requestedTelemetry rejects %j with an error that names the problem', (env, words) => {
  expect(() => requestedTelemetry(env as unknown as Record<string, string>, {})).toThrow(words)
})
