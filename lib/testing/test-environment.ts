import os from 'node:os'
import path from 'node:path'
import { variableNames } from '@/lib/base/config/environment'

/**
 * Environment variables that a developer's shell might contain and that tests must not use, such as a real
 * database's URL.
 */
const SETTINGS = [
  ...variableNames.filter((name) => name !== 'ENV_FILE'),
  ...['OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER', 'OTEL_METRICS_EXPORTER'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
  ...['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'OTEL_PROPAGATORS'],
  ...['PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGDATABASE', 'PGSERVICE', 'PGPASSFILE'],
  ...['VERCEL', 'VERCEL_ENV', 'VERCEL_URL', 'VERCEL_PROJECT_PRODUCTION_URL'],
]

/** Returns this process's environment without `SETTINGS`, for the child processes that tests start. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of SETTINGS) delete env[name]
  return env
}

/**
 * Replaces this process's settings with a test's settings.
 * @param databaseUrl the URL of the test's own database
 * @param port the port of the test's server
 */
export function applyTestEnvironment(databaseUrl: string, port: number): void {
  for (const name of SETTINGS) delete process.env[name]
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'for-tests-only-3f9c1b7e5a2d8046e1c7b39f0d5a6284',
    PORT: String(port),
    HOST: '127.0.0.1',
    // Log only errors. Tests that check log entries use lib/testing/captured-log.ts.
    LOG_LEVEL: 'error',
    BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: path.join(os.tmpdir(), 'latchkey-tests-write-no-files'),
  })
}
