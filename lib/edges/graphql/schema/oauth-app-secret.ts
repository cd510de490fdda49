import { listSecretsOf, type SecretSummary } from '@/lib/features/apps/read-apps'
import { builder } from '../builder'
import { defineLoader } from '../context'

/** One of an app's client secrets, never the secret itself. */
export const Secret = builder.objectRef<SecretSummary>('OAuthAppSecret').implement({
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
export const SecretCreateInput = builder.inputType('OAuthAppSecretCreateInput', {
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

export const secretsOf = defineLoader((_actor, ids) => listSecretsOf(ids))
