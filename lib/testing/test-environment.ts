import os from 'node:os'
import path from 'node:path'

/** Settings a developer's shell may carry; a test must see none of them, least of all a real database. */
const SETTINGS = [
  ...[
    'DATABASE_DIRECT_URL',
    'DATABASE_CA',
    'DATABASE_PREPARED',
    'DATABASE_TIMEOUT',
    'CRON_SECRET',
    'DNS_SERVERS',
  ],
  ...['DATABASE_URL', 'DATABASE_POOL', 'DATA_DIR', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'SEED_DEMO'],
  ...['DEMO_PASSWORD', 'MIGRATE'],
  ...['METRICS_PORT', 'METRICS_HOST', 'OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER', 'OTEL_METRICS_EXPORTER'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
  ...['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'OTEL_PROPAGATORS'],
  ...['PORT', 'HOST', 'BASE_URL', 'TRUST_PROXY', 'SERVICE_NAME', 'ACCENT_COLOR', 'LOGO_URL'],
  ...['LOGO_DARK_URL', 'MAIL_WELCOME', 'MAIL_FOOTER'],
  ...['LOG_LEVEL', 'LOG_FORMAT', 'LOG_ADDRESSES', 'ACCESS_LOG'],
  ...['HELP_URL', 'TERMS_URL', 'PRIVACY_URL'],
  ...['SMTP_URL', 'MAIL_FROM', 'GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ...['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME', 'OIDC_ID_TOKEN_ALG'],
  ...[
    'AUDIT_DAYS',
    'AUDIT_STREAM_NETWORKS',
    'RATE_LIMIT_PER_HOUR',
    'REGISTRATION_BURST',
    'REGISTRATION_PER_HOUR',
  ],
  ...['GRAPHQL_MAX_DEPTH', 'GRAPHQL_MAX_ALIASES', 'GRAPHQL_MAX_COST'],
  ...['PGHOST', 'PGPORT', 'PGUSER', 'PGPASSWORD', 'PGDATABASE', 'PGSERVICE', 'PGPASSFILE'],
  ...['VERCEL', 'VERCEL_ENV', 'VERCEL_URL', 'VERCEL_PROJECT_PRODUCTION_URL'],
]

/** An environment without any of Latchkey's settings, for the processes that tests start. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of SETTINGS) delete env[name]
  return env
}

/**
 * Gives this process the settings of a test, and none besides.
 * @param databaseUrl the test's own database
 * @param port where a server of the test would listen
 */
export function applyTestEnvironment(databaseUrl: string, port: number): void {
  for (const name of SETTINGS) delete process.env[name]
  Object.assign(process.env, {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'for-tests-only-3f9c1b7e5a2d8046e1c7b39f0d5a6284',
    PORT: String(port),
    HOST: '127.0.0.1',
    // What a test is about, it keeps by lib/testing/captured-log.
    LOG_LEVEL: 'error',
    BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: path.join(os.tmpdir(), 'latchkey-tests-write-no-files'),
    // Nobody answers there, which is told at once; a test that asks has a name server of its own (dns-server.ts).
    DNS_SERVERS: '127.0.0.1:9',
  })
}
