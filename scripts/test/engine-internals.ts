/**
 * The version of oidc-provider that `internalUses` covers. Before you raise the version, check each member
 * that `internalUses` lists.
 */
export const engineVersion = '9.13.3'

/**
 * Each use of an undocumented or untyped member of oidc-provider. `module` is a file of
 * lib/edges/oauth/engine, the only folder that can use such members. `because` is the reason why
 * oidc-provider's configuration is not sufficient. See ADR 0005.
 */
export const internalUses: readonly { module: string; members: string[]; because: string }[] = [
  {
    module: 'internals',
    members: [
      'helpers/grants.js: validateDpop',
      'helpers/grants.js: checkDpopReplay',
      'helpers/grants.js: checkDpopRequired',
    ],
    because: 'our grant checks DPoP proofs in the same way as the grants of the engine',
  },
  {
    module: 'assertions',
    members: ['ReplayDetection.unique'],
    because: 'the insert, not an earlier read, decides whether the ID of a JWT is new',
  },
  {
    module: 'token-exchange',
    members: [
      'Client as a constructor',
      'Client.find',
      'Client#compareClientSecret',
      'Client#grantTypeAllowed',
    ],
    because: 'an API authenticates at the token endpoint, but is not an OAuth client',
  },
  {
    module: 'token-exchange',
    members: ['ResourceServer as a constructor', 'AccessToken#resourceServer', 'AccessToken#rar'],
    because: 'our grant issues tokens in the formats of the engine’s own grants',
  },
  {
    module: 'client-authentication',
    members: ['Client#clientAuthMethod'],
    because: 'a client_id suffices at /oauth/request and /oauth/device/auth',
  },
  {
    module: 'client-authentication',
    members: ['Client#compareClientSecret'],
    because: 'an app has several live secrets, stored as hashes',
  },
  {
    module: 'internals',
    members: ['Client#asymmetricKeyStore.stale', 'Client#asymmetricKeyStore.clear', 'Client.find'],
    because: 'a key that an app withdrew expires with the key set it was read from',
  },
  {
    module: 'internals',
    members: ['Client.find'],
    because: 'a client is cached until its row changes, without hashing its metadata on each request',
  },
  {
    module: 'internals',
    members: ['Claims', 'Claims#scope', 'Claims#result', 'Grant#getOIDCScopeFiltered'],
    because: '/oauth/me bypasses the engine and returns the same claims, without a copy of the rule',
  },
  {
    module: 'internals',
    members: ['Provider is its Koa application', 'Provider#use'],
    because: 'the middleware types only include the context of Koa',
  },
  {
    module: 'api-resources',
    members: ['AccessToken#rar from extraTokenClaims', 'AccessToken.adapter in a customizer of JWTs'],
    because: 'details of roles are not stored, and a JWT can be revoked and introspected',
  },
  {
    module: 'redirect-uris',
    members: ['Client#redirectUriAllowed', 'Client#postLogoutRedirectUriAllowed'],
    because: 'the port of a native app can vary only if its URI was registered without one',
  },
  {
    module: 'redirect-uris',
    members: ['Provider#registerResponseMode for response modes of the engine'],
    because: 'users confirm a redirect to an unknown address, and we render the form_post page',
  },
  {
    module: 'configuration',
    members: ['OIDCContext#params'],
    because: 'extra spaces in `scope` are ignored',
  },
  {
    module: 'sessions',
    members: [
      'Session.get',
      'Session.IN_PAYLOAD',
      'Session#touched',
      'Session#resetIdentifier',
      'Interaction.find',
    ],
    because: 'the browser session of the product is the session of the engine',
  },
  {
    module: 'internals',
    members: ['AccessToken#generateTokenId, and of the other credentials', 'AccessToken#format'],
    because: 'tokens have a prefix and a checksum',
  },
  {
    module: 'internals',
    members: ['OIDCContext#getAccessToken with acceptDPoP'],
    because: 'one statement reads everything about the token before the engine needs a part of it',
  },
  {
    module: 'internals',
    members: ['Client#backchannelLogout', 'IdToken#mask', 'IdToken#issue'],
    because: 'a job notifies apps of every sign-out, however the session ended',
  },
  {
    module: 'internals',
    members: ['IdToken.validate with a part of a client', 'Session#state.secret'],
    because: 'a hint is checked before the engine fetches the metadata document of its client',
  },
]

const engine = 'lib/edges/oauth/engine'
const modules = new Set(internalUses.map(({ module }) => `${engine}/${module}.ts`))

/** Patterns that match uses of undocumented oidc-provider members. */
const deep: [pattern: RegExp, what: string][] = [
  [/['"]oidc-provider\//, 'imports an inner module of the engine'],
  [/\.prototype\b/, 'changes or reads a prototype'],
  [/\bas (?:never|unknown as)\b/, 'casts away the types'],
  [/@ts-(?:ignore|expect-error)/, 'casts away the types'],
  [/\bprovider\.[A-Z]\w*\.\w+\s*=(?!=)/, 'replaces a member of a model'],
  [/Object\.(?:assign|define\w+)\(\s*provider\b/, 'replaces a member of the engine'],
]

/**
 * Returns whether a product file might use oidc-provider, because it is in the OAuth edge or contains the
 * package's name in quotes. Returns false for tests and their helpers.
 */
const isConcerned = (file: string, source: string) =>
  !file.endsWith('.test.ts') &&
  (file.startsWith('lib/edges/oauth/') ||
    (/^(app|components|lib)\//.test(file) &&
      !file.startsWith('lib/testing/') &&
      /['"]oidc-provider['"/]/.test(source)))

/**
 * Finds uses of undocumented oidc-provider members outside the modules that `internalUses` lists.
 * @param file path from the root of the repository, with forward slashes
 * @returns one line for each pattern in `deep` that the file's code matches
 */
export function undocumentedUses(file: string, source: string): string[] {
  if (modules.has(file) || file.endsWith('.d.ts') || !isConcerned(file, source)) return []
  const code = source.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '$1')
  return deep
    .filter(([pattern]) => pattern.test(code))
    .map(([, what]) => `${file}: ${what}; list it in scripts/test/engine-internals.ts or avoid it`)
}
