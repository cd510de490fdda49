import { cursorOfPlace, parseTextPage } from '@/lib/base/db/paging'
import { countExternalUsersOf } from '@/lib/features/apps/activity/revoke-users'
import { profileOf } from '@/lib/features/apps/app-profile'
import { createApp } from '@/lib/features/apps/create-app'
import { allowedScopesOf } from '@/lib/features/apps/input'
import {
  countUsersOf,
  listSecretsOf,
  pageApps,
  placeOfApp,
  type SecretSummary,
} from '@/lib/features/apps/read-apps'
import { requireApp } from '@/lib/features/apps/require-app'
import { addSecret, revokeSecret } from '@/lib/features/apps/secrets'
import { deleteApp, editableApp, idTokenAlgOf, updateApp } from '@/lib/features/apps/update-app'
import { pictureAddress } from '@/lib/features/pictures/address'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import { graceEnd } from '@/lib/policy/app-status'
import { builder, describeRole } from '../builder'
import { defineConnection, defineSecretPayload, pageArgs } from '../connection'
import { defineLoader } from '../context'
import { Node } from '../nodes'
import {
  AdvancedSettings,
  AppProfile,
  AppType,
  CreateInput,
  fieldsOf,
  SigningAlgType,
  UpdateInput,
} from './oauth-app-inputs'
import { Workspace, workspacesById } from './workspace'

const usersOf = defineLoader((_actor, ids) => countUsersOf(ids))
const externalUsersOf = defineLoader((_actor, ids) => countExternalUsersOf(ids))

export const OAuthApp = builder.objectRef<OAuthClient>('OAuthApp').implement({
  interfaces: [Node],
  description: 'An OAuth app of a workspace, with its settings.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The client ID of the app.' }),
    name: t.exposeString('name', { description: 'The name of the app, as shown on the consent page.' }),
    type: t.expose('type', { type: AppType, description: 'The type of the app.' }),
    workspaceId: t.exposeID('workspaceId', {
      nullable: true,
      description: 'The ID of the workspace that owns the app.',
    }),
    workspace: t.field({
      type: Workspace,
      nullable: true,
      description: 'The workspace that owns the app.',
      resolve: ({ workspaceId }, _args, context) =>
        workspaceId === null ? null : workspacesById(context).load(workspaceId),
    }),
    profile: t.field({
      type: AppProfile,
      description: 'The profile of the app.',
      resolve: profileOf,
    }),
    logo: t.string({
      nullable: true,
      description: 'The URL of the app’s logo. Null if it has none.',
      resolve: ({ logoUrl }) => logoUrl && pictureAddress(logoUrl),
    }),
    logoDark: t.string({
      nullable: true,
      description:
        'The URL of the app’s logo for dark pages. Null if light and dark pages use the same logo.',
      resolve: ({ logoDarkUrl }) => logoDarkUrl && pictureAddress(logoDarkUrl),
    }),
    redirectUris: t.exposeStringList('redirectUris', { description: 'The redirect URIs.' }),
    postLogoutRedirectUris: t.exposeStringList('postLogoutRedirectUris', {
      description: 'The post-logout redirect URIs.',
    }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'The signing algorithm of ID tokens.',
      resolve: idTokenAlgOf,
    }),
    advanced: t.field({
      type: AdvancedSettings,
      description: 'The advanced security settings of the app.',
      resolve: editableApp,
    }),
    secrets: t.field({
      type: [Secret],
      nullable: true,
      description: 'The client secrets of the app, newest first.',
      resolve: ({ id }, _args, context) => secretsOf(context).load(id),
    }),
    userCount: t.int({
      nullable: true,
      description: 'The number of users who authorized the app.',
      resolve: ({ id }, _args, context) => usersOf(context).load(id),
    }),
    externalUserCount: t.int({
      nullable: true,
      description:
        'The number of external users: users who authorized the app but are not members of its workspace. While the app is in development, it cannot act for them.',
      resolve: ({ id }, _args, context) => externalUsersOf(context).load(id),
    }),
    transferGraceEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the former owner’s credentials expire and the app is disabled, unless `oauthAppTransferFinish` is called first. Null if the app has no unfinished transfer.',
      resolve: ({ transferredAt }) => transferredAt && graceEnd(transferredAt),
    }),
    inDevelopment: t.exposeBoolean('inDevelopment', {
      description:
        'Whether the app is in development. If true, only members of its workspace can authorize it.',
    }),
    allowedScopes: t.stringList({
      nullable: true,
      description:
        'The scopes that the app can request, including implied scopes. Null if the app can request all scopes.',
      resolve: allowedScopesOf,
    }),
    verifiedAt: t.expose('verifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an instance admin verified the app. Null if the app is not verified.',
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When an instance admin disabled the app. Null if it is enabled.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the app was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the app was last changed.' }),
  }),
})

