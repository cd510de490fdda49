import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkSetting, readConfig } from './env'
import { variableNames } from './environment'

const good = { DATABASE_URL: 'postgresql://u:p@db/latchkey', SECRET_KEY: '3f9c1b7e5a2d8046e1c7b39f0d5a6284' }

describe('readConfig', () => {
  it('fills in the documented defaults', () => {
    expect(readConfig(good)).toMatchObject({
      PORT: 3000,
      BASE_URL: 'http://localhost:3000',
      serviceName: 'Latchkey',
      SEED_DEMO: false,
    })
    expect(readConfig({ ...good, PORT: '4000' }).BASE_URL).toBe('http://localhost:4000')
  })

  it('ignores a trailing slash in BASE_URL and variables with blank values', () => {
    expect(readConfig({ ...good, BASE_URL: 'https://login.example.com/', PORT: ' ' })).toMatchObject({
      BASE_URL: 'https://login.example.com',
      PORT: 3000,
    })
  })

  it('uses Vercel-specific defaults in a Vercel function', () => {
    const vercel = {
      VERCEL: '1',
      VERCEL_URL: 'a-b.vercel.app',
      VERCEL_PROJECT_PRODUCTION_URL: 'login.example.com',
    }
    const production = { ...good, ...vercel, VERCEL_ENV: 'production' }
    expect(readConfig(production)).toMatchObject({
      functions: true,
      DATABASE_POOL: 4,
      TRUST_PROXY: '1',
      BASE_URL: 'https://login.example.com',
    })
    expect(readConfig({ ...good, ...vercel, VERCEL_ENV: 'preview' }).BASE_URL).toBe('https://a-b.vercel.app')
    expect(readConfig({ ...production, TRUST_PROXY: '2', BASE_URL: 'https://id.example.com' })).toMatchObject(
      {
        TRUST_PROXY: '2',
        BASE_URL: 'https://id.example.com',
      },
    )
    expect(readConfig(good)).toMatchObject({ functions: false, DATABASE_POOL: 10 })
    expect(readConfig(good).TRUST_PROXY).toBeUndefined()
  })

  it.each([
    ['9464', { port: 9464, host: '127.0.0.1' }],
    ['0.0.0.0:9464', { port: 9464, host: '0.0.0.0' }],
    ['[::]:9464', { port: 9464, host: '::' }],
  ])('accepts %s as METRICS_PORT', (METRICS_PORT, expected) =>
    expect(readConfig({ ...good, METRICS_PORT }).METRICS_PORT).toEqual(expected),
  )

  it('turns off prepared statements if DATABASE_URL contains pgbouncer=true', () => {
    const prepares = (query: string) =>
      readConfig({ ...good, DATABASE_URL: `${good.DATABASE_URL}${query}` }).preparesStatements
    expect(prepares('?pgbouncer=true')).toBe(false)
    expect(prepares('?sslmode=disable')).toBe(true)
  })

  it.each([
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must look like postgresql://'],
    [{ DATABASE_URL: 'postgresql://u:p@db/l?sslmode=required' }, 'DATABASE_URL has an unsupported sslmode'],
    [
      { DATABASE_DIRECT_URL: 'postgresql://u:p@db/l?sslmode=verify-ca' },
      'DATABASE_DIRECT_URL has sslmode=verify-ca, which needs the certificate of the authority in DATABASE_CA',
    ],
    [{ DATABASE_URL: 'postgresql://u:p@one,two:port/l' }, 'DATABASE_URL must look like postgresql://'],
    [
      { DATABASE_URL: 'postgresql://u:p@one,two/l?target_session_attrs=standby' },
      'DATABASE_URL has target_session_attrs that do not select the primary',
    ],
    [{ DATABASE_CA: '/etc/ssl/ca.pem' }, 'DATABASE_CA must be a certificate as text'],
    [{ CRON_SECRET: 'short' }, 'CRON_SECRET must have at least 16 characters'],
    [{ SECRET_KEY: undefined }, 'SECRET_KEY is not set'],
    [{ SECRET_KEY: 'short-secret' }, 'SECRET_KEY must have at least 32 characters'],
    ...[
      'a'.repeat(40),
      'changeme'.repeat(4),
      'change-me-change-me-change-me-now',
      '0123456789abcdef'.repeat(2),
    ].map((key): [Record<string, string>, string] => [
      { SECRET_KEY: key },
      'SECRET_KEY is easy to guess; set it to',
    ]),
    [{ CRON_SECRET: 'abababababababab' }, 'CRON_SECRET is easy to guess; set it to the output of `openssl'],
    [{ MIGRATE: 'maybe' }, 'MIGRATE must be 1 or 0.'],
    [{ MAIL_FROM: 'Latchkey' }, 'MAIL_FROM must be an email address, such as no-reply@example.com'],
    [{ MAIL_FROM: 'Latchkey <no-reply>' }, 'MAIL_FROM must be an email address'],
    [{ REQUIRE_TWO_FACTO: 'all' }, 'REQUIRE_TWO_FACTO is not a setting; did you mean REQUIRE_TWO_FACTOR?'],
    [{ SECOND_FACTOR: 'everybody' }, 'SECOND_FACTOR is no longer a setting. Use REQUIRE_TWO_FACTOR'],
    [{ REQUIRE_TWO_FACTOR: 'everybody' }, 'REQUIRE_TWO_FACTOR must be none, instance-admins or all.'],
    [{ METRICS_PORT: '0.0.0.0' }, 'METRICS_PORT must be a port, or an address and a port'],
    [{ METRICS_PORT: '70000' }, 'METRICS_PORT must be a port'],
    [
      { METRICS_PORT: '0.0.0.0:3000' },
      'METRICS_PORT and PORT are both 3000. Set METRICS_PORT to another port.',
    ],
    [{ ADMIN_EMAIL: 'ada' }, 'ADMIN_EMAIL must be an email address'],
    [{ ADMIN_EMAIL: 'ada@example.com' }, 'ADMIN_EMAIL needs a password. Set ADMIN_PASSWORD_FILE'],
    [{ ADMIN_PASSWORD: 'short-secret' }, 'ADMIN_PASSWORD is no longer a setting. Use ADMIN_PASSWORD_FILE.'],
    [{ ADMIN_PASSWORD_FILE: '/run/secrets/admin' }, 'ADMIN_PASSWORD_FILE needs ADMIN_EMAIL.'],
    [{ PORT: 'http' }, 'PORT must be a number'],
    [{ PORT: '70000' }, 'PORT must be a number'],
    [{ BASE_URL: 'https://example.com/login' }, 'BASE_URL must be an origin'],
    [{ BASE_URL: 'example.com' }, 'BASE_URL must be an http or https address'],
    [{ DATABASE_POOL: '0' }, 'DATABASE_POOL must be a number between 1 and 200.'],
    [{ RATE_LIMIT_PER_HOUR: 'many' }, 'RATE_LIMIT_PER_HOUR must be a whole number from 1.'],
    [{ SEED_DEMO: 'yes' }, 'SEED_DEMO must be 1 or 0'],
    [
      { TRUST_PROXY: 'loadbalancer' },
      'TRUST_PROXY must be the number of proxies in front of the server (1 to 9), or addresses and ranges',
    ],
    [
      { TRUST_PROXY: '10.0.0.0/8, 10.0.0.0/64' },
      'TRUST_PROXY must be the number of proxies in front of the server (1 to 9), or addresses and ranges',
    ],
  ])('rejects %j with one sentence that contains no secret', (wrong, sentence) => {
    const message = (() => {
      try {
        readConfig({ ...good, ...wrong })
        return ''
      } catch (error) {
        return (error as Error).message
      }
    })()
    expect(message).toContain(sentence)
    expect(message.endsWith('.')).toBe(true)
    expect(message).not.toContain('short-secret')
  })
})

