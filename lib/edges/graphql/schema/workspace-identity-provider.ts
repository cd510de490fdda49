import { graceDays } from '@/lib/features/apps/app-domain'
import {
  type IdentityProvider,
  readProvider,
  removeProvider,
  setProvider,
} from '@/lib/features/sso/identity-provider'
import { ssoCallbackUrl } from '@/lib/features/sso/sso-connection'
import { ssoDomainProof, verifySsoDomain } from '@/lib/features/sso/sso-domain'
import { builder, takes } from '../builder'
import { RoleEnum } from './scalars'

export const Provider = builder.objectRef<IdentityProvider>('WorkspaceIdentityProvider').implement({
  description: 'The SSO connection of a workspace. It is in effect while its domain is verified.',
  fields: (t) => ({
    workspaceId: t.exposeID('workspaceId', { description: 'The workspace.' }),
    issuer: t.exposeString('issuer', { description: 'Its issuer identifier.' }),
    clientId: t.exposeString('clientId', { description: 'What this service is called there.' }),
    hasSecret: t.exposeBoolean('hasSecret', {
      description: 'Whether a secret is kept for it, which is shown to nobody.',
    }),
    domain: t.exposeString('domain', {
      description: 'The domain of the email addresses that it can sign in.',
    }),
    joinAs: t.expose('joinAs', {
      type: RoleEnum,
      nullable: true,
      description: 'The role of users who join by signing in through it; null if users do not join this way.',
    }),
    requiresSso: t.exposeBoolean('requiresSso', {
      description:
        'Whether SSO is required: members with an address in the domain can sign in only through it.',
    }),
    redirectUri: t.string({
      description: 'The redirect URI to be registered there.',
      resolve: ({ workspaceId }) => ssoCallbackUrl(workspaceId),
    }),
    proof: t.string({
      description: 'What the DNS record has to say. Not a secret.',
      resolve: (provider) => ssoDomainProof(provider).text,
    }),
    recordName: t.string({
      description: 'The name of the TXT record.',
      resolve: (provider) => ssoDomainProof(provider).record,
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
  description: 'An OpenID provider, and the domain whose users it signs in.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The workspace.' }),
    issuer: t.string({ required: true, description: 'Its issuer identifier, an https address.' }),
    clientId: t.string({ required: true, description: 'What this service is called there.' }),
    clientSecret: t.string({ description: 'The secret it gave; the one that is kept stays unless given.' }),
    domain: t.string({
      required: true,
      description: 'The domain of the email addresses that it can sign in.',
    }),
    joinAs: t.field({
      type: RoleEnum,
      description:
        'MEMBER or VIEWER: the role of users who join by signing in through it. By default, users do not join this way.',
    }),
    requiresSso: t.boolean({
      description:
        'Whether members with an address in the domain can sign in only through it. Default: false.',
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
      await verifySsoDomain(actor, workspaceId)
      return readProvider(actor, workspaceId)
    },
  }),
  workspaceIdentityProviderDelete: t.boolean({
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg) },
    description: `Deletes it: sessions and app access through it end at their next request. Answers true. ${takesPerson}`,
    resolve: async (_root, { workspaceId }, { actor }) => {
      await removeProvider(actor, workspaceId)
      return true
    },
  }),
}))
