import type { Metadata } from 'next'
import { SshKeyForm } from '@/components/account/ssh-key-form'
import { SshKeyTable } from '@/components/account/ssh-key-table'
import { ListFrame } from '@/components/lists/list-frame'
import { FileKey } from '@/components/ui/icon'
import { Stack } from '@/components/ui/stack'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/current-session'
import { searchSshKeys } from '@/lib/features/identity/ssh-keys'
import { addSshKeyAction, removeSshKeyAction } from './actions'

export const metadata: Metadata = { title: 'SSH keys' }

export default async function SshKeysPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession('/account/ssh-keys')
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchSshKeys(actor, search, numberedPageOf(query))
  const keys = page.rows.map(({ publicKey, ...key }) => ({
    ...key,
    algorithm: publicKey.split(' ', 1)[0] as string,
  }))
  return (
    <Stack>
      <ListFrame
        path="/account/ssh-keys"
        noun={['SSH key', 'SSH keys']}
        page={page}
        search={search}
        empty={{
          icon: FileKey,
          title: 'No SSH keys yet',
          text: (
            <>
              Create a key with <code className="whitespace-nowrap font-mono">ssh-keygen -t ed25519</code>,
              then paste the public key below.
            </>
          ),
        }}
      >
        <SshKeyTable keys={keys} remove={removeSshKeyAction} />
      </ListFrame>
      <SshKeyForm action={addSshKeyAction} />
    </Stack>
  )
}