describe('every environment variable', () => {
  it('is one of at most 40 variables', () => expect(variableNames.length).toBeLessThanOrEqual(40))

  /** An invalid value for each variable. Variables without an entry accept any single-line text. */
  const bad: Record<string, string> = { ADMIN_EMAIL: 'ada' }
  /** Matches the validator's default messages. */
  const raw = /invalid|expected|received|required|too (small|big|short|long)|zod/i

  it.each(variableNames)(
    'causes an error that names the variable but omits its value if the value is invalid: %s',
    (name) => {
      const value = bad[name] ?? 'two\nlines \u0007'
      const problem = (() => {
        try {
          readConfig({ ...good, [name]: value })
          return ''
        } catch (error) {
          return (error as Error).message
        }
      })()
      expect(problem.startsWith(`${name} `)).toBe(true)
      expect(problem.endsWith('.')).toBe(true)
      expect(problem).not.toMatch(raw)
      expect(problem).not.toContain(value)
      expect(problem).toMatch(/must|has|is easy to guess/)
    },
  )

  it('that holds a secret accepts generated values', () => {
    for (let index = 0; index < 300; index++) {
      // Use fixed bytes, because one in ten thousand of the shortest random secrets looks like a sequence.
      const bytes = createHash('sha256').update(String(index)).digest()
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const SECRET_KEY = bytes.subarray(0, 24).toString(encoding)
        expect(checkSetting('SECRET_KEY', SECRET_KEY)).toBeUndefined()
      }
      expect(checkSetting('CRON_SECRET', bytes.subarray(24).toString('hex'))).toBeUndefined()
    }
  })
})
