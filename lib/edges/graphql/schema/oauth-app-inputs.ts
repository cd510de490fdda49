import type { AppProfile as Profile } from '@/lib/features/apps/app-profile'
import type { EditableApp } from '@/lib/features/apps/update-app'
import type { SigningAlg } from '@/lib/features/keys/signing-keys'
import { builder } from '../builder'

/** How an app introduces itself, to its admins and to the people and admins it asks. */
export const AppProfile = builder.objectRef<Profile>('OAuthAppProfile').implement({
  description: 'How an app introduces itself beside its name and logo. Its own words: nobody checked them.',
  fields: (t) => ({
    description: t.exposeString('description', {
      nullable: true,
      description: 'What it does, in a sentence.',
    }),
    website: t.exposeString('website', { nullable: true, description: 'Where it is at home.' }),
    support: t.exposeString('support', {
      nullable: true,
      description: 'Where people get help: an email address, or the address of a page.',
    }),
    privacyUrl: t.exposeString('privacyUrl', { nullable: true, description: 'Its privacy policy.' }),
    termsUrl: t.exposeString('termsUrl', { nullable: true, description: 'Its terms.' }),
  }),
})

/** A profile as it is sent. */
type ProfileFields = { [Name in keyof Profile]?: string | null | undefined }

/** The same as it is set; what is left out stays as it is. */
const ProfileInput = builder.inputType('OAuthAppProfileInput', {
  description: 'How an app introduces itself; what is left out stays, and an empty text takes it away.',
  fields: (t) => ({
    description: t.string({ description: 'What it does, in a sentence: at most 200 characters.' }),
    website: t.string({ description: 'Where it is at home: https.' }),
    support: t.string({
      description: 'Where people get help: an email address, or the address of a page (https).',
    }),
    privacyUrl: t.string({ description: 'Its privacy policy: https.' }),
    termsUrl: t.string({ description: 'Its terms: https.' }),
  }),
})

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
const AdvancedInput = builder.inputType('OAuthAppAdvancedInput', {
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

export const AppType = builder.enumType('OAuthAppType', {
  description: 'Whether an app can keep a secret.',
  values: {
    WEB: { description: 'Runs on a server and has a client secret.' },
    NATIVE: { description: 'Runs in the hands of its users, so it has no secret and must use PKCE.' },
  } as const,
})

export const SigningAlgType = builder.enumType('IdTokenAlgorithm', {
  description: 'What an app wants its id_tokens signed with.',
  values: {
    RS256: { description: 'RSA; what OpenID Connect libraries expect unless told otherwise.' },
    ES256: { description: 'ECDSA on P-256; smaller and cheaper.' },
    EdDSA: { description: 'Ed25519.' },
  } satisfies Record<SigningAlg, object>,
})

const allowedScopesSaid =
  'The scopes that it may ask for; others are dropped from its requests, and from what it was given before. All of them lift the limit.'

/** A new app, as `fieldsOf` takes it. */
export const CreateInput = builder.inputType('OAuthAppCreateInput', {
  description: 'A new OAuth app.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The workspace that runs it.' }),
    name: t.string({ required: true, description: 'Its name on the consent page: 1 to 80 characters.' }),
    type: t.field({
      type: AppType,
      required: true,
      description: 'Whether it can keep a secret; it never changes.',
    }),
    redirectUris: t.stringList({
      required: true,
      description: 'Where people may be sent back to; matched exactly.',
    }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'What its id_tokens are signed with: RS256 unless said.',
    }),
    inDevelopment: t.boolean({
      description:
        'Whether it is for members of its workspace alone; others are cut off at its next request.',
    }),
    allowedScopes: t.stringList({ description: allowedScopesSaid }),
    profile: t.field({
      type: ProfileInput,
      description: 'How it introduces itself beside its name and logo.',
    }),
    advanced: t.field({
      type: AdvancedInput,
      description: 'How strictly it is treated, and where it hears of sign-outs.',
    }),
  }),
})

/** What changes about an app, as `fieldsOf` takes it. */
export const UpdateInput = builder.inputType('OAuthAppUpdateInput', {
  description: 'What changes about an OAuth app; what is left out stays.',
  fields: (t) => ({
    name: t.string({ description: 'Its new name on the consent page.' }),
    redirectUris: t.stringList({ description: 'Where people may be sent back to from now on.' }),
    postLogoutRedirectUris: t.stringList({
      description: 'Where people may be sent after they signed out from now on.',
    }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'What its id_tokens are signed with from now on.',
    }),
    inDevelopment: t.boolean({
      description:
        'Whether it is for members of its workspace alone; others are cut off at its next request.',
    }),
    allowedScopes: t.stringList({ description: allowedScopesSaid }),
    profile: t.field({
      type: ProfileInput,
      description: 'How it introduces itself beside its name and logo.',
    }),
    advanced: t.field({
      type: AdvancedInput,
      description: 'How strictly it is treated, and where it hears of sign-outs.',
    }),
  }),
})

type Grouped = { advanced?: object | null | undefined; profile?: ProfileFields | null | undefined }

/** The fields of an input side by side, as the domain takes them; what was sent as null counts as left out. */
export function fieldsOf({ advanced, profile, ...rest }: Grouped): object {
  const { website: homepageUrl, ...others } = profile ?? {}
  const all = { ...rest, ...advanced, ...others, homepageUrl }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined))
}
