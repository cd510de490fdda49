import type { AppProfile as Profile } from '@/lib/features/apps/app-profile'
import type { EditableApp } from '@/lib/features/apps/update-app'
import type { SigningAlg } from '@/lib/features/keys/signing-keys'
import { builder } from '../builder'

/**
 * The profile of an app, as shown to the app's admins, to the admins of workspaces with the app, and on the
 * consent and approval pages.
 */
export const AppProfile = builder.objectRef<Profile>('OAuthAppProfile').implement({
  description:
    'A profile of an app, shown with its name and logo. The app’s developers provide the profile, and it is not verified.',
  fields: (t) => ({
    description: t.exposeString('description', {
      nullable: true,
      description: 'What the app does, in one sentence. Null if it is not set.',
    }),
    website: t.exposeString('website', {
      nullable: true,
      description: 'The URL of the app’s website. Null if it is not set.',
    }),
    support: t.exposeString('support', {
      nullable: true,
      description: 'An email address or a URL where users get help. Null if it is not set.',
    }),
    privacyUrl: t.exposeString('privacyUrl', {
      nullable: true,
      description: 'The URL of the privacy policy. Null if it is not set.',
    }),
    termsUrl: t.exposeString('termsUrl', {
      nullable: true,
      description: 'The URL of the terms of service. Null if it is not set.',
    }),
  }),
})

/** The fields of a profile in an input, which are all optional. */
type ProfileFields = { [Name in keyof Profile]?: string | null | undefined }

/** The input type of a profile. Omitted fields stay unchanged. */
const ProfileInput = builder.inputType('OAuthAppProfileInput', {
  description: 'Changes to an app’s profile. Omitted fields stay unchanged. An empty string clears a field.',
  fields: (t) => ({
    description: t.string({ description: 'What the app does, in one sentence: up to 200 characters.' }),
    website: t.string({ description: 'The https URL of the app’s website.' }),
    support: t.string({
      description: 'An email address or an https URL where users get help.',
    }),
    privacyUrl: t.string({ description: 'The https URL of the privacy policy.' }),
    termsUrl: t.string({ description: 'The https URL of the terms of service.' }),
  }),
})

const ClientAuthentication = builder.enumType('OAuthClientAuthentication', {
  description: 'How an app authenticates to the token endpoint.',
  values: {
    SECRET: { description: 'The app sends a client secret.' },
    PRIVATE_KEY: { description: 'The app signs an assertion with its private key (`private_key_jwt`).' },
  } as const,
})

/** Settings that few apps need, such as stricter authentication and back-channel logout. */
export const AdvancedSettings = builder.objectRef<EditableApp>('OAuthAppAdvancedSettings').implement({
  description: 'Advanced security settings of an app.',
  fields: (t) => ({
    backchannelLogoutUri: t.string({
      nullable: true,
      description:
        'The URL that receives a signed logout token when a user signs out. Null if it is not set.',
      resolve: ({ backchannelLogoutUri }) => backchannelLogoutUri || null,
    }),
    clientAuthentication: t.field({
      type: ClientAuthentication,
      nullable: true,
      description: 'How the app authenticates. Null for a native app, which cannot authenticate.',
      resolve: ({ type, clientAuthentication }) => (type === 'WEB' ? clientAuthentication : null),
    }),
    publicKeys: t.string({
      nullable: true,
      description:
        'The JSON Web Key Set of the app, or the URL where the app publishes it. Null if it is not set.',
      resolve: ({ publicKeys }) => publicKeys || null,
    }),
    requirePushedAuthorization: t.exposeBoolean('requirePushedAuthorization', {
      description: 'Whether authorization requests must be pushed with client authentication (RFC 9126).',
    }),
    requireSignedRequests: t.exposeBoolean('requireSignedRequests', {
      description: 'Whether authorization requests must be signed with one of the app’s keys (RFC 9101).',
    }),
    highSecurity: t.exposeBoolean('highSecurity', {
      description: 'Whether the app must comply with the FAPI 2.0 Security Profile.',
    }),
    installScopes: t.exposeStringList('installScopes', {
      description:
        'The scopes that the app requests for installations. If empty, the app cannot be installed.',
    }),
  }),
})

