import type { Config } from './env'

/** Settings that have no effect unless other settings fulfill a condition. */
const needs: { names: (keyof Config)[]; unless: (settings: Config) => boolean; says: string }[] = [
  {
    names: ['signUpDomains'],
    unless: ({ signUp }) => signUp === 'domains',
    says: 'has no effect unless signUp is domains',
  },
  {
    names: ['metadataDocumentHosts'],
    unless: ({ metadataDocuments }) => metadataDocuments === 'hosts',
    says: 'has no effect unless metadataDocuments is hosts',
  },
  {
    names: ['registeredAppScopes'],
    unless: ({ dynamicRegistration, metadataDocuments }) =>
      dynamicRegistration !== 'off' || metadataDocuments !== 'off',
    says: 'has no effect while dynamicRegistration and metadataDocuments are off',
  },
  {
    names: ['MAIL_FROM', 'mailWelcome', 'mailFooter'],
    unless: ({ SMTP_URL, SEED_DEMO }) => SMTP_URL !== undefined || SEED_DEMO,
    says: 'has no effect unless SMTP_URL is set',
  },
  {
    names: ['oidcName'],
    unless: ({ OIDC_ISSUER }) => OIDC_ISSUER !== undefined,
    says: 'has no effect unless OIDC_ISSUER is set',
  },
  {
    names: ['DEMO_PASSWORD'],
    unless: ({ SEED_DEMO }) => SEED_DEMO,
    says: 'has no effect unless SEED_DEMO is 1',
  },
]

/**
 * Returns a sentence for each contradiction between settings and for each setting that has no effect. These
 * mistakes don't make the instance less secure, so the server still starts. `latchkey check` and the startup
 * log report the sentences.
 * @param settings the validated settings, including changes made in the console
 * @param given returns whether a setting was set explicitly; a default that has no effect is not reported
 * @returns sentences without a final period and without secrets
 */
export function contradictions(settings: Config, given: (name: string) => boolean): string[] {
  const found = [...withoutList(settings), ...unreachable(settings)]
  for (const { names, unless, says } of needs) {
    if (unless(settings)) continue
    found.push(...names.filter(given).map((name) => `${name} ${says}`))
  }
  return found
}

function* withoutList({
  signUp,
  signUpDomains,
  metadataDocuments,
  metadataDocumentHosts,
}: Config): Generator<string> {
  if (signUp === 'domains' && signUpDomains.length === 0) {
    yield 'signUp is domains, which needs signUpDomains, such as ["example.com"]; until it is set, only invited users can sign up'
  }
  if (metadataDocuments === 'hosts' && metadataDocumentHosts.length === 0) {
    yield 'metadataDocuments is hosts, which needs metadataDocumentHosts, such as ["claude.ai"]; until it is set, no host is accepted'
  }
}

function* unreachable(settings: Config): Generator<string> {
  const confirmsFirst =
    settings.signUp === 'domains' || (settings.signUp !== 'closed' && settings.signUpConfirm === 'first')
  if (confirmsFirst && settings.SMTP_URL === undefined && !settings.SEED_DEMO) {
    yield `${settings.signUp === 'domains' ? 'signUp is domains' : 'signUpConfirm is first'}, which needs SMTP_URL, because new users confirm their email address first`
  }
  if (settings.SECRET_KEY_PREVIOUS.includes(settings.SECRET_KEY)) {
    yield 'SECRET_KEY_PREVIOUS contains the value of SECRET_KEY; remove it from SECRET_KEY_PREVIOUS'
  }
}
