/**
 * Where the product reaches into the engine deeper than its documentation goes, or than its types do. Nothing outside this
 * folder does (scripts/test/engine-reaches.test.ts), and that test refuses another version of the engine than the one that
 * this list was held against: before it is raised here, each member is looked up in the new version.
 */
export const engineVersion = '9.13.3'

/** What is reached by each file of this folder, and why the engine's configuration does not do. */
export const reaches: Record<string, { members: string[]; because: string }> = {
  'client-id-alone.ts': {
    members: ['Client#clientAuthMethod'],
    because: 'a client_id suffices at /oauth/request and /oauth/device/auth',
  },
  'client-instances.ts': {
    members: ['Client.find'],
    because: 'a client is kept for as long as its row stays the same, without hashing its metadata each time',
  },
  'client-secrets.ts': {
    members: ['Client#compareClientSecret'],
    because: 'several secrets are live at once, stored as hashes',
  },
  'grant-helpers.ts': {
    members: [
      'helpers/grants.js: validateDpop',
      'helpers/grants.js: checkDpopReplay',
      'helpers/grants.js: checkDpopRequired',
    ],
    because: 'a grant of ours takes DPoP proofs as those of the engine do',
  },
  'granted-claims.ts': {
    members: ['Claims', 'Claims#scope', 'Claims#result', 'Grant#getOIDCScopeFiltered'],
    because: '/oauth/me beside the engine tells what the engine would, without a copy of its rule',
  },
  'id-token-hint.ts': {
    members: ['IdToken.validate with a part of a client', 'Session#state.secret'],
    because: 'a hint is checked before the engine fetches the document that it names as its client',
  },
  'key-sets.ts': {
    members: ['Client#asymmetricKeyStore.stale', 'Client#asymmetricKeyStore.clear', 'Client.find'],
    because: 'a key that an app withdrew does not outlive the set it was read from',
  },
  'logout-token.ts': {
    members: ['Client#backchannelLogout', 'IdToken#mask', 'IdToken#issue'],
    because: 'apps are told of sign-outs by a job, of every end of a session',
  },
  'presented-token.ts': {
    members: ['OIDCContext#getAccessToken with acceptDPoP'],
    because: 'one statement reads everything about the token before the engine asks for a part of it',
  },
  'provider-of.ts': {
    members: ['Provider is its Koa application', 'Provider#use'],
    because: 'the types of middlewares know Koa’s context alone',
  },
  'redirect-uris.ts': {
    members: ['Client#redirectUriAllowed', 'Client#postLogoutRedirectUriAllowed'],
    because: 'a native app’s port may vary only where it was registered without one',
  },
  'response-modes.ts': {
    members: ['Provider#registerResponseMode for modes of the engine’s own'],
    because: 'nobody is taken unasked to a stranger’s address, and form_post is a page of ours',
  },
  'scope-parameter.ts': {
    members: ['OIDCContext#params'],
    because: 'stray spaces in `scope` are read over',
  },
  'session-source.ts': {
    members: [
      'Session.get',
      'Session.IN_PAYLOAD',
      'Session#touched',
      'Session#resetIdentifier',
      'Interaction.find',
    ],
    because: 'the browser session is the session',
  },
  'single-use.ts': {
    members: ['ReplayDetection.unique'],
    because: 'the write decides whether a JWT’s id is new, not the look before it',
  },
  'token-values.ts': {
    members: ['AccessToken#generateTokenId, and of the other credentials', 'AccessToken#format'],
    because: 'credentials have a prefix and a checksum',
  },
}
