import { FileKey } from 'lucide-react'
import type { Metadata } from 'next'
import { SshKeyForm } from '@/components/ssh-keys/ssh-key-form'
import { SshKeyTable } from '@/components/ssh-keys/ssh-key-table'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Pagination } from '@/components/ui/pagination'
import { Stack } from '@/components/ui/stack'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { requireSession } from '@/lib/edges/web/session/current-session'
import { listSshKeys } from '@/lib/features/identity/ssh-keys/list-ssh-keys'
import { addSshKeyAction, removeSshKeyAction } from './actions'

export const metadata: Metadata = { title: 'SSH keys' }

export default async function SshKeysPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await requireSession('/account/ssh-keys')
  const { rows, ...sides } = await listSshKeys(actor, pageOf(await searchParams))
  const hrefs = pageHrefs('/account/ssh-keys', {}, rows, sides)
  const keys = rows.map(({ id, name, fingerprint, publicKey, createdAt, lastUsedAt }) => ({
    id,
    name,
    fingerprint,
    algorithm: publicKey.split(' ', 1)[0] as string,
    createdAt,
    lastUsedAt,
  }))
  return (
    <Stack>
      <Section
        title="SSH keys"
        description="The public keys you sign in with over SSH. Compare a fingerprint with ssh-keygen -lf."
        flush
      >
        {keys.length === 0 ? (
          <EmptyState icon={FileKey} title="No SSH keys yet">
            Make one with ssh-keygen -t ed25519, then add its public half below.
          </EmptyState>
        ) : (
          <SshKeyTable keys={keys} remove={removeSshKeyAction} />
        )}
      </Section>
      {(hrefs.previous || hrefs.next) && <Pagination {...hrefs} label="Pages of SSH keys" />}
      <SshKeyForm action={addSshKeyAction} />
    </Stack>
  )
}
