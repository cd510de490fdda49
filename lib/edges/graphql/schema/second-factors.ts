import { type Factors, listFactors } from '@/lib/features/identity/passkeys/list-factors'
import { builder } from '../builder'

const Passkey = builder.objectRef<Factors['passkeys'][number]>('Passkey').implement({
  description: 'A passkey of the person.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'What the person calls it.' }),
    synced: t.exposeBoolean('synced', {
      description: 'Whether a password manager keeps it, and so several devices have it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used; null for never.',
    }),
  }),
})

const SecondFactors = builder.objectRef<Factors>('SecondFactors').implement({
  description:
    'What the person signs in with beside the password. It is set up and removed in the console alone, by somebody who has shown who they are.',
  fields: (t) => ({
    enrolled: t.exposeBoolean('enrolled', { description: 'Whether signing in takes a second step.' }),
    authenticatorApp: t.exposeBoolean('totp', { description: 'Whether an authenticator app is set up.' }),
    recoveryCodes: t.exposeInt('recoveryCodes', { description: 'Recovery codes that are left.' }),
    passkeys: t.expose('passkeys', { type: [Passkey], description: 'Passkeys, the latest first.' }),
  }),
})

builder.queryField('secondFactors', (t) =>
  t.field({
    type: SecondFactors,
    nullable: true,
    description: 'What the person signs in with beside the password. Not for apps.',
    resolve: (_root, _args, { actor }) => listFactors(actor),
  }),
)
