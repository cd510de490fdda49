import { graceDays } from '@/lib/features/apps/app-domain'
import {
  type IdentityProvider,
  readProvider,
  removeProvider,
  setProvider,
} from '@/lib/features/sso/identity-provider'
import { ssoCallbackUrl } from '@/lib/features/sso/sso-connection'
import { ssoDomainProof, verifySsoDomain } from '@/lib/features/sso/sso-domain'
import { builder, describeRole, notForApps } from '../builder'
import { RoleEnum } from './scalars'

export const Provider = builder.objectRef<IdentityProvider>('WorkspaceIdentityProvider').implement({
  description: 'The SSO connection of a workspace. It takes effect only while its domain is verified.',
  fields: (t) => ({
    workspaceId: t.exposeID('workspaceId', { description: 'The ID of the workspace.' }),
    issuer: t.exposeString('issuer', { description: 'The issuer identifier of the identity provider.' }),
    clientId: t.exposeString('clientId', {
      description: 'The client ID of this instance at the identity provider.',
    }),
    hasSecret: t.exposeBoolean('hasSecret', {
      description: 'Whether a client secret is stored. It is never returned.',
    }),
    domain: t.exposeString('domain', {
      description: 'The domain of the email addresses that the identity provider manages.',
    }),
    joinAs: t.expose('joinAs', {
      type: RoleEnum,
      nullable: true,
      description:
        'The role that new members get when they first sign in through the identity provider. Null if they do not get a role.',
    }),
    requiresSso: t.exposeBoolean('requiresSso', {
      description:
        'Whether members with an email address in the domain must sign in through the identity provider.',
    }),
    redirectUri: t.string({
      description: 'The redirect URI to register at the identity provider.',
      resolve: ({ workspaceId }) => ssoCallbackUrl(workspaceId),
    }),
    proof: t.string({
      description: 'The value that the DNS record must contain. It is not a secret.',
      resolve: (provider) => ssoDomainProof(provider).text,
    }),
    recordName: t.string({
      description: 'The name of the TXT record.',
      resolve: (provider) => ssoDomainProof(provider).record,
    }),
    verifiedAt: t.expose('verifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the domain was verified. Null if it is not verified.',
    }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the proof was last checked. A verified domain is checked every day. Null if the proof was never checked.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description:
        'The reason why the last check failed: the proof was not found, or the identity provider’s metadata could not be read. Null if the check succeeded or there was none.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: `When a check first found that the proof of the verified domain was missing. The domain stays verified for ${graceDays} days after this time. Null if this has not happened since the last successful check.`,
    }),
  }),
})

const UpsertInput = builder.inputType('WorkspaceIdentityProviderUpsertInput', {
  description: 'An OpenID provider and the domain that it manages.',
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: 'The ID of the workspace.' }),
    issuer: t.string({ required: true, description: 'The issuer identifier, an https URL.' }),
    clientId: t.string({
      required: true,
      description: 'The client ID of this instance at the identity provider.',
    }),
    clientSecret: t.string({ description: 'The client secret. Default: the stored secret.' }),
    domain: t.string({
      required: true,
      description: 'The domain of the email addresses that the identity provider manages.',
    }),
    joinAs: t.field({
      type: RoleEnum,
      description:
        'The role that new members get when they first sign in through the identity provider: MEMBER or VIEWER. Default: none.',
    }),
    requiresSso: t.boolean({
      description:
        'Whether members with an email address in the domain must sign in through the identity provider. Default: false.',
    }),
  }),
})

const requiresDecider = `${describeRole('workspace:decide-apps')}. ${notForApps}`
const requiresUser = `${describeRole('workspace:decide-apps')}. Not available to apps or workspace tokens.`
const workspaceArg = { required: true, description: 'The ID of the workspace.' } as const

builder.queryField('workspaceIdentityProvider', (t) =>
  t.field({
    type: Provider,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg) },
    description: `The identity provider of a workspace. Null if none is set. ${requiresDecider}`,
    resolve: (_root, { workspaceId }, { actor }) => readProvider(actor, workspaceId),
  }),
)

builder.mutationFields((t) => ({
  workspaceIdentityProviderUpsert: t.field({
    type: Provider,
    nullable: true,
    args: {
      input: t.arg({ type: UpsertInput, required: true, description: 'The identity provider to set.' }),
    },
    description: `Sets or changes the identity provider of a workspace. If the issuer changes, access that depends on the former issuer ends. ${requiresUser}`,
    resolve: (_root, { input: { workspaceId, ...input } }, { actor }) =>
      setProvider(actor, workspaceId, input),
  }),
  workspaceIdentityProviderVerify: t.field({
    type: Provider,
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg) },
    description: `Checks the ownership proof for the domain and the identity provider’s metadata immediately. The result is in \`verifiedAt\` and \`problem\`. ${requiresDecider}`,
    resolve: async (_root, { workspaceId }, { actor }) => {
      await verifySsoDomain(actor, workspaceId)
      return readProvider(actor, workspaceId)
    },
  }),
  workspaceIdentityProviderDelete: t.boolean({
    nullable: true,
    args: { workspaceId: t.arg.id(workspaceArg) },
    description: `Removes the identity provider of a workspace. Access that depends on it ends at the next request. Returns true. ${requiresUser}`,
    resolve: async (_root, { workspaceId }, { actor }) => {
      await removeProvider(actor, workspaceId)
      return true
    },
  }),
}))
