import { emptySlice, parsePage } from '@/lib/base/db/paging'
import { badInput } from '@/lib/base/errors/app-error'
import { addSshKey, listSshKeys, removeSshKey } from '@/lib/features/identity/ssh-keys'
import type { SshPublicKey as KeyRow } from '@/lib/generated/prisma/client'
import { builder, compatibility, describeScope } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'

const SshPublicKey = builder.objectRef<KeyRow>('SshPublicKey').implement({
  interfaces: [Node],
  description: 'A public key that the user signs in with over SSH.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The ID of the key.' }),
    name: t.exposeString('name', { description: 'The name of the key.' }),
    publicKey: t.exposeString('publicKey', {
      description: 'The key type and the key, as in a `.pub` file, without the comment.',
    }),
    fingerprint: t.exposeString('fingerprint', {
      description: 'The fingerprint in the format of `ssh-keygen -l`: `SHA256:...`.',
    }),
    userId: t.exposeID('userId', { description: 'The ID of the user who owns the key.' }),
    workspaceId: t.id({
      nullable: true,
      description: `${compatibility} Always null: keys belong to users.`,
      resolve: () => null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was added.' }),
  }),
})

const SshPublicKeyConnection = defineConnection('SshPublicKey', SshPublicKey)

builder.queryField('sshPublicKeys', (t) =>
  t.field({
    type: SshPublicKeyConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({
        description: `${compatibility} If set, the list is empty: keys belong to users.`,
      }),
      ...pageArgs,
    },
    description: `The user’s SSH keys, oldest first. ${describeScope('ssh_keys')}`,
    resolve: async (_root, { workspaceId, ...page }, { actor }) => {
      const slice = await listSshKeys(actor, parsePage(page))
      return workspaceId == null ? slice : emptySlice
    },
  }),
)

const SshPublicKeyCreateInput = builder.inputType('SshPublicKeyCreateInput', {
  description: 'A public key to add.',
  fields: (t) => ({
    name: t.string({ description: 'The name of the key. Default: the comment of the key.' }),
    publicKey: t.string({
      required: true,
      description:
        'The key on one line, as in a `.pub` file: Ed25519, ECDSA, RSA with at least 2048 bits, or a security key.',
    }),
    workspaceId: t.id({
      description: `${compatibility} Omit this field: keys belong to users, so any value is rejected.`,
    }),
  }),
})

builder.mutationFields((t) => ({
  sshPublicKeyCreate: t.field({
    type: SshPublicKey,
    nullable: true,
    args: { input: t.arg({ type: SshPublicKeyCreateInput, required: true, description: 'The key to add.' }) },
    description: `Adds an SSH key. A key that you or another user already added is rejected. ${describeScope('ssh_keys')}`,
    resolve: (_root, { input: { workspaceId, ...input } }, { actor }) => {
      if (workspaceId != null) {
        throw badInput('workspaceId', 'SSH keys belong to users. Omit `workspaceId`.')
      }
      return addSshKey(actor, input)
    },
  }),
  sshPublicKeyDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The ID of the key.' }) },
    description: `Removes an SSH key. Returns true. ${describeScope('ssh_keys')}`,
    resolve: async (_root, { id }, { actor }) => {
      await removeSshKey(actor, id)
      return true
    },
  }),
}))
