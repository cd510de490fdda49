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

const Passkey = builder.objectRef<PasskeyRow>('Passkey').implement({
  description: 'A passkey of the user.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the passkey.' }),
    name: t.exposeString('name', { description: 'The name of the passkey.' }),
    synced: t.exposeBoolean('synced', {
      description: 'Whether a password manager syncs the passkey, so that several devices can have it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the passkey was added.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the passkey was last used. Null if it was never used.',
    }),
  }),
})

const TwoFactorMethods = builder.objectRef<Factors>('TwoFactorMethods').implement({
  description:
    'The two-factor authentication methods of the user. Changes require the user’s approval in a browser. Users add passkeys in the console, because only a browser can create one.',
  fields: (t) => ({
    enrolled: t.exposeBoolean('enrolled', {
      description: 'Whether two-factor authentication is required to sign in.',
    }),
    authenticatorApp: t.exposeBoolean('totp', { description: 'Whether an authenticator app is set up.' }),
    recoveryCodeCount: t.exposeInt('recoveryCodes', { description: 'The number of unused recovery codes.' }),
    passkeys: t.expose('passkeys', {
      type: [Passkey],
      description: 'The passkeys of the user, newest first.',
    }),
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

const notForTools = 'Not available to apps or MCP tools.'

/**
 * The last sentences in the description of each mutation in this file that requires approval. See ADR 0015.
 */
const approved = `Requires the user’s approval in a browser for each call. Until the user approves it, the mutation fails with \`APPROVAL_REQUIRED\`. The error includes the URL of the approval page. ${notForTools}`

const AuthenticatorAppCreatePayload = builder.objectRef<TotpKey>('AuthenticatorAppCreatePayload').implement({
  description: 'The setup data of an authenticator app. It is returned only once.',
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'The key of the authenticator app, in base32.' }),
    uri: t.exposeString('uri', {
      description: 'The key as an `otpauth://` URL, to show as a QR code.',
    }),
  }),
})

const codes =
  'The recovery codes. They are returned only once. Each code works once in place of a two-factor method.'

const AuthenticatorAppVerifyPayload = builder
  .objectRef<{ recoveryCodes: string[] }>('AuthenticatorAppVerifyPayload')
  .implement({
    description: 'The user’s two-factor authentication after the change.',
    fields: (t) => ({
      twoFactorMethods: t.field({
        type: TwoFactorMethods,
        nullable: true,
        description: 'The two-factor authentication methods.',
        resolve: (_payload, _args, { actor }) => listFactors(actor),
      }),
      recoveryCodes: t.exposeStringList('recoveryCodes', {
        description: `${codes} Empty if the user already had recovery codes.`,
      }),
    }),
  })

const RecoveryCodesRotatePayload = builder
  .objectRef<{ recoveryCodes: string[] }>('RecoveryCodesRotatePayload')
  .implement({
    description: 'A new set of recovery codes.',
    fields: (t) => ({ recoveryCodes: t.exposeStringList('recoveryCodes', { description: codes }) }),
  })

const PasskeyRenameInput = builder.inputType('PasskeyRenameInput', {
  description: 'A new name for a passkey.',
  fields: (t) => ({ name: t.string({ required: true, description: 'The new name: 1 to 60 characters.' }) }),
})

const AuthenticatorAppVerifyInput = builder.inputType('AuthenticatorAppVerifyInput', {
  description: 'A code that proves that the authenticator app has the key.',
  fields: (t) => ({
    code: t.string({ required: true, description: 'The code that the authenticator app currently shows.' }),
  }),
})

builder.mutationFields((t) => ({
  passkeyRename: t.field({
    type: Passkey,
    nullable: true,
    args: {
      id: t.arg.id({ required: true, description: 'The ID of the passkey.' }),
      input: t.arg({ type: PasskeyRenameInput, required: true, description: 'The new name.' }),
    },
    description: `Renames a passkey. ${approved}`,
    resolve: (_root, { id, input }, { actor }) => renamePasskey(actor, id, input),
  }),
  passkeyDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the passkey.' }) },
    description: `Removes a passkey. If it was the last two-factor method, the recovery codes are also deleted. Returns true. ${approved}`,
    resolve: async (_root, { id }, { actor }) => {
      await removePasskey(actor, id, {})
      return true
    },
  }),
  authenticatorAppCreate: t.field({
    type: AuthenticatorAppCreatePayload,
    nullable: true,
    description: `Starts the setup of an authenticator app. The setup is complete only after \`authenticatorAppVerify\` confirms the first code within 15 minutes. ${approved}`,
    resolve: (_root, _args, { actor }) => beginTotp(actor, {}),
  }),
  authenticatorAppVerify: t.field({
    type: AuthenticatorAppVerifyPayload,
    nullable: true,
    args: {
      input: t.arg({ type: AuthenticatorAppVerifyInput, required: true, description: 'The first code.' }),
    },
    description: `Completes the setup of an authenticator app by checking its first code. Requires the same token that started the setup. From then on, sign-in requires two-factor authentication. Browsers that signed in without it are signed out, except the browser in which the user approved the setup. ${notForTools}`,
    resolve: (_root, { input }, { actor }) => confirmTotp(actor, input),
  }),
  authenticatorAppDelete: t.boolean({
    nullable: true,
    description: `Removes the authenticator app. If it was the last two-factor method, the recovery codes are also deleted. Returns true, even if there was no authenticator app. ${approved}`,
    resolve: async (_root, _args, { actor }) => {
      await removeTotp(actor, {})
      return true
    },
  }),
  recoveryCodesRotate: t.field({
    type: RecoveryCodesRotatePayload,
    nullable: true,
    description: `Creates ten new recovery codes. The old codes stop working. ${approved}`,
    resolve: async (_root, _args, { actor }) => ({ recoveryCodes: await renewRecoveryCodes(actor, {}) }),
  }),
}))
