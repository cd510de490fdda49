import { signingAlgs } from '@/lib/features/keys/signing-keys'
import { pictureAddress } from '@/lib/features/pictures/address'
import type { ApiScope as Scope } from '@/lib/features/resources/apis'
import {
  deleteApi,
  registerApi,
  removeApiLogo,
  setApiLogo,
  updateApi,
} from '@/lib/features/resources/change-apis'
import { type ApiSecret, addApiSecret, revokeApiSecret } from '@/lib/features/resources/credentials'
import { lifetimes, maxScopes } from '@/lib/features/resources/input'
import { getApi, type ListedApi, listApis, secretsOfApis } from '@/lib/features/resources/list-apis'
import { builder } from '../builder'
import { defineSecretPayload } from '../connection'
import { defineLoader } from '../context'

const forInstanceAdmins =
  'Requires an instance admin’s account token with the ADMIN role. Not available to apps'

const TokenFormat = builder.enumType('ApiTokenFormat', {
  description: 'A format of access tokens for an API.',
  values: {
    OPAQUE: { description: 'The API checks each token by introspection (RFC 7662).' },
    JWT: { description: 'The API checks the signature of each token (RFC 9068).' },
  } as const,
})

const Sensitivity = builder.enumType('ApiScopeSensitivity', {
  description: 'The sensitivity of a scope of an API. It determines how the consent page marks the scope.',
  values: {
    LOW: { description: 'The scope is not marked.' },
    ELEVATED: { description: 'The scope is marked as sensitive.' },
    HIGH: { description: 'The scope is marked as sensitive, with more emphasis than ELEVATED.' },
  } as const,
})

const Selects = builder.enumType('ApiScopeSelects', {
  description: 'The kind of resource that users select when they grant a scope of an API.',
  values: {
    WORKSPACES: { description: 'Workspaces.' },
    PROJECTS: { description: 'Projects.' },
    NOTHING: { description: 'No resources. The scope applies to the user.' },
  } as const,
})

const SigningAlgorithm = builder.enumType('ApiSigningAlgorithm', {
  description: 'A signing algorithm for JWTs.',
  values: Object.fromEntries(signingAlgs.map((alg) => [alg, { description: `\`${alg}\`.` }])) as Record<
    (typeof signingAlgs)[number],
    { description: string }
  >,
})

const ApiScope = builder.objectRef<Scope>('ApiScope').implement({
  description: 'A scope of an API.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name, such as `deployments:write`.' }),
    description: t.exposeString('description', { description: 'The sentence that the consent page shows.' }),
    sensitivity: t.field({
      type: Sensitivity,
      description: 'The sensitivity of the scope, which determines how the consent page marks it.',
      resolve: ({ sensitivity }) => sensitivity,
    }),
    selects: t.field({
      type: Selects,
      description: 'The kind of resource that users select when they grant the scope.',
      resolve: ({ selects }) => selects,
    }),
  }),
})

const Secret = builder.objectRef<ApiSecret>('ApiSecret').implement({
  description: 'A client secret of an API, without its value.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the secret.' }),
    lastFour: t.exposeString('lastFour', { description: 'The last four characters of the secret.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the secret was created.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the API last used the secret, accurate to the minute. Null if the API never used it.',
    }),
  }),
})

const secretsOf = defineLoader((_actor, ids) => secretsOfApis(ids))

