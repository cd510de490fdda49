import { cursorOfPlace, parseTextPage } from '@/lib/base/db/paging'
import { acceptTransfer, cancelTransfer, declineTransfer } from '@/lib/features/app-transfers/answer-transfer'
import { finishTransfer } from '@/lib/features/app-transfers/finish-transfer'
import {
  type AppTransfer,
  listTransfersTo,
  placeOfTransfer,
  requestTransfer,
  transferDays,
  transfersOf,
} from '@/lib/features/app-transfers/request-transfer'
import { profileOf } from '@/lib/features/apps/app-profile'
import { graceDays } from '@/lib/policy/app-status'
import { builder, describeRole } from '../builder'
import { defineConnection, defineSecretPayload, pageArgs } from '../connection'
import { defineLoader } from '../context'
import { OAuthApp } from './oauth-app'
import { AppProfile, AppType } from './oauth-app-inputs'

const Offer = builder.objectRef<AppTransfer>('OAuthAppTransfer').implement({
  description:
    'A request to transfer an OAuth app to another workspace. Nothing changes until an admin of that workspace accepts.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The client ID of the app.' }),
    name: t.string({
      description: 'The name of the app, as shown on the consent page.',
      resolve: ({ app }) => app.name,
    }),
    type: t.field({
      type: AppType,
      description: 'The type of the app.',
      resolve: ({ app }) => app.type,
    }),
    profile: t.field({
      type: AppProfile,
      description: 'The profile of the app.',
      resolve: ({ app }) => profileOf(app),
    }),
    redirectUris: t.stringList({
      description: 'The redirect URIs of the app.',
      resolve: ({ app }) => app.redirectUris,
    }),
    inDevelopment: t.boolean({
      description:
        'Whether the app is in development. If true, only members of its workspace can authorize it.',
      resolve: ({ app }) => app.inDevelopment,
    }),
    userCount: t.exposeInt('users', { description: 'The number of users who authorized the app.' }),
    fromWorkspaceName: t.string({
      description: 'The name of the workspace that owns the app.',
      resolve: ({ from }) => from.name,
    }),
    toWorkspaceId: t.id({
      description: 'The ID of the workspace that the app is transferred to.',
      resolve: ({ to }) => to.id,
    }),
    toWorkspaceName: t.string({
      description: 'The name of the workspace that the app is transferred to.',
      resolve: ({ to }) => to.name,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the transfer was requested.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the request expires.' }),
  }),
})

const TransferConnection = defineConnection('OAuthAppTransfer', Offer, (offer) =>
  cursorOfPlace(placeOfTransfer(offer)),
)

const transferOf = defineLoader((_actor, ids) => transfersOf(ids))

builder.objectField(OAuthApp, 'pendingTransfer', (t) =>
  t.field({
    type: Offer,
    nullable: true,
    description: 'The pending transfer to another workspace. Null if there is none.',
    resolve: ({ id }, _args, context) => transferOf(context).load(id),
  }),
)

builder.queryField('oauthAppTransfers', (t) =>
  t.field({
    type: TransferConnection,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The ID of the workspace.' }), ...pageArgs },
    description: `The pending transfers of apps to a workspace, oldest first. ${describeRole('workspace:manage-apps')}.`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      listTransfersTo(actor, workspaceId, parseTextPage(page)),
  }),
)

const TransferRequestInput = builder.inputType('OAuthAppTransferRequestInput', {
  description: 'A destination for a transfer.',
  fields: (t) => ({
    workspace: t.string({ required: true, description: 'The slug or ID of the other workspace.' }),
  }),
})

const id = { required: true, description: 'The client ID of the app.' } as const

const TransferFinishInput = builder.inputType('OAuthAppTransferFinishInput', {
  description: 'The settings that the new admins of a transferred app confirm or replace.',
  fields: (t) => ({
    redirectUris: t.stringList({
      required: true,
      description:
        'The new redirect URIs. Review each one: the former owner might receive data that is sent there.',
    }),
    postLogoutRedirectUris: t.stringList({
      description: 'The new post-logout redirect URIs. Default: none.',
    }),
    publicKeys: t.string({
      description:
        'The new public keys, as a JSON Web Key Set or its URL. Required for an app that authenticates with `private_key_jwt` or must sign its requests.',
    }),
  }),
})

const TransferFinishPayload = defineSecretPayload(
  'OAuthAppTransferFinishPayload',
  { name: 'oauthApp', type: OAuthApp, description: 'The app.' },
  'The new client secret. It is returned only once. Null for a native app or an app that authenticates with a key.',
  'The transferred app and its new client secret.',
)

builder.mutationFields((t) => ({
  oauthAppTransferRequest: t.field({
    type: OAuthApp,
    nullable: true,
    args: {
      id: t.arg.id(id),
      input: t.arg({ type: TransferRequestInput, required: true, description: 'The destination.' }),
    },
    description: `Requests the transfer of an OAuth app to another workspace and replaces any earlier request. The request expires after ${transferDays} days. ${describeRole('workspace:manage-apps')}. Not available to app installations.`,
    resolve: (_root, args, { actor }) => requestTransfer(actor, args.id, args.input),
  }),
  oauthAppTransferCancel: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Cancels the pending transfer of an OAuth app. Returns true. ${describeRole('workspace:manage-apps')}.`,
    resolve: async (_root, args, { actor }) => {
      await cancelTransfer(actor, args.id)
      return true
    },
  }),
  oauthAppTransferAccept: t.field({
    type: OAuthApp,
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Accepts the transfer of an OAuth app. The app moves to the workspace and is no longer verified. Its webhooks are disabled and get new signing secrets. Call \`oauthAppTransferFinish\` within ${graceDays} days. ${describeRole('workspace:manage-apps')} in the destination workspace.`,
    resolve: (_root, args, { actor }) => acceptTransfer(actor, args.id),
  }),
  oauthAppTransferFinish: t.field({
    type: TransferFinishPayload,
    nullable: true,
    args: {
      id: t.arg.id(id),
      input: t.arg({
        type: TransferFinishInput,
        required: true,
        description: 'The settings to confirm or replace.',
      }),
    },
    description: `Finishes the accepted transfer of an OAuth app. Confirms its redirect URIs, revokes all of the former owner’s credentials, and creates a client secret. The app then becomes one of the workspace’s own apps. ${describeRole('workspace:manage-secrets')}.`,
    resolve: async (_root, { id, input }, { actor }) => {
      const { app, secret } = await finishTransfer(actor, id, {
        redirectUris: input.redirectUris,
        postLogoutRedirectUris: input.postLogoutRedirectUris ?? undefined,
        publicKeys: input.publicKeys ?? undefined,
      })
      return { thing: app, secret }
    },
  }),
  oauthAppTransferDecline: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Declines the transfer of an OAuth app and notifies the admins of its workspace. Returns true. ${describeRole('workspace:manage-apps')} in the destination workspace.`,
    resolve: async (_root, args, { actor }) => {
      await declineTransfer(actor, args.id)
      return true
    },
  }),
}))
