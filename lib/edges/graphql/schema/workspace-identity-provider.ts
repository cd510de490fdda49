import { graceDays } from '@/lib/features/apps/app-domain'
import { companyProof, verifyCompanyDomain } from '@/lib/features/company-access/company-domain'
import { callbackOfDoor } from '@/lib/features/company-access/company-door'
import {
  type IdentityProvider,
  readProvider,
  removeProvider,
  setProvider,
} from '@/lib/features/company-access/identity-provider'
import { builder, takes } from '../builder'
import { RoleEnum } from './scalars'

export const Provider = builder.objectRef<IdentityProvider>('WorkspaceIdentityProvider').implement({
  description:
    'The identity provider of the company behind a workspace. It counts while its domain is proven.',
  fields: (t) => ({
    workspaceId: t.exposeID('workspaceId', { description: 'The workspace.' }),
    issuer: t.exposeString('issuer', { description: 'Its issuer identifier.' }),
    clientId: t.exposeString('clientId', { description: 'What this service is called there.' }),
    hasSecret: t.exposeBoolean('hasSecret', {
      description: 'Whether a secret is kept for it, which is shown to nobody.',
    }),
    domain: t.exposeString('domain', { description: 'Whose mail addresses it may speak for.' }),
    joinAs: t.expose('joinAs', {
      type: RoleEnum,
      nullable: true,
      description: 'The role that people get here who sign in through it; null where nobody joins by that.',
    }),
    onlyDoor: t.exposeBoolean('onlyDoor', {
      description: 'Whether members with an address in the domain sign in through it and in no other way.',
    }),
    redirectUri: t.string({
      description: 'The redirect URI to be registered there.',
      resolve: ({ workspaceId }) => callbackOfDoor(workspaceId),
    }),
    proof: t.string({
      description: 'What the DNS record has to say. Not a secret.',
      resolve: (provider) => companyProof(provider).text,
    }),
    recordName: t.string({
      description: 'The name of the TXT record.',
      resolve: (provider) => companyProof(provider).record,
    }),
    verifiedAt: t.expose('verifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the domain is proven; null while it is not.',
    }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the proof was last looked for, which is done every day once it was found.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'What was found in its place, where the last look did not find it.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: `Since when it has not been found any more; it still counts for ${graceDays} days.`,
    }),
  }),
})

const UpsertInput = builder.inputType('WorkspaceIdentityProviderUpsertInput', {
  description: 'An OpenID provider, and the domain that it speaks for.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The workspace.' }),
    issuer: t.string({ required: true, description: 'Its issuer identifier, an https address.' }),
    clientId: t.string({ required: true, description: 'What this service is called there.' }),
    clientSecret: t.string({ description: 'The secret it gave; the one that is kept stays unless given.' }),
    domain: t.string({ required: true, description: 'Whose mail addresses it may speak for.' }),
    joinAs: t.field({
      type: RoleEnum,
      description: 'MEMBER or VIEWER: what people become here who sign in through it; nothing unless given.',
    }),
    onlyDoor: t.boolean({
      description: 'Whether members with an address in the domain have no other way in; false unless given.',
    }),
  }),
})

const takesDecider = `${takes('workspace:decide-apps')}. Not for apps.`
const takesPerson = `${takes('workspace:decide-apps')}. Not for apps, nor for tokens of a workspace.`
const workspaceArg = { required: true, description: 'The workspace.' } as const

builder.queryField('workspaceIdentityProvider', (t) =>
  t.field({
    type: Provider,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg) },
    description: `The identity provider of a workspace; null where none is set. ${takesDecider}`,
    resolve: (_root, { workspaceId }, { actor }) => readProvider(actor, workspaceId),
  }),
)

builder.mutationFields((t) => ({
  workspaceIdentityProviderUpsert: t.field({
    type: Provider,
    nullable: true,
    args: { input: t.arg({ type: UpsertInput, required: true, description: 'The provider.' }) },
    description: `Sets the identity provider of a workspace, or changes it. Another issuer ends what came by the former. ${takesPerson}`,
    resolve: (_root, { input: { workspaceId, ...input } }, { actor }) =>
      setProvider(actor, workspaceId, input),
  }),
  workspaceIdentityProviderVerify: t.field({
    type: Provider,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg) },
    description: `Looks for the proof of its domain and for its metadata now; verifiedAt and problem say what was found. ${takesDecider}`,
    resolve: async (_root, { workspaceId }, { actor }) => {
      await verifyCompanyDomain(actor, workspaceId)
      return readProvider(actor, workspaceId)
    },
  }),
  workspaceIdentityProviderDelete: t.boolean({
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg) },
    description: `Takes it away: what came by its word ends at its next request. Answers true. ${takesPerson}`,
    resolve: async (_root, { workspaceId }, { actor }) => {
      await removeProvider(actor, workspaceId)
      return true
    },
  }),
}))