const Api = builder.objectRef<ListedApi>('Api').implement({
  description: 'An API outside this instance that apps can request tokens for (RFC 8707).',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The ID of the API, which is also its client ID for introspection and token exchange.',
    }),
    identifier: t.exposeString('identifier', {
      description: 'The value that apps send as `resource` and that tokens contain as the audience (`aud`).',
    }),
    name: t.exposeString('name', { description: 'The name, as shown on the consent page.' }),
    logoUrl: t.string({
      nullable: true,
      description: 'The URL of the logo. Null if the API has none.',
      resolve: ({ logoUrl }) => logoUrl && pictureAddress(logoUrl),
    }),
    tokenFormat: t.field({
      type: TokenFormat,
      description: 'The format of access tokens.',
      resolve: ({ tokenFormat }) => tokenFormat,
    }),
    tokenLifetime: t.exposeInt('tokenLifetime', {
      description: 'The lifetime of access tokens, in seconds.',
    }),
    signingAlgorithm: t.field({
      type: SigningAlgorithm,
      description: 'The signing algorithm of JWT access tokens and of signed introspection responses.',
      resolve: ({ signingAlgorithm }) => signingAlgorithm,
    }),
    eventsUrl: t.exposeString('eventsUrl', {
      nullable: true,
      description:
        'The URL at which the API receives security event tokens (RFC 8935). Null if it receives none.',
    }),
    scopes: t.field({ type: [ApiScope], description: 'The scopes.', resolve: ({ scopes }) => scopes }),
    secrets: t.field({
      type: [Secret],
      nullable: true,
      description: 'The client secrets, oldest first. Maximum: 2.',
      resolve: ({ id }, _args, context) => secretsOf(context).load(id),
    }),
    fromFile: t.exposeBoolean('fromFile', {
      description: 'Whether the API is defined in `RESOURCES_FILE`. If so, it can be changed only there.',
    }),
    userCount: t.exposeInt('users', {
      description: 'The number of users who granted an app access to the API.',
    }),
    appCount: t.exposeInt('apps', { description: 'The number of apps with access to the API.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the API was registered.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the API was last changed.' }),
  }),
})

const id = { required: true, description: 'The ID of the API.' } as const

builder.queryFields((t) => ({
  apis: t.field({
    type: [Api],
    nullable: true,
    description: `All registered APIs, ordered by name. The list is short, so it is not paginated. ${forInstanceAdmins}.`,
    resolve: (_root, _args, { actor }) => listApis(actor),
  }),
  api: t.field({
    type: Api,
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `A registered API. ${forInstanceAdmins}.`,
    resolve: (_root, args, { actor }) => getApi(actor, args.id),
  }),
}))

const ScopeInput = builder.inputType('ApiScopeInput', {
  description: 'A scope of an API.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description:
        'The name: lowercase letters, digits, and `-_.` in parts separated by colons. Maximum: 64 characters. The name must be unique across all APIs. The instance’s own scope names are reserved.',
    }),
    description: t.string({
      required: true,
      description: 'The sentence that the consent page shows, such as `Deploy the projects you choose`.',
    }),
    sensitivity: t.field({
      type: Sensitivity,
      description:
        'The sensitivity of the scope, which determines how the consent page marks it. Default: `LOW`.',
    }),
    selects: t.field({
      type: Selects,
      description: 'The kind of resource that users select when they grant the scope. Default: `NOTHING`.',
    }),
  }),
})

const lifetimeText = `The lifetime of access tokens, in seconds: ${lifetimes.OPAQUE.least} to ${lifetimes.OPAQUE.most} for opaque tokens and ${lifetimes.JWT.least} to ${lifetimes.JWT.most} for JWTs.`

const CreateInput = builder.inputType('ApiCreateInput', {
  description: 'A new API.',
  fields: (t) => ({
    identifier: t.string({
      required: true,
      description: 'An https URL without a fragment, such as `https://deployments.example.com`.',
    }),
    name: t.string({ required: true, description: 'The name, as shown on the consent page.' }),
    tokenFormat: t.field({
      type: TokenFormat,
      description: 'The format of access tokens. Default: `OPAQUE`.',
    }),
    tokenLifetime: t.int({
      description: `${lifetimeText} Default: ${lifetimes.OPAQUE.usual} for opaque tokens and ${lifetimes.JWT.usual} for JWTs.`,
    }),
    signingAlgorithm: t.field({
      type: SigningAlgorithm,
      description: 'The signing algorithm. Default: `RS256`.',
    }),
    eventsUrl: t.string({
      description: 'The https URL that receives security event tokens (RFC 8935). Default: none.',
    }),
    scopes: t.field({ type: [ScopeInput], required: true, description: `The scopes: 1 to ${maxScopes}.` }),
  }),
})

