import { describe, expect, it } from 'vitest'
import { contradictions } from './contradictions'
import { readConfig } from './env'

const base = {
  DATABASE_URL: 'postgresql://u:p@db/latchkey',
  SECRET_KEY: '3f9c1b7e5a2d8046e1c7b39f0d5a6284',
  SMTP_URL: 'smtp://localhost',
}
const found = (more: Record<string, string>) => {
  const env: Record<string, string> = { ...base, ...more }
  return contradictions(readConfig(env), (name) => (env[name] ?? '') !== '')
}

describe('contradictions', () => {
  it.each([
    [{ SIGN_UP: 'domains' }, 'SIGN_UP=domains needs SIGN_UP_DOMAINS, such as SIGN_UP_DOMAINS=example.com'],
    [{ SIGN_UP_DOMAINS: 'example.com' }, 'SIGN_UP_DOMAINS has no effect unless SIGN_UP is domains'],
    [{ METADATA_DOCUMENTS: 'hosts' }, 'METADATA_DOCUMENTS=hosts needs METADATA_DOCUMENT_HOSTS'],
    [{ METADATA_DOCUMENT_HOSTS: 'claude.ai' }, 'METADATA_DOCUMENT_HOSTS has no effect unless'],
    [
      { SESSION_DAYS: '3', SESSION_IDLE_DAYS: '5' },
      'SESSION_IDLE_DAYS=5 has no effect, because SESSION_DAYS=3',
    ],
    [{ REFRESH_TOKEN_DAYS: '30', REFRESH_TOKEN_IDLE_DAYS: '31' }, 'set it to at most 30'],
    [{ SIGN_UP_CONFIRM: 'first', SMTP_URL: '' }, 'SIGN_UP_CONFIRM=first needs SMTP_URL'],
    [{ MAIL_FROM: 'a@example.com', SMTP_URL: '' }, 'MAIL_FROM has no effect unless SMTP_URL is set'],
    [{ OIDC_NAME: 'Acme' }, 'OIDC_NAME has no effect unless OIDC_ISSUER is set'],
    [{ METRICS_HOST: '0.0.0.0' }, 'METRICS_HOST has no effect unless METRICS_PORT is set'],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT and PORT are both 3000'],
    [{ DEMO_PASSWORD: 'demo-secret' }, 'DEMO_PASSWORD has no effect unless SEED_DEMO is 1'],
    [{ REGISTRATION_BURST: '5', DYNAMIC_REGISTRATION: 'off' }, 'REGISTRATION_BURST has no effect while'],
    [
      { REGISTERED_APP_SCOPES: 'email', DYNAMIC_REGISTRATION: 'off', METADATA_DOCUMENTS: 'off' },
      'REGISTERED_APP_SCOPES has no effect while',
    ],
    [{ SECRET_KEY_PREVIOUS: base.SECRET_KEY }, 'SECRET_KEY_PREVIOUS contains the value of SECRET_KEY'],
  ])('reports %j in one sentence', (settings, sentence) => {
    const [problem = '', ...others] = found(settings)
    expect(problem).toContain(sentence)
    expect(others).toEqual([])
    expect(problem).not.toMatch(/demo-secret|3f9c1b7e/)
  })

  it.each<Record<string, string>>([
    {},
    { SESSION_DAYS: '1' },
    { SIGN_UP: 'domains', SIGN_UP_DOMAINS: 'example.com' },
    { SEED_DEMO: '1', DEMO_PASSWORD: 'demo-secret', SMTP_URL: '', SIGN_UP_CONFIRM: 'first' },
    { METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464' },
  ])('finds nothing in %j', (settings) => expect(found(settings)).toEqual([]))
})
