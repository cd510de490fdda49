import {
  type Factors,
  listFactors,
  type Passkey as PasskeyRow,
} from '@/lib/features/identity/passkeys/manage-passkeys'
import { builder } from '../builder'

/** A passkey of the person. */
export const Passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
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

/** All of them. */
export const SecondFactors = builder.objectRef<Factors>('SecondFactors').implement({
  description:
    'What the person signs in with beside the password. It is changed with their approval alone, given in a browser; a passkey is added in the console, as only a browser can make one.',
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
