import { cursorOfPlace, parseTextPage } from '@/lib/base/db/paging'
import { countExternalUsersOf } from '@/lib/features/apps/activity/revoke-users'
import { profileOf } from '@/lib/features/apps/app-profile'
import { createApp } from '@/lib/features/apps/create-app'
import { allowedScopesOf } from '@/lib/features/apps/input'
import {
  countPeopleOf,
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
import { builder, takes } from '../builder'
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

const peopleOf = defineLoader((_actor, ids) => countPeopleOf(ids))
const externalUsersOf = defineLoader((_actor, ids) => countExternalUsersOf(ids))

export const OAuthApp = builder.objectRef<OAuthClient>('OAuthApp').implement({
  interfaces: [Node],
  description: 'An app that signs people in with this service, as the admins of its workspace see it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The client id.' }),
    name: t.exposeString('name', { description: 'Its name on the consent page.' }),
    type: t.expose('type', { type: AppType, description: 'Whether it can keep a secret.' }),
    workspaceId: t.exposeID('workspaceId', { nullable: true, description: 'The workspace that runs it.' }),
    workspace: t.field({
      type: Workspace,
      nullable: true,
      description: 'The workspace that runs it.',
      resolve: ({ workspaceId }, _args, context) =>
        workspaceId === null ? null : workspacesById(context).load(workspaceId),
    }),
    profile: t.field({
      type: AppProfile,
      description: 'How it introduces itself beside its name and logo.',
      resolve: profileOf,
    }),
    logo: t.string({
      nullable: true,
      description: 'The address of its logo; null without one.',
      resolve: ({ logoUrl }) => logoUrl && pictureAddress(logoUrl),
    }),
    logoDark: t.string({
      nullable: true,
      description: 'The address of its logo for dark pages; null where the other is shown there too.',
      resolve: ({ logoDarkUrl }) => logoDarkUrl && pictureAddress(logoDarkUrl),
    }),
    redirectUris: t.exposeStringList('redirectUris', { description: 'Where people may be sent back to.' }),
    postLogoutRedirectUris: t.exposeStringList('postLogoutRedirectUris', {
      description: 'Where people may be sent after they signed out.',
    }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'What its id_tokens are signed with.',
      resolve: idTokenAlgOf,
    }),
    advanced: t.field({
      type: AdvancedSettings,
      description: 'How strictly it is treated, and where it hears of sign-outs.',
      resolve: editableApp,
    }),
    secrets: t.field({
      type: [Secret],
      nullable: true,
      description: 'Its client secrets, the latest first.',
      resolve: ({ id }, _args, context) => secretsOf(context).load(id),
    }),
    userCount: t.int({
      nullable: true,
      description: 'The number of users who authorized the app.',
      resolve: ({ id }, _args, context) => peopleOf(context).load(id),
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
        "When the former owner's credentials end and the app is switched off, unless `oauthAppTransferFinish` is called before. Null if it has no unfinished transfer.",
      resolve: ({ transferredAt }) => transferredAt && graceEnd(transferredAt),
    }),
    inDevelopment: t.exposeBoolean('inDevelopment', {
      description: 'Whether it is for members of its workspace alone.',
    }),
    allowedScopes: t.stringList({
      nullable: true,
      description: 'The scopes that it may ask for, with those they include; null where it may ask for all.',
      resolve: allowedScopesOf,
    }),
    verifiedAt: t.expose('verifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the instance admin of this service verified it; null for never.',
    }),
    disabledAt: t.expose('disabledAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the instance admin of this service switched it off; null while it works.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

/** A page of apps. */
export const OAuthAppConnection = defineConnection('OAuthApp', OAuthApp, (app) =>
  cursorOfPlace(placeOfApp(app)),
)

const CreatePayload = defineSecretPayload(
  'OAuthAppCreatePayload',
  { name: 'oauthApp', type: OAuthApp, description: 'The app.' },
  'Its client secret, this once; null for a native app, and for one with a key. If an expiring API token creates the app, the secret expires with that token.',
)

const SecretCreatePayload = builder
  .objectRef<{ app: OAuthClient; record: SecretSummary; secret: string }>('OAuthAppSecretCreatePayload')
  .implement({
    description: 'A client secret just made.',
    fields: (t) => ({
      oauthApp: t.expose('app', { type: OAuthApp, description: 'The app.' }),
      oauthAppSecret: t.expose('record', { type: Secret, description: 'The record of the secret.' }),
      secret: t.exposeString('secret', { description: 'The client secret, this once.' }),
    }),
  })

builder.queryFields((t) => ({
  oauthApps: t.field({
    type: OAuthAppConnection,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }), ...pageArgs },
    description: `The OAuth apps of a workspace, by name. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      pageApps(actor, workspaceId, parseTextPage(page)),
  }),
  oauthApp: t.field({
    type: OAuthApp,
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The client id.' }) },
    description: `One OAuth app. ${takes('workspace:manage-apps')} in its workspace.`,
    resolve: (_root, { id }, { actor }) => requireApp(actor, id),
  }),
}))

const idArg = { required: true, description: 'The client id.' } as const

builder.mutationFields((t) => ({
  oauthAppCreate: t.field({
    type: CreatePayload,
    nullable: true,
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The new app.' }) },
    description: `Creates an OAuth app. It stays in development if the user has no confirmed email address. ${takes('workspace:manage-apps')}.`,
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
      input: t.arg({ type: UpdateInput, required: true, description: 'What changes.' }),
    },
    description: `Changes an OAuth app. Moving it to production requires a confirmed email address. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, { id, input }, { actor }) => updateApp(actor, id, fieldsOf(input)),
  }),
  oauthAppDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(idArg) },
    description: `Deletes an OAuth app; every token of it is dead at once. ${takes('workspace:manage-apps')}. Answers true.`,
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
      input: t.arg({ type: SecretCreateInput, description: 'What to call it, and when it ends.' }),
    },
    description: `Makes another client secret and answers it with its record, this once. ${takes('workspace:manage-secrets')}.`,
    resolve: (_root, { id, input }, { actor }) => addSecret(actor, id, input ?? {}),
  }),
  oauthAppSecretDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id(idArg), secretId: t.arg.id({ required: true, description: 'The secret.' }) },
    description: `Revokes a client secret at once. ${takes('workspace:manage-secrets')}. Answers true.`,
    resolve: async (_root, { id, secretId }, { actor }) => {
      await revokeSecret(actor, id, secretId)
      return true
    },
  }),
}))

/** One of an app's client secrets, never the secret itself. */
const Secret = builder.objectRef<SecretSummary>('OAuthAppSecret').implement({
  description: "One of an app's client secrets.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record; not the secret.' }),
    name: t.exposeString('name', { nullable: true, description: 'What it is called; null without a name.' }),
    lastFour: t.exposeString('lastFour', { description: 'Its last four characters.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it is refused; null for never.',
    }),
  }),
})

/** A new client secret, as `addSecret` takes it. */
const SecretCreateInput = builder.inputType('OAuthAppSecretCreateInput', {
  description: 'A new client secret.',
  fields: (t) => ({
    name: t.string({ description: 'What to call it: 1 to 80 characters.' }),
    expiresAt: t.field({
      type: 'DateTime',
      description:
        'When the secret expires. Default: never. A secret that an expiring API token creates expires no later than that token, which is then the default.',
    }),
  }),
})

const secretsOf = defineLoader((_actor, ids) => listSecretsOf(ids))