export const OAuthAppConnection = defineConnection('OAuthApp', OAuthApp, (app) =>
  cursorOfPlace(placeOfApp(app)),
)

const CreatePayload = defineSecretPayload(
  'OAuthAppCreatePayload',
  { name: 'oauthApp', type: OAuthApp, description: 'The app.' },
  'The client secret. It is returned only once. Null for a native app or an app that authenticates with a key. If you create the app with an expiring API token, the secret expires with that token.',
  'A new app and its client secret.',
)

const SecretCreatePayload = builder
  .objectRef<{ app: OAuthClient; record: SecretSummary; secret: string }>('OAuthAppSecretCreatePayload')
  .implement({
    description: 'A new client secret.',
    fields: (t) => ({
      oauthApp: t.expose('app', { type: OAuthApp, description: 'The app.' }),
      oauthAppSecret: t.expose('record', {
        type: Secret,
        description: 'The metadata of the new client secret, without its value.',
      }),
      secret: t.exposeString('secret', { description: 'The client secret. It is returned only once.' }),
    }),
  })

builder.queryFields((t) => ({
  oauthApps: t.field({
    type: OAuthAppConnection,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }), ...pageArgs },
    description: `The OAuth apps of a workspace, ordered by name. ${describeRole('workspace:manage-apps')}.`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      pageApps(actor, workspaceId, parseTextPage(page)),
  }),
  oauthApp: t.field({
    type: OAuthApp,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The client ID of the app.' }) },
    description: `An OAuth app. ${describeRole('workspace:manage-apps')} in its workspace.`,
    resolve: (_root, { id }, { actor }) => requireApp(actor, id),
  }),
}))

const idArg = { required: true, description: 'The client ID of the app.' } as const

builder.mutationFields((t) => ({
  oauthAppCreate: t.field({
    type: CreatePayload,
    nullable: true,
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The app to create.' }) },
    description: `Creates an OAuth app. The app stays in development if the user has no confirmed email address. ${describeRole('workspace:manage-apps')}.`,
    resolve: async (_root, { input }, { actor }) => {
      const { app, secret } = await createApp(actor, fieldsOf(input))
      return { thing: app, secret }
    },
  }),
  oauthAppUpdate: t.field({
    type: OAuthApp,
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      input: t.arg({ type: UpdateInput, required: true, description: 'The fields to change.' }),
    },
    description: `Changes an OAuth app. To move the app to production, the user must have a confirmed email address. ${describeRole('workspace:manage-apps')}.`,
    resolve: (_root, { id, input }, { actor }) => updateApp(actor, id, fieldsOf(input)),
  }),
  oauthAppDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Deletes an OAuth app. All its tokens stop working immediately. Returns true. ${describeRole('workspace:manage-apps')}.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteApp(actor, id)
      return true
    },
  }),
  oauthAppSecretCreate: t.field({
    type: SecretCreatePayload,
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      input: t.arg({ type: SecretCreateInput, description: 'The client secret to create.' }),
    },
    description: `Creates an additional client secret and returns its value. The value is returned only once. ${describeRole('workspace:manage-secrets')}.`,
    resolve: (_root, { id, input }, { actor }) => addSecret(actor, id, input ?? {}),
  }),
  oauthAppSecretDelete: t.boolean({
    nullable: true,
    args: {
      id: t.arg.id(idArg),
      secretId: t.arg.id({ required: true, description: 'The ID of the client secret.' }),
    },
    description: `Revokes a client secret. It stops working immediately. Returns true. ${describeRole('workspace:manage-secrets')}.`,
    resolve: async (_root, { id, secretId }, { actor }) => {
      await revokeSecret(actor, id, secretId)
      return true
    },
  }),
}))

/** The metadata of an app's client secret, without its value. */
const Secret = builder.objectRef<SecretSummary>('OAuthAppSecret').implement({
  description: 'A client secret of an app.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the client secret. It is not the secret value.' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of the client secret. Null if it has none.',
    }),
    lastFour: t.exposeString('lastFour', { description: 'The last four characters of the client secret.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the client secret was created.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the client secret was last used. Null if it was never used.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the client secret expires. Null if it never expires.',
    }),
  }),
})

/** The input of a new client secret, for `addSecret`. */
const SecretCreateInput = builder.inputType('OAuthAppSecretCreateInput', {
  description: 'A new client secret.',
  fields: (t) => ({
    name: t.string({ description: 'The name of the client secret: 1 to 80 characters.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'When the secret expires. Default: never. If you create the secret with an API token that expires, the expiry of that API token is the default and the maximum.',
    }),
  }),
})

const secretsOf = defineLoader((_actor, ids) => listSecretsOf(ids))
