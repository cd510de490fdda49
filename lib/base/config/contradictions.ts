import type { Config } from './env'

/** A setting without effect: where it has a value although the setting that it depends on has another one. */
const needs: { names: (keyof Config)[]; unless: (settings: Config) => boolean; says: string }[] = [
  {
    names: ['SIGN_UP_DOMAINS'],
    unless: ({ SIGN_UP }) => SIGN_UP === 'domains',
    says: 'has no effect unless SIGN_UP is domains',
  },
  {
    names: ['METADATA_DOCUMENT_HOSTS'],
    unless: ({ METADATA_DOCUMENTS }) => METADATA_DOCUMENTS === 'hosts',
    says: 'has no effect unless METADATA_DOCUMENTS is hosts',
  },
  {
    names: ['REGISTERED_APP_SCOPES'],
    unless: ({ DYNAMIC_REGISTRATION, METADATA_DOCUMENTS }) =>
      DYNAMIC_REGISTRATION !== 'off' || METADATA_DOCUMENTS !== 'off',
    says: 'has no effect while DYNAMIC_REGISTRATION and METADATA_DOCUMENTS are off',
  },
  {
    names: ['REGISTRATION_BURST', 'REGISTRATION_PER_HOUR'],
    unless: ({ DYNAMIC_REGISTRATION }) => DYNAMIC_REGISTRATION !== 'off',
    says: 'has no effect while DYNAMIC_REGISTRATION is off',
  },
  {
    names: ['MAIL_FROM', 'MAIL_WELCOME', 'MAIL_FOOTER'],
    unless: ({ SMTP_URL, SEED_DEMO }) => SMTP_URL !== undefined || SEED_DEMO,
    says: 'has no effect unless SMTP_URL is set',
  },
  {
    names: ['OIDC_NAME', 'OIDC_ID_TOKEN_ALG'],
    unless: ({ OIDC_ISSUER }) => OIDC_ISSUER !== undefined,
    says: 'has no effect unless OIDC_ISSUER is set',
  },
  {
    names: ['METRICS_HOST'],
    unless: ({ METRICS_PORT }) => METRICS_PORT !== undefined,
    says: 'has no effect unless METRICS_PORT is set',
  },
  {
    names: ['DEMO_PASSWORD'],
    unless: ({ SEED_DEMO }) => SEED_DEMO,
    says: 'has no effect unless SEED_DEMO is 1',
  },
]

/**
 * Returns a sentence for each pair of settings that contradict each other, and for each setting that has no effect. None of
 * them weakens the instance, so none stops a start: `latchkey check` and the log at the start report them.
 * @param settings as checked, with what was changed in the console
 * @param given whether someone chose the value of a setting; its default contradicts nothing
 * @returns sentences without a period, none of which contains a secret
 */
export function contradictions(settings: Config, given: (name: string) => boolean): string[] {
  const found = [...withoutList(settings), ...lifetimes(settings, given), ...unreachable(settings)]
  for (const { names, unless, says } of needs) {
    if (unless(settings)) continue
    found.push(...names.filter(given).map((name) => `${name} ${says}`))
  }
  return found
}

function* withoutList(settings: Config): Generator<string> {
  if (settings.SIGN_UP === 'domains' && settings.SIGN_UP_DOMAINS.length === 0) {
    yield 'SIGN_UP=domains needs SIGN_UP_DOMAINS, such as SIGN_UP_DOMAINS=example.com; until then only invited users can sign up'
  }
  if (settings.METADATA_DOCUMENTS === 'hosts' && settings.METADATA_DOCUMENT_HOSTS.length === 0) {
    yield 'METADATA_DOCUMENTS=hosts needs METADATA_DOCUMENT_HOSTS, such as METADATA_DOCUMENT_HOSTS=claude.ai; until then it accepts no host'
  }
}

function* lifetimes(settings: Config, given: (name: string) => boolean): Generator<string> {
  for (const [idle, whole] of [
    ['SESSION_IDLE_DAYS', 'SESSION_DAYS'],
    ['REFRESH_TOKEN_IDLE_DAYS', 'REFRESH_TOKEN_DAYS'],
  ] as const) {
    if (given(idle) && settings[idle] > settings[whole]) {
      yield `${idle}=${settings[idle]} has no effect, because ${whole}=${settings[whole]} ends earlier; set it to at most ${settings[whole]}`
    }
  }
}

function* unreachable(settings: Config): Generator<string> {
  const confirmsFirst =
    settings.SIGN_UP === 'domains' || (settings.SIGN_UP !== 'closed' && settings.SIGN_UP_CONFIRM === 'first')
  if (confirmsFirst && settings.SMTP_URL === undefined && !settings.SEED_DEMO) {
    yield `${settings.SIGN_UP === 'domains' ? 'SIGN_UP=domains' : 'SIGN_UP_CONFIRM=first'} needs SMTP_URL, because new users confirm their email address first`
  }
  if (settings.METRICS_PORT === settings.PORT) {
    yield `METRICS_PORT and PORT are both ${settings.PORT}; set METRICS_PORT to another port`
  }
  if (settings.SECRET_KEY_PREVIOUS.includes(settings.SECRET_KEY)) {
    yield 'SECRET_KEY_PREVIOUS contains the value of SECRET_KEY; remove it there'
  }
}