const UpdateInput = builder.inputType('ApiUpdateInput', {
  description: 'Changes to an API. Omitted fields stay unchanged. The identifier cannot change.',
  fields: (t) => ({
    name: t.string({ description: 'The new name.' }),
    tokenFormat: t.field({ type: TokenFormat, description: 'The new format of access tokens.' }),
    tokenLifetime: t.int({ description: lifetimeText }),
    signingAlgorithm: t.field({ type: SigningAlgorithm, description: 'The new signing algorithm.' }),
    eventsUrl: t.string({
      description:
        'The https URL that receives security event tokens (RFC 8935). An empty string removes it.',
    }),
    scopes: t.field({
      type: [ScopeInput],
      description:
        'The complete list of scopes. Unlisted scopes are removed, including from existing grants.',
    }),
  }),
})

const CreatePayload = defineSecretPayload(
  'ApiCreatePayload',
  { name: 'api', type: Api, description: 'The API.' },
  'The client secret of the API. It is returned only once.',
  'A new API and its client secret.',
)

const SecretCreatePayload = defineSecretPayload(
  'ApiSecretCreatePayload',
  {
    name: 'apiSecret',
    type: Secret,
    description: 'The metadata of the new client secret, without its value.',
  },
  'The client secret. It is returned only once.',
  'A new client secret and its value.',
)

/**
 * Removes null fields, including those of objects in lists. GraphQL clients can send null for a field without
 * a value, but the domain functions expect such fields to be omitted.
 */
const given = (input: object) => {
  const entries = Object.entries(input).filter(([, value]) => value !== null)
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.map(withoutNulls) : value]),
  )
}

const withoutNulls = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))

builder.mutationFields((t) => ({
  apiCreate: t.field({
    type: CreatePayload,
    nullable: true,
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The API.' }) },
    description: `Registers an API. ${forInstanceAdmins}.`,
    resolve: async (_root, { input }, { actor }) => {
      const { api, secret } = await registerApi(actor, given(input))
      return { thing: await getApi(actor, api.id), secret }
    },
  }),
  apiUpdate: t.field({
    type: Api,
    nullable: true,
    args: {
      id: t.arg.id(id),
      input: t.arg({ type: UpdateInput, required: true, description: 'The changes.' }),
    },
    description: `Changes an API. Existing tokens keep their format and lifetime. ${forInstanceAdmins}.`,
    resolve: async (_root, args, { actor }) => {
      await updateApi(actor, args.id, given(args.input))
      return getApi(actor, args.id)
    },
  }),
  apiDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Deletes an API, its secrets, and all user grants for it. JWTs stay valid until they expire. Returns true. ${forInstanceAdmins}.`,
    resolve: async (_root, args, { actor }) => {
      await deleteApi(actor, args.id)
      return true
    },
  }),
  apiLogoUpdate: t.field({
    type: Api,
    nullable: true,
    args: {
      id: t.arg.id(id),
      picture: t.arg.string({
        required: true,
        description:
          'A PNG, JPEG, or WebP file in base64 (RFC 4648 section 4). The image must be approximately square and at least 64 pixels on each side.',
      }),
    },
    description: `Sets the logo of an API. ${forInstanceAdmins}.`,
    resolve: async (_root, args, { actor }) => {
      await setApiLogo(actor, args.id, Buffer.from(args.picture, 'base64'))
      return getApi(actor, args.id)
    },
  }),
  apiLogoDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Deletes the logo of an API. Pages then show the API's initials. Returns true. ${forInstanceAdmins}.`,
    resolve: async (_root, args, { actor }) => {
      await removeApiLogo(actor, args.id)
      return true
    },
  }),
  apiSecretCreate: t.field({
    type: SecretCreatePayload,
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Creates an additional client secret for an API. An API can have up to two. ${forInstanceAdmins}.`,
    resolve: async (_root, args, { actor }) => {
      const { record, secret } = await addApiSecret(actor, args.id)
      return { thing: record, secret }
    },
  }),
  apiSecretDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id), secretId: t.arg.id({ required: true, description: 'The ID of the secret.' }) },
    description: `Revokes a client secret of an API. Returns true. ${forInstanceAdmins}.`,
    resolve: async (_root, args, { actor }) => {
      await revokeApiSecret(actor, args.id, args.secretId)
      return true
    },
  }),
}))
