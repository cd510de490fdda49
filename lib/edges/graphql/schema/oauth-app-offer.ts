import { cursorOfPlace, parseTextPage } from '@/lib/base/db/paging'
import { acceptOffer, declineOffer, withdrawOffer } from '@/lib/features/app-offers/answer-offer'
import { finishTransfer } from '@/lib/features/app-offers/finish-transfer'
import {
  type AppOffer,
  listOffersTo,
  offerApp,
  offerDays,
  offersOf,
  placeOfOffer,
} from '@/lib/features/app-offers/offer-app'
import { profileOf } from '@/lib/features/apps/app-profile'
import { graceDays } from '@/lib/policy/app-status'
import { builder, takes } from '../builder'
import { defineConnection, defineSecretPayload, pageArgs } from '../connection'
import { defineLoader } from '../context'
import { OAuthApp } from './oauth-app'
import { AppProfile, AppType } from './oauth-app-inputs'

const Offer = builder.objectRef<AppOffer>('OAuthAppOffer').implement({
  description:
    'An app that its workspace offers to another one. Nothing changes before an admin there accepts.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The client id of the app.' }),
    name: t.string({ description: 'Its name on the consent page.', resolve: ({ app }) => app.name }),
    type: t.field({
      type: AppType,
      description: 'Whether it can keep a secret.',
      resolve: ({ app }) => app.type,
    }),
    profile: t.field({
      type: AppProfile,
      description: 'How it introduces itself.',
      resolve: ({ app }) => profileOf(app),
    }),
    redirectUris: t.stringList({
      description: 'Where people may be sent back to.',
      resolve: ({ app }) => app.redirectUris,
    }),
    inDevelopment: t.boolean({
      description: 'Whether only members of its workspace can authorize it.',
      resolve: ({ app }) => app.inDevelopment,
    }),
    people: t.exposeInt('people', { description: 'How many people have authorized it.' }),
    fromWorkspaceName: t.string({
      description: 'The workspace that offers it.',
      resolve: ({ from }) => from.name,
    }),
    toWorkspaceId: t.id({ description: 'The workspace it is offered to.', resolve: ({ to }) => to.id }),
    toWorkspaceName: t.string({ description: 'Its name.', resolve: ({ to }) => to.name }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was offered.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Until when it can be accepted.' }),
  }),
})

const OfferConnection = defineConnection('OAuthAppOffer', Offer, (offer) =>
  cursorOfPlace(placeOfOffer(offer)),
)

const offerOf = defineLoader((_actor, ids) => offersOf(ids))

builder.objectField(OAuthApp, 'offer', (t) =>
  t.field({
    type: Offer,
    nullable: true,
    description: 'To which workspace it is offered; null while it is not.',
    resolve: ({ id }, _args, context) => offerOf(context).load(id),
  }),
)

builder.queryField('oauthAppOffers', (t) =>
  t.field({
    type: OfferConnection,
    nullable: true,
    args: { workspaceId: t.arg.id({ required: true, description: 'The workspace.' }), ...pageArgs },
    description: `The apps that other workspaces offer to a workspace, the earliest first. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, { workspaceId, ...page }, { actor }) =>
      listOffersTo(actor, workspaceId, parseTextPage(page)),
  }),
)

const OfferCreateInput = builder.inputType('OAuthAppOfferCreateInput', {
  description: 'To whom an app is offered.',
  fields: (t) => ({
    workspace: t.string({ required: true, description: "The other workspace's slug or id." }),
  }),
})

const id = { required: true, description: 'The client id.' } as const

const TransferFinishInput = builder.inputType('OAuthAppTransferFinishInput', {
  description: 'What the new admins of a transferred app confirm or replace.',
  fields: (t) => ({
    redirectUris: t.stringList({
      required: true,
      description:
        'The redirect URIs from now on. Review each: the former owner might receive what is sent there.',
    }),
    postLogoutRedirectUris: t.stringList({
      description: 'The addresses after a sign-out from now on. Default: none.',
    }),
    publicKeys: t.string({
      description:
        'New public keys, as a JSON Web Key Set or its address. Required for an app that authenticates with `private_key_jwt`.',
    }),
  }),
})

const TransferFinishPayload = defineSecretPayload(
  'OAuthAppTransferFinishPayload',
  { name: 'oauthApp', type: OAuthApp, description: 'The app.' },
  'Its new client secret. It is returned only once. Null for a native app, and for one with a key.',
)

builder.mutationFields((t) => ({
  oauthAppOfferCreate: t.field({
    type: OAuthApp,
    nullable: true,
    args: {
      id: t.arg.id(id),
      input: t.arg({ type: OfferCreateInput, required: true, description: 'To whom.' }),
    },
    description: `Offers an OAuth app to another workspace, for ${offerDays} days; an earlier offer of it is replaced. Not for installations. ${takes('workspace:manage-apps')}.`,
    resolve: (_root, args, { actor }) => offerApp(actor, args.id, args.input),
  }),
  oauthAppOfferWithdraw: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Takes the offer of an OAuth app back. ${takes('workspace:manage-apps')}. Answers true.`,
    resolve: async (_root, args, { actor }) => {
      await withdrawOffer(actor, args.id)
      return true
    },
  }),
  oauthAppOfferAccept: t.field({
    type: OAuthApp,
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Accepts an OAuth app that is offered: it belongs to the workspace from then on, and is no longer verified. Call \`oauthAppTransferFinish\` within ${graceDays} days. ${takes('workspace:manage-apps')} in the workspace it is offered to.`,
    resolve: (_root, args, { actor }) => acceptOffer(actor, args.id),
  }),
  oauthAppTransferFinish: t.field({
    type: TransferFinishPayload,
    nullable: true,
    args: {
      id: t.arg.id(id),
      input: t.arg({
        type: TransferFinishInput,
        required: true,
        description: 'What stays, and what is new.',
      }),
    },
    description: `Finishes the transfer of an accepted OAuth app: confirms its redirect URIs, ends every credential of the former owner, and creates a client secret. From then on it is one of the workspace's own apps. ${takes('workspace:manage-secrets')}.`,
    resolve: async (_root, { id, input }, { actor }) => {
      const { app, secret } = await finishTransfer(actor, id, {
        redirectUris: input.redirectUris,
        postLogoutRedirectUris: input.postLogoutRedirectUris ?? undefined,
        publicKeys: input.publicKeys ?? undefined,
      })
      return { thing: app, secret }
    },
  }),
  oauthAppOfferDecline: t.boolean({
    nullable: true,
    args: { id: t.arg.id(id) },
    description: `Declines an OAuth app that is offered; its admins are told. ${takes('workspace:manage-apps')} in the workspace it is offered to. Answers true.`,
    resolve: async (_root, args, { actor }) => {
      await declineOffer(actor, args.id)
      return true
    },
  }),
}))
