import { addSecret } from '@/lib/features/apps/add-secret'
import { createApp } from '@/lib/features/apps/create-app'
import { deleteApp } from '@/lib/features/apps/delete-app'
import { idTokenAlgOf } from '@/lib/features/apps/editable-app'
import { getApp, type SecretSummary } from '@/lib/features/apps/get-app'
import { listApps } from '@/lib/features/apps/list-apps'
import { revokeSecret } from '@/lib/features/apps/revoke-secret'
import { updateApp } from '@/lib/features/apps/update-app'
import type { SigningAlg } from '@/lib/features/signing-keys/generate-key'
import type { OAuthClient } from '@/lib/generated/prisma/client'
import { builder } from '../builder'
import { takes } from '../takes'
import { AdvancedInput, AdvancedSettings, advancedSettingsOf, withoutNulls } from './oauth-app-settings'

const AppType = builder.enumType('OAuthAppType', {
  description: 'Whether an app can keep a secret.',
  values: {
    WEB: { description: 'Runs on a server and has a client secret.' },
    NATIVE: { description: 'Runs in the hands of its users, so it has no secret and must use PKCE.' },
  } as const,
})

const SigningAlgType = builder.enumType('IdTokenAlgorithm', {
  description: 'What an app wants its id_tokens signed with.',
  values: {
    RS256: { description: 'RSA; what OpenID Connect libraries expect unless told otherwise.' },
    ES256: { description: 'ECDSA on P-256; smaller and cheaper.' },
    EdDSA: { description: 'Ed25519.' },
  } satisfies Record<SigningAlg, object>,
})

const Secret = builder.objectRef<SecretSummary>('OAuthAppSecret').implement({
  description: "One of an app's client secrets.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the record; not the secret.' }),
    lastFour: t.exposeString('lastFour', { description: 'Its last four characters.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used.',
    }),
  }),
})

const OAuthApp = builder
  .objectRef<Pick<OAuthClient, 'id' | 'name' | 'type' | 'createdAt'>>('OAuthApp')
  .implement({
    description: 'An app that signs people in with this service.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The client id.' }),
      name: t.exposeString('name', { description: 'Its name on the consent page.' }),
      type: t.expose('type', { type: AppType, description: 'Whether it can keep a secret.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    }),
  })

type Details = Awaited<ReturnType<typeof getApp>>

const OAuthAppDetails = builder.objectRef<Details>('OAuthAppDetails').implement({
  description: 'An app with everything its page shows.',
  fields: (t) => ({
    app: t.field({ type: OAuthApp, description: 'The app itself.', resolve: (details) => details }),
    redirectUris: t.exposeStringList('redirectUris', { description: 'Where people may be sent back to.' }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'What its id_tokens are signed with.',
      resolve: idTokenAlgOf,
    }),
    advanced: t.field({
      type: AdvancedSettings,
      description: 'How strictly it is treated, and where it hears of sign-outs.',
      resolve: advancedSettingsOf,
    }),
    secrets: t.expose('secrets', { type: [Secret], description: 'Its client secrets, the latest first.' }),
    people: t.exposeInt('people', { description: 'How many people have authorized it.' }),
  }),
})

const Created = builder
  .objectRef<{ app: OAuthClient; secret: string | undefined }>('OAuthAppCreated')
  .implement({
    description: 'An app just made.',
    fields: (t) => ({
      app: t.expose('app', { type: OAuthApp, description: 'The app.' }),
      clientSecret: t.string({
        nullable: true,
        description: 'Its client secret, this once; null for a native app, and for one with a key.',
        resolve: ({ secret }) => secret,
      }),
    }),
  })

builder.queryFields((t) => ({
  oauthApps: t.field({
    type: [OAuthApp],
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }) },
    description: `The OAuth apps of a workspace, by name. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, { workspaceId }, { actor }) => listApps(actor, workspaceId),
  }),
  oauthApp: t.field({
    type: OAuthAppDetails,
    args: { id: t.arg.id({ required: true, description: 'The client id.' }) },
    description: `One OAuth app. ${takes('workspace:manage-apps')} in its workspace.`,
    resolve: (_root, { id }, { actor }) => getApp(actor, id),
  }),
}))

const CreateInput = builder.inputType('OAuthAppCreateInput', {
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
    advanced: t.field({
      type: AdvancedInput,
      description: 'How strictly it is treated, and where it hears of sign-outs.',
    }),
  }),
})

const UpdateInput = builder.inputType('OAuthAppUpdateInput', {
  description: 'What changes about an OAuth app; what is left out stays.',
  fields: (t) => ({
    name: t.string({ description: 'Its new name on the consent page.' }),
    redirectUris: t.stringList({ description: 'Where people may be sent back to from now on.' }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'What its id_tokens are signed with from now on.',
    }),
    advanced: t.field({
      type: AdvancedInput,
      description: 'How strictly it is treated, and where it hears of sign-outs.',
    }),
  }),
})

const idArg = { required: true, description: 'The client id.' } as const

builder.mutationFields((t) => ({
  oauthAppCreate: t.field({
    type: Created,
    args: { input: t.arg({ type: CreateInput, required: true, description: 'The new app.' }) },
    description: `Creates an OAuth app. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, { input: { advanced, ...input } }, { actor }) =>
      createApp(actor, { ...withoutNulls(input), ...withoutNulls(advanced) }),
  }),
  oauthAppUpdate: t.field({
    type: OAuthApp,
    args: {
      id: t.arg.id(idArg),
      input: t.arg({ type: UpdateInput, required: true, description: 'What changes.' }),
    },
    description: `Changes an OAuth app. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, { id, input: { advanced, ...input } }, { actor }) =>
      updateApp(actor, id, { ...withoutNulls(input), ...withoutNulls(advanced) }),
  }),
  oauthAppDelete: t.boolean({
    args: { id: t.arg.id(idArg) },
    description: `Deletes an OAuth app; every token of it is dead at once. ${takes('workspace:manage-apps')}. Answers true.`,
    resolve: async (_root, { id }, { actor }) => {
      await deleteApp(actor, id)
      return true
    },
  }),
  oauthAppSecretCreate: t.string({
    args: { id: t.arg.id(idArg) },
    description: `Makes another client secret and answers it, this once. ${takes('workspace:manage-apps')}.`,
    resolve: async (_root, { id }, { actor }) => (await addSecret(actor, id)).secret,
  }),
  oauthAppSecretDelete: t.boolean({
    args: { id: t.arg.id(idArg), secretId: t.arg.id({ required: true, description: 'The secret.' }) },
    description: `Revokes a client secret at once. ${takes('workspace:manage-apps')}. Answers true.`,
    resolve: async (_root, { id, secretId }, { actor }) => {
      await revokeSecret(actor, id, secretId)
      return true
    },
  }),
}))
