import { describe, expect, it } from 'vitest'
import { contradictions } from './contradictions'
import { readConfig } from './env'

const base = {
  DATABASE_URL: 'postgresql://u:p@db/latchkey',
  SECRET_KEY: '3f9c1b7e5a2d8046e1c7b39f0d5a6284',
  SMTP_URL: 'smtp://localhost',
}
const found = (env: Record<string, string>, changed: Record<string, string> = {}) =>
  contradictions(
    readConfig({ ...base, ...env }, changed),
    (name) => name in changed || ({ ...base, ...env }[name] ?? '') !== '',
  )

type Case = [env: Record<string, string>, changed: Record<string, string>, sentence: string]

describe('contradictions', () => {
  it.each<Case>([
    [{}, { signUp: 'domains' }, 'signUp is domains, which needs signUpDomains, such as ["example.com"]'],
    [{}, { signUpDomains: 'example.com' }, 'signUpDomains has no effect unless signUp is domains'],
    [{}, { metadataDocuments: 'hosts' }, 'metadataDocuments is hosts, which needs metadataDocumentHosts'],
    [{}, { metadataDocumentHosts: 'claude.ai' }, 'metadataDocumentHosts has no effect unless'],
    [{ SMTP_URL: '' }, { signUpConfirm: 'first' }, 'signUpConfirm is first, which needs SMTP_URL'],
    [
      { SMTP_URL: '' },
      { signUp: 'domains', signUpDomains: 'example.com' },
      'signUp is domains, which needs SMTP_URL',
    ],
    [{ MAIL_FROM: 'a@example.com', SMTP_URL: '' }, {}, 'MAIL_FROM has no effect unless SMTP_URL is set'],
    [{}, { oidcName: 'Acme' }, 'oidcName has no effect unless OIDC_ISSUER is set'],
    [{ DEMO_PASSWORD: 'demo-secret' }, {}, 'DEMO_PASSWORD has no effect unless SEED_DEMO is 1'],
    [
      {},
      { registeredAppScopes: 'email', dynamicRegistration: 'off', metadataDocuments: 'off' },
      'registeredAppScopes has no effect while',
    ],
    [{ SECRET_KEY_PREVIOUS: base.SECRET_KEY }, {}, 'SECRET_KEY_PREVIOUS contains the value of SECRET_KEY'],
  ])('reports one problem for the variables %j with the settings %j', (env, changed, sentence) => {
    const [problem = '', ...others] = found(env, changed)
    expect(problem).toContain(sentence)
    expect(others).toEqual([])
    expect(problem).not.toMatch(/demo-secret|3f9c1b7e/)
  })

  it.each<[env: Record<string, string>, changed: Record<string, string>]>([
    [{}, {}],
    [{}, { sessionDays: '1' }],
    [{}, { signUp: 'domains', signUpDomains: 'example.com' }],
    [{ SEED_DEMO: '1', DEMO_PASSWORD: 'demo-secret', SMTP_URL: '' }, { signUpConfirm: 'first' }],
    [{ METRICS_PORT: '[::]:9464' }, {}],
  ])('accepts the variables %j with the settings %j', (env, changed) =>
    expect(found(env, changed)).toEqual([]),
  )
})
