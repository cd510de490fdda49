import {
  type Factors,
  listFactors,
  type Passkey as PasskeyRow,
  removePasskey,
  renamePasskey,
} from '@/lib/features/identity/passkeys/manage-passkeys'
import {
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  type TotpKey,
} from '@/lib/features/identity/two-factor/enroll-totp'
import { builder } from '../builder'

/** A passkey of the person. */
const Passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
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
const TwoFactorMethods = builder.objectRef<Factors>('TwoFactorMethods').implement({
  description:
    'The two-factor authentication methods of the user. Changes require the user’s approval in a browser. Users add passkeys in the console, because only a browser can create one.',
  fields: (t) => ({
    enrolled: t.exposeBoolean('enrolled', {
      description: 'Whether two-factor authentication is required to sign in.',
    }),
    authenticatorApp: t.exposeBoolean('totp', { description: 'Whether an authenticator app is set up.' }),
    recoveryCodeCount: t.exposeInt('recoveryCodes', { description: 'The number of unused recovery codes.' }),
    passkeys: t.expose('passkeys', { type: [Passkey], description: 'Passkeys, the latest first.' }),
  }),
})

builder.queryField('twoFactorMethods', (t) =>
  t.field({
    type: TwoFactorMethods,
    nullable: true,
    description: 'The two-factor authentication methods of the user. Not available to apps.',
    resolve: (_root, _args, { actor }) => listFactors(actor),
  }),
)

/** What every change takes; see ADR 0019. */
const approved =
  'The person approves it first, each time, on a page of their own: until then the answer is `APPROVAL_REQUIRED` with the address of that page. Not for apps and tools.'

const AuthenticatorAppCreatePayload = builder.objectRef<TotpKey>('AuthenticatorAppCreatePayload').implement({
  description: 'What an authenticator app is given, this once.',
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'The key of the app, base32.' }),
    uri: t.exposeString('uri', {
      description: 'The same as an address, `otpauth://`, to be shown as a QR code.',
    }),
  }),
})

const codes = 'Recovery codes, shown this once. Each stands in for the second factor one time.'

const AuthenticatorAppVerifyPayload = builder
  .objectRef<{ recoveryCodes: string[] }>('AuthenticatorAppVerifyPayload')
  .implement({
    description: 'What the person has now.',
    fields: (t) => ({
      twoFactorMethods: t.field({
        type: TwoFactorMethods,
        nullable: true,
        description: 'The two-factor authentication methods.',
        resolve: (_payload, _args, { actor }) => listFactors(actor),
      }),
      recoveryCodes: t.exposeStringList('recoveryCodes', {
        description: `${codes} None where the person had some already.`,
      }),
    }),
  })

const RecoveryCodesRotatePayload = builder
  .objectRef<{ recoveryCodes: string[] }>('RecoveryCodesRotatePayload')
  .implement({
    description: 'The new recovery codes.',
    fields: (t) => ({ recoveryCodes: t.exposeStringList('recoveryCodes', { description: codes }) }),
  })

const PasskeyRenameInput = builder.inputType('PasskeyRenameInput', {
  description: 'What to call a passkey.',
  fields: (t) => ({ name: t.string({ required: true, description: 'Its name: 1 to 60 characters.' }) }),
})

const AuthenticatorAppVerifyInput = builder.inputType('AuthenticatorAppVerifyInput', {
  description: 'The proof that the app has the key.',
  fields: (t) => ({ code: t.string({ required: true, description: 'The code that the app shows now.' }) }),
})

builder.mutationFields((t) => ({
  passkeyRename: t.field({
    type: Passkey,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The passkey.' }),
      input: t.arg({ type: PasskeyRenameInput, required: true, description: 'Its new name.' }),
    },
    description: `Gives a passkey another name. ${approved}`,
    resolve: (_root, { id, input }, { actor }) => renamePasskey(actor, id, input),
  }),
  passkeyDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The passkey.' }) },
    description: `Removes a passkey; with the last second factor go the recovery codes. Answers true. ${approved}`,
    resolve: async (_root, { id }, { actor }) => {
      await removePasskey(actor, id, {})
      return true
    },
  }),
  authenticatorAppCreate: t.field({
    type: AuthenticatorAppCreatePayload,
    nullable: true,
    description: `Begins to set up an authenticator app. It counts for nothing until \`authenticatorAppVerify\` has seen its first code, within 15 minutes. ${approved}`,
    resolve: (_root, _args, { actor }) => beginTotp(actor, {}),
  }),
  authenticatorAppVerify: t.field({
    type: AuthenticatorAppVerifyPayload,
    nullable: true,
    args: {
      input: t.arg({ type: AuthenticatorAppVerifyInput, required: true, description: 'Its first code.' }),
    },
    description:
      'Takes the first code of the authenticator app that this token has begun to set up: from now on signing in asks for one. The browsers that signed in without a second factor are signed out, but the one where the person approved the beginning, and so this. Not for apps and tools.',
    resolve: (_root, { input }, { actor }) => confirmTotp(actor, input),
  }),
  authenticatorAppDelete: t.boolean({
    nullable: true,
    description: `Removes the authenticator app; with the last second factor go the recovery codes. Answers true, also where there was none. ${approved}`,
    resolve: async (_root, _args, { actor }) => {
      await removeTotp(actor, {})
      return true
    },
  }),
  recoveryCodesRotate: t.field({
    type: RecoveryCodesRotatePayload,
    nullable: true,
    description: `Makes ten new recovery codes; the old ones stop working. ${approved}`,
    resolve: async (_root, _args, { actor }) => ({ recoveryCodes: await renewRecoveryCodes(actor, {}) }),
  }),
}))
