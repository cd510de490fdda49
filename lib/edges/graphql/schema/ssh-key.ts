import { emptySlice, parsePage } from '@/lib/base/db/paging'
import { badInput } from '@/lib/base/errors/app-error'
import { addSshKey, listSshKeys, removeSshKey } from '@/lib/features/identity/ssh-keys'
import type { SshPublicKey as KeyRow } from '@/lib/generated/prisma/client'
import { builder } from '../builder'
import { defineConnection, pageArgs } from '../connection'
import { Node } from '../nodes'

const SshPublicKey = builder.objectRef<KeyRow>('SshPublicKey').implement({
  interfaces: [Node],
  description: 'A public key by which the person signs in over SSH.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    name: t.exposeString('name', { description: 'What its owner calls it.' }),
    publicKey: t.exposeString('publicKey', {
      description: 'Type and key, as in a .pub file, without the comment.',
    }),
    fingerprint: t.exposeString('fingerprint', { description: 'As `ssh-keygen -l` prints it: SHA256:...' }),
    userId: t.exposeID('userId', { description: 'The person whose key it is.' }),
    workspaceId: t.id({
      nullable: true,
      description: 'Compatibility field for clients of similar APIs. Always null: keys belong to people.',
      resolve: () => null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
  }),
})

const SshPublicKeyConnection = defineConnection('SshPublicKey', SshPublicKey)

builder.queryField('sshPublicKeys', (t) =>
  t.field({
    type: SshPublicKeyConnection,
    nullable: true,
    args: {
      workspaceId: t.arg.id({
        description:
          'Compatibility field for clients of similar APIs. With a workspace the list is empty: keys belong to people.',
      }),
      ...pageArgs,
    },
    description: "The person's SSH keys, oldest first. Apps need the scope `ssh_keys`.",
    resolve: async (_root, { workspaceId, ...page }, { actor }) => {
      const slice = await listSshKeys(actor, parsePage(page))
      return workspaceId == null ? slice : emptySlice
    },
  }),
)

const SshPublicKeyCreateInput = builder.inputType('SshPublicKeyCreateInput', {
  description: 'A public key to add.',
  fields: (t) => ({
    name: t.string({ description: "What to call it; the key's comment unless given." }),
    publicKey: t.string({
      required: true,
      description: 'One line as in a .pub file: Ed25519, ECDSA, RSA from 2048 bits, or a security key.',
    }),
    workspaceId: t.id({
      description:
        'Compatibility field for clients of similar APIs. To be left out, as keys belong to people; any value is refused.',
    }),
  }),
})

builder.mutationFields((t) => ({
  sshPublicKeyCreate: t.field({
    type: SshPublicKey,
    nullable: true,
    args: { input: t.arg({ type: SshPublicKeyCreateInput, required: true, description: 'The key.' }) },
    description: 'Adds an SSH key. One that anybody has already is refused. Apps need the scope `ssh_keys`.',
    resolve: (_root, { input: { workspaceId, ...input } }, { actor }) => {
      if (workspaceId != null) {
        throw badInput('workspaceId', 'SSH keys belong to users. Omit the workspace.')
      }
      return addSshKey(actor, input)
    },
  }),
  sshPublicKeyDelete: t.boolean({
    nullable: true,
    args: { id: t.arg.id({ required: true, description: 'The key.' }) },
    description: 'Removes an SSH key. Apps need the scope `ssh_keys`. Answers true.',
    resolve: async (_root, { id }, { actor }) => {
      await removeSshKey(actor, id)
      return true
    },
  }),
}))
