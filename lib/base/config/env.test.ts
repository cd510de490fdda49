import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkSetting, readConfig, settingNames } from './env'

const good = { DATABASE_URL: 'postgresql://u:p@db/latchkey', SECRET_KEY: '3f9c1b7e5a2d8046e1c7b39f0d5a6284' }

describe('readConfig', () => {
  it('fills in the documented defaults', () => {
    expect(readConfig(good)).toMatchObject({
      PORT: 3000,
      BASE_URL: 'http://localhost:3000',
      SERVICE_NAME: 'Latchkey',
      SEED_DEMO: false,
    })
    expect(readConfig({ ...good, PORT: '4000' }).BASE_URL).toBe('http://localhost:4000')
  })

  it('takes an origin with a trailing slash and a variable that is set but empty', () => {
    expect(readConfig({ ...good, BASE_URL: 'https://login.example.com/', PORT: ' ' })).toMatchObject({
      BASE_URL: 'https://login.example.com',
      PORT: 3000,
    })
  })

  it('takes other defaults where a process is a function of Vercel’s', () => {
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

  it('takes links as addresses and as paths', () => {
    const links = { HELP_URL: '/docs#help', TERMS_URL: 'https://example.com/terms', PRIVACY_URL: '/' }
    expect(readConfig({ ...good, ...links })).toMatchObject(links)
    expect(readConfig(good).HELP_URL).toBeUndefined()
  })

  it.each([
    '/logo.svg',
    'https://example.com/logo.png',
    'https://BÜCHER.example:8443/a;b',
    'https://[::1]/x',
    'data:image/svg+xml;base64,PHN2Zy8+',
  ])('takes the logo %s', (LOGO_URL) => expect(readConfig({ ...good, LOGO_URL }).LOGO_URL).toBe(LOGO_URL))

  it.each([
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must look like postgresql://'],
    [
      { DATABASE_URL: 'postgresql://u:p@db/l?sslmode=required' },
      'DATABASE_URL has an sslmode that is unknown',
    ],
    [
      { DATABASE_DIRECT_URL: 'postgresql://u:p@db/l?sslmode=verify-ca' },
      'DATABASE_DIRECT_URL has sslmode=verify-ca, which needs the certificate of the authority in DATABASE_CA',
    ],
    [{ DATABASE_URL: 'postgresql://u:p@one,two:port/l' }, 'DATABASE_URL must look like postgresql://'],
    [
      { DATABASE_URL: 'postgresql://u:p@one,two/l?target_session_attrs=standby' },
      'DATABASE_URL has target_session_attrs that lead to no primary',
    ],
    [{ DATABASE_CA: '/etc/ssl/ca.pem' }, 'DATABASE_CA must be a certificate as a text'],
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
    [{ SECOND_FACTO: 'everybody' }, 'SECOND_FACTO is not a setting; did you mean'],
    [{ SIGN_UP_DOMAIN: 'example.com' }, 'SIGN_UP_DOMAIN is not a setting; did you mean SIGN_UP_DOMAINS?'],
    [{ ADMIN_EMAIL: 'ada' }, 'ADMIN_EMAIL must be an email address'],
    [{ ADMIN_EMAIL: 'ada@example.com' }, 'ADMIN_EMAIL needs a password. Set ADMIN_PASSWORD_FILE'],
    [{ ADMIN_PASSWORD: 'short-secret' }, 'ADMIN_PASSWORD needs ADMIN_EMAIL.'],
    [{ ADMIN_PASSWORD_FILE: '/run/secrets/admin' }, 'ADMIN_PASSWORD_FILE needs ADMIN_EMAIL.'],
    [
      {
        ADMIN_EMAIL: 'ada@example.com',
        ADMIN_PASSWORD: 'short-secret',
        ADMIN_PASSWORD_FILE: '/run/secrets/admin',
      },
      'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set. Remove one of them.',
    ],
    [{ PORT: 'http' }, 'PORT must be a number'],
    [{ PORT: '70000' }, 'PORT must be a number'],
    [{ BASE_URL: 'https://example.com/login' }, 'BASE_URL must be an origin'],
    [{ BASE_URL: 'example.com' }, 'BASE_URL must be an http or https address'],
    [{ ACCENT_COLOR: 'red' }, 'ACCENT_COLOR must be a colour'],
    [{ LOGO_URL: 'foo' }, 'LOGO_URL must be an https address, or a path such as /logo.svg.'],
    [{ LOGO_URL: 'http://example.com/logo.svg' }, 'LOGO_URL must be an https address'],
    [{ LOGO_URL: 'https://a;sandbox/x' }, 'LOGO_URL must have a host of letters, digits, dots and hyphens'],
    [{ LOGO_DARK_URL: 'https://a,b/x' }, 'LOGO_DARK_URL must have a host of letters, digits'],
    [{ LOGO_URL: 'javascript:alert(1)' }, 'LOGO_URL must be an https address'],
    [{ HELP_URL: 'javascript:alert(1)' }, 'HELP_URL must be an http or https address, or a path'],
    [{ TERMS_URL: '//evil.example.com' }, 'TERMS_URL must be an http or https address, or a path'],
    [{ TERMS_URL: '/\\evil.example.com' }, 'TERMS_URL must be an http or https address, or a path'],
    [{ PRIVACY_URL: 'example.com/privacy' }, 'PRIVACY_URL must be an http or https address, or a path'],
    [{ PRIVACY_URL: 'https://' }, 'PRIVACY_URL must be an http or https address, or a path'],
    [{ DATABASE_POOL: '0' }, 'DATABASE_POOL must be a number between 1 and 200.'],
    [{ RATE_LIMIT_PER_HOUR: 'many' }, 'RATE_LIMIT_PER_HOUR must be a whole number from 1.'],
    [{ SEED_DEMO: 'yes' }, 'SEED_DEMO must be 1 or 0'],
    [
      { TRUST_PROXY: 'loadbalancer' },
      'TRUST_PROXY must be the number of proxies in front (1 to 9), or addresses and ranges',
    ],
    [
      { TRUST_PROXY: '10.0.0.0/8, 10.0.0.0/64' },
      'TRUST_PROXY must be the number of proxies in front (1 to 9), or addresses and ranges',
    ],
  ])('says in one sentence what is wrong with %j and never repeats the value', (wrong, sentence) => {
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

describe('every setting', () => {
  /** A value that each setting refuses; one without an entry takes any text on one line. */
  const bad: Record<string, string> = {
    SERVICE_NAME: 'n'.repeat(61),
    MAIL_WELCOME: 'w'.repeat(601),
    MAIL_FOOTER: 'bell \u0007',
    ADMIN_EMAIL: 'ada',
    SIGN_UP_DOMAINS: 'example.com;example.org',
    METADATA_DOCUMENT_HOSTS: 'https://example.com',
  }
  /** What the validator says by itself. */
  const raw = /invalid|expected|received|required|too (small|big|short|long)|zod/i

  it.each(settingNames.filter((name) => name !== 'ENV_FILE'))('%s names itself and what to set', (name) => {
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
  })

  it('takes secrets that were generated', () => {
    for (let index = 0; index < 300; index++) {
      // The same in each run: one in ten thousand of the shortest secrets looks like a sequence.
      const bytes = createHash('sha256').update(String(index)).digest()
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const SECRET_KEY = bytes.subarray(0, 24).toString(encoding)
        expect(checkSetting('SECRET_KEY', SECRET_KEY)).toBeUndefined()
      }
      expect(checkSetting('CRON_SECRET', bytes.subarray(24).toString('hex'))).toBeUndefined()
    }
  })
})