/** The input type of the advanced settings. Omitted fields stay unchanged. */
const AdvancedInput = builder.inputType('OAuthAppAdvancedInput', {
  description: 'Changes to the advanced security settings of an app. Omitted fields stay unchanged.',
  fields: (t) => ({
    backchannelLogoutUri: t.string({
      description:
        'The https URL on port 443 that receives a signed logout token when a user signs out. An empty string removes it.',
    }),
    clientAuthentication: t.field({
      type: ClientAuthentication,
      description:
        'How the app authenticates. PRIVATE_KEY requires `publicKeys` and revokes the app’s client secrets.',
    }),
    publicKeys: t.string({
      description:
        'A JSON Web Key Set, or the https URL where the app publishes it. An empty string removes it.',
    }),
    requirePushedAuthorization: t.boolean({
      description: 'Whether authorization requests must be pushed with client authentication (RFC 9126).',
    }),
    requireSignedRequests: t.boolean({
      description: 'Whether authorization requests must be signed with one of the app’s keys (RFC 9101).',
    }),
    highSecurity: t.boolean({
      description:
        'Whether the app must comply with the FAPI 2.0 Security Profile: a private key, pushed requests, PKCE, sender-constrained tokens, and shorter lifetimes.',
    }),
    installScopes: t.stringList({
      description:
        'The scopes that the app requests for installations. Allowed: `workspace:viewer`, `workspace:member`, `project:viewer`, and `project:member`. If empty, the app cannot be installed.',
    }),
  }),
})

export const AppType = builder.enumType('OAuthAppType', {
  description: 'The type of an app. It determines whether the app can keep a secret.',
  values: {
    WEB: { description: 'An app that runs on a server and has a client secret.' },
    NATIVE: { description: 'An app that runs on users’ devices, so it has no secret and must use PKCE.' },
  } as const,
})

export const SigningAlgType = builder.enumType('IdTokenAlgorithm', {
  description: 'The signing algorithm of an app’s ID tokens.',
  values: {
    RS256: { description: 'RSA, the default in OpenID Connect libraries.' },
    ES256: {
      description: 'ECDSA with P-256. Its signatures are smaller than RSA signatures and cheaper to create.',
    },
    EdDSA: { description: 'Ed25519.' },
  } satisfies Record<SigningAlg, object>,
})

const allowedScopesDescription =
  'The scopes that the app can request, from this instance and from registered APIs. Other scopes are removed from its requests and from earlier authorizations. Pass all scopes to remove the limit.'

/** The input for a new app, which `fieldsOf` flattens. */
export const CreateInput = builder.inputType('OAuthAppCreateInput', {
  description: 'A new OAuth app.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The ID of the workspace that owns the app.' }),
    name: t.string({
      required: true,
      description: 'The name, as shown on the consent page: 1 to 80 characters.',
    }),
    type: t.field({
      type: AppType,
      required: true,
      description: 'The type of the app. It cannot be changed later.',
    }),
    redirectUris: t.stringList({
      required: true,
      description: 'The redirect URIs. They are matched exactly.',
    }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'The signing algorithm of ID tokens. Default: RS256.',
    }),
    inDevelopment: t.boolean({
      description:
        'Whether the app is in development. If true, only members of its workspace can authorize it, and other users lose access at the app’s next request.',
    }),
    allowedScopes: t.stringList({ description: allowedScopesDescription }),
    profile: t.field({
      type: ProfileInput,
      description: 'The profile of the app.',
    }),
    advanced: t.field({
      type: AdvancedInput,
      description: 'The advanced security settings of the app.',
    }),
  }),
})

/** The input for changes to an app, which `fieldsOf` flattens. */
export const UpdateInput = builder.inputType('OAuthAppUpdateInput', {
  description: 'Changes to an OAuth app. Omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'The new name, as shown on the consent page.' }),
    redirectUris: t.stringList({ description: 'The new redirect URIs.' }),
    postLogoutRedirectUris: t.stringList({
      description: 'The new post-logout redirect URIs.',
    }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'The new signing algorithm of ID tokens.',
    }),
    inDevelopment: t.boolean({
      description:
        'Whether the app is in development. If true, only members of its workspace can authorize it, and other users lose access at the app’s next request.',
    }),
    allowedScopes: t.stringList({ description: allowedScopesDescription }),
    profile: t.field({
      type: ProfileInput,
      description: 'The profile of the app.',
    }),
    advanced: t.field({
      type: AdvancedInput,
      description: 'The advanced security settings of the app.',
    }),
  }),
})

type Grouped = { advanced?: object | null | undefined; profile?: ProfileFields | null | undefined }

/**
 * Returns the fields of an input as one flat object for the domain functions. Renames `website` to
 * `homepageUrl`, and omits null and undefined fields.
 */
export function fieldsOf({ advanced, profile, ...rest }: Grouped): object {
  const { website: homepageUrl, ...others } = profile ?? {}
  const all = { ...rest, ...advanced, ...others, homepageUrl }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined))
}
