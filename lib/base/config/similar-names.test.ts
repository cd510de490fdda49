import { describe, expect, it } from 'vitest'
import { variableNames } from './environment'
import { findMisspelledSetting, refuseUnknownNames, removedVariables } from './similar-names'

const mistake = (name: string, more = {}) => findMisspelledSetting({ [name]: 'all', ...more }, variableNames)

describe('findMisspelledSetting', () => {
  it.each([
    ['REQUIRE_TWO_FACTORS', 'REQUIRE_TWO_FACTOR'],
    ['REQUIRETWOFACTOR', 'REQUIRE_TWO_FACTOR'],
    ['WORKSPACE_APP', 'WORKSPACE_APPS'],
    ['SECRETKEY', 'SECRET_KEY'],
    ['SERCET_KEY', 'SECRET_KEY'],
    ['SECRET_KEY_PREVIUOS', 'SECRET_KEY_PREVIOUS'],
    ['AUDIT_DAY', 'AUDIT_DAYS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['TRUST_PROXIES', undefined],
    ['TRUST_PROXYS', 'TRUST_PROXY'],
    ['trust_proxy', 'TRUST_PROXY'],
    ['LATCHKEY_TRUST_PROXY', 'TRUST_PROXY'],
    ['LATCHKEY_SETTING', 'LATCHKEY_SETTINGS'],
    ['EMAIL_FROM', 'MAIL_FROM'],
    ['TWO_FACTOR', 'REQUIRE_TWO_FACTOR'],
  ])('returns the probable setting for %s: %s', (name, meant) => expect(mistake(name)?.meant).toBe(meant))

  it('ignores a misspelled variable if the setting itself is set or the variable is empty', () => {
    expect(mistake('DATABASE_URI', { DATABASE_URL: 'postgresql://db/latchkey' })).toBeUndefined()
    expect(findMisspelledSetting({ DATABASE_URI: ' ' }, variableNames)).toBeUndefined()
  })

  /** Variables that shells, CI systems, Kubernetes, container platforms and similar programs set. */
  const foreign = `
    NODE_ENV HOSTNAME HOSTTYPE LOGNAME HOME PATH PWD USER SHELL SHLVL TERM LANG LC_ALL TZ MAIL EDITOR VISUAL PAGER
    DISPLAY SSH_AUTH_SOCK SSH_CLIENT XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR XDG_SESSION_ID
    XDG_SESSION_TYPE SESSION_MANAGER DESKTOP_SESSION DBUS_SESSION_BUS_ADDRESS NODE_OPTIONS NODE_PATH NODE_VERSION
    YARN_VERSION NVM_DIR NPM_TOKEN npm_config_cache npm_lifecycle_event npm_package_name INIT_CWD COREPACK_ROOT
    PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB POSTGRES_URL
    DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_PASSWORD DB_HOST DB_URL DIRECT_URL SHADOW_DATABASE_URL
    REDIS_URL MONGO_URL AMQP_URL SENTRY_DSN SENTRY_RELEASE OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_ENDPOINT
    SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASSWORD GITHUB_TOKEN GITHUB_ACTIONS GITHUB_ACTOR GITHUB_REF GITHUB_SHA
    GITHUB_SERVER_URL GITHUB_API_URL GITHUB_WORKSPACE GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT
    AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AZURE_CLIENT_ID AZURE_CLIENT_SECRET CLIENT_ID CLIENT_SECRET
    CI DEBUG FORCE_COLOR NO_COLOR PORTS HOSTS WEB_CONCURRENCY RAILS_ENV DJANGO_SECRET_KEY NEXTAUTH_URL NEXTAUTH_SECRET
    NEXT_TELEMETRY_DISABLED NEXT_PUBLIC_BASE_URL VERCEL VERCEL_ENV VERCEL_URL DYNO RENDER_EXTERNAL_URL FLY_APP_NAME
    LATCHKEY_PORT LATCHKEY_SERVICE_HOST LATCHKEY_SERVICE_PORT LATCHKEY_PORT_3000_TCP LATCHKEY_SERVICE_PORT_HTTP
    KUBERNETES_SERVICE_HOST KUBERNETES_PORT INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID MEMORY_PRESSURE_WATCH
    CREDENTIALS_DIRECTORY UV_THREADPOOL_SIZE SERVICE_ACCOUNT TOKEN_URL ISSUER LOG_FILE LOG_DIR CACHE_DIR TMPDIR
    HTTP_PROXY HTTPS_PROXY NO_PROXY SSL_CERT_FILE ENV_FILE MAX_DEPTH TIMEOUT_MS
  `
  it.each(foreign.trim().split(/\s+/))('ignores %s, which belongs to another program', (name) => {
    expect(mistake(name)).toBeUndefined()
  })
})

describe('variables of earlier releases', () => {
  it.each([
    ['SECOND_FACTOR', 'everybody', 'Use REQUIRE_TWO_FACTOR with none, instance-admins or all.'],
    ['ASK_FIRST', 'all', 'Use REQUIRE_APPROVAL.'],
    ['SIGN_UP', 'closed', 'Set signUp in the console or in LATCHKEY_SETTINGS.'],
    ['SIGN_UP_DOMAINS', 'example.com', 'Set signUpDomains in'],
    ['DYNAMIC_REGISTRATION', 'off', 'Set dynamicRegistration in'],
    ['SESSION_IDLE_DAYS', '1', 'Unused sessions end after half of sessionDays.'],
    ['DATABASE_PREPARED', '0', 'add the parameter pgbouncer=true to DATABASE_URL'],
    ['METRICS_HOST', '127.0.0.1', 'such as 0.0.0.0:9464'],
  ])('prevent the server from starting if ignoring them is dangerous: %s', (name, value, advice) => {
    const start = (more = {}) => refuseUnknownNames({ [name]: value, ...more }, variableNames)
    expect(start).toThrow(`${name} is no longer a setting.`)
    expect(start).toThrow(advice)
    expect(() => start({ REQUIRE_TWO_FACTOR: 'none' })).toThrow(advice)
    expect(() => refuseUnknownNames({ [name]: ' ' }, variableNames)).not.toThrow()
  })

  it.each(['SERVICE_NAME', 'HELP_URL', 'RESTORE_DAYS', 'GRAPHQL_MAX_DEPTH', 'LOG_FORMAT', 'DNS_SERVERS'])(
    'are reported without preventing the server from starting if ignoring them is harmless: %s',
    (name) => {
      expect(() => refuseUnknownNames({ [name]: 'x' }, variableNames)).not.toThrow()
      expect(removedVariables({ [name]: 'x' }, variableNames)).toEqual([
        expect.stringContaining(`${name} is no longer a setting. `),
      ])
    },
  )

  it('do not include variables that are still read', () => {
    const env = Object.fromEntries(variableNames.map((name) => [name, 'x']))
    expect(removedVariables(env, variableNames)).toEqual([])
  })
})
