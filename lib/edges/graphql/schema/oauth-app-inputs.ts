import type { SigningAlg } from '@/lib/features/keys/signing-keys'
import { builder } from '../builder'
import { type ProfileFields, ProfileInput } from './oauth-app-profile'
import { AdvancedInput } from './oauth-app-settings'

export const AppType = builder.enumType('OAuthAppType', {
  description: 'Whether an app can keep a secret.',
  values: {
    WEB: { description: 'Runs on a server and has a client secret.' },
    NATIVE: { description: 'Runs in the hands of its users, so it has no secret and must use PKCE.' },
  } as const,
})

export const SigningAlgType = builder.enumType('IdTokenAlgorithm', {
  description: 'What an app wants its id_tokens signed with.',
  values: {
    RS256: { description: 'RSA; what OpenID Connect libraries expect unless told otherwise.' },
    ES256: { description: 'ECDSA on P-256; smaller and cheaper.' },
    EdDSA: { description: 'Ed25519.' },
  } satisfies Record<SigningAlg, object>,
})

const allowedScopesSaid =
  'The scopes that it may ask for; others are dropped from its requests, and from what it was given before. All of them lift the limit.'

/** A new app, as `fieldsOf` takes it. */
export const CreateInput = builder.inputType('OAuthAppCreateInput', {
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
    inDevelopment: t.boolean({
      description:
        'Whether it is for members of its workspace alone; others are cut off at its next request.',
    }),
    allowedScopes: t.stringList({ description: allowedScopesSaid }),
    profile: t.field({
      type: ProfileInput,
      description: 'How it introduces itself beside its name and logo.',
    }),
    advanced: t.field({
      type: AdvancedInput,
      description: 'How strictly it is treated, and where it hears of sign-outs.',
    }),
  }),
})

/** What changes about an app, as `fieldsOf` takes it. */
export const UpdateInput = builder.inputType('OAuthAppUpdateInput', {
  description: 'What changes about an OAuth app; what is left out stays.',
  fields: (t) => ({
    name: t.string({ description: 'Its new name on the consent page.' }),
    redirectUris: t.stringList({ description: 'Where people may be sent back to from now on.' }),
    postLogoutRedirectUris: t.stringList({
      description: 'Where people may be sent after they signed out from now on.',
    }),
    idTokenAlg: t.field({
      type: SigningAlgType,
      description: 'What its id_tokens are signed with from now on.',
    }),
    inDevelopment: t.boolean({
      description:
        'Whether it is for members of its workspace alone; others are cut off at its next request.',
    }),
    allowedScopes: t.stringList({ description: allowedScopesSaid }),
    profile: t.field({
      type: ProfileInput,
      description: 'How it introduces itself beside its name and logo.',
    }),
    advanced: t.field({
      type: AdvancedInput,
      description: 'How strictly it is treated, and where it hears of sign-outs.',
    }),
  }),
})

type Grouped = { advanced?: object | null | undefined; profile?: ProfileFields | null | undefined }

/** The fields of an input side by side, as the domain takes them; what was sent as null counts as left out. */
export function fieldsOf({ advanced, profile, ...rest }: Grouped): object {
  const { website: homepageUrl, ...others } = profile ?? {}
  const all = { ...rest, ...advanced, ...others, homepageUrl }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && value !== undefined))
}
