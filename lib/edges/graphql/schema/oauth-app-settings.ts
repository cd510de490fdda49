import type { EditableApp } from '@/lib/features/apps/update-app'
import { builder } from '../builder'

const ClientAuthentication = builder.enumType('OAuthClientAuthentication', {
  description: 'How an app proves that it is itself.',
  values: {
    SECRET: { description: 'It sends a client secret.' },
    PRIVATE_KEY: { description: 'It signs a statement with its private key (private_key_jwt).' },
  } as const,
})

/** What few apps need: how strictly an app is treated, and where it hears of sign-outs. */
export const AdvancedSettings = builder.objectRef<EditableApp>('OAuthAppAdvancedSettings').implement({
  description: 'How strictly an app is treated, and where it hears of sign-outs.',
  fields: (t) => ({
    backchannelLogoutUri: t.string({
      nullable: true,
      description: 'Where it gets a signed message whenever somebody signs out.',
      resolve: ({ backchannelLogoutUri }) => backchannelLogoutUri || null,
    }),
    clientAuthentication: t.field({
      type: ClientAuthentication,
      nullable: true,
      description: 'How it proves that it is itself; null for a native app, which cannot.',
      resolve: ({ type, clientAuthentication }) => (type === 'WEB' ? clientAuthentication : null),
    }),
    publicKeys: t.string({
      nullable: true,
      description: 'Its JSON Web Key Set, or the address where it publishes it.',
      resolve: ({ publicKeys }) => publicKeys || null,
    }),
    requirePushedAuthorization: t.exposeBoolean('requirePushedAuthorization', {
      description: 'Whether its requests must be pushed, authenticated (RFC 9126).',
    }),
    requireSignedRequests: t.exposeBoolean('requireSignedRequests', {
      description: 'Whether its requests must be signed by one of its keys (RFC 9101).',
    }),
    highSecurity: t.exposeBoolean('highSecurity', {
      description: 'Whether it is held to the FAPI 2.0 Security Profile.',
    }),
    installScopes: t.exposeStringList('installScopes', {
      description: 'The scopes it asks for where an admin installs it; none, and it cannot be installed.',
    }),
  }),
})

/** The same as they are set; what is left out stays as it is. */
export const AdvancedInput = builder.inputType('OAuthAppAdvancedInput', {
  description: 'How strictly an app is treated, and where it hears of sign-outs; what is left out stays.',
  fields: (t) => ({
    backchannelLogoutUri: t.string({
      description:
        'Where to send a signed message whenever somebody signs out: https on port 443. Empty for nowhere.',
    }),
    clientAuthentication: t.field({
      type: ClientAuthentication,
      description: 'How it proves that it is itself. PRIVATE_KEY takes publicKeys and revokes its secrets.',
    }),
    publicKeys: t.string({
      description: 'A JSON Web Key Set, or the https address where the app publishes it. Empty for none.',
    }),
    requirePushedAuthorization: t.boolean({
      description: 'Whether its requests must be pushed, authenticated (RFC 9126).',
    }),
    requireSignedRequests: t.boolean({
      description: 'Whether its requests must be signed by one of its keys (RFC 9101).',
    }),
    highSecurity: t.boolean({
      description:
        'Whether to hold it to the FAPI 2.0 Security Profile: a private key, pushed requests, PKCE, bound tokens, shorter lifetimes.',
    }),
    installScopes: t.stringList({
      description:
        'The scopes to ask for where an admin installs it: workspace:member, workspace:viewer, project:member, project:viewer. None, and it cannot be installed.',
    }),
  }),
})
