import type { Metadata } from 'next'
import { createTokenAction } from '@/app/account/actions'
import { NewTokenForm } from '@/components/api-tokens/new-token-form'
import { PageHeader } from '@/components/frame/page-header'
import { requireSession } from '@/lib/web/current-session'
import { listWorkspaces } from '@/lib/workspaces/list-workspaces'

export const metadata: Metadata = { title: 'New token' }

export default async function NewTokenPage() {
  const { actor } = await requireSession('/account/tokens/new')
  const workspaces = (await listWorkspaces(actor)).map(({ id, name }) => ({ id, name }))
  return (
    <>
      <PageHeader title="New token" trail={[{ label: 'Tokens', href: '/account/tokens' }]} />
      <NewTokenForm
        workspaces={workspaces}
        title="Token"
        description="It acts for you at the API, as far as your own roles go."
        envName="API_TOKEN"
        listHref="/account/tokens"
        action={createTokenAction}
      />
    </>
  )
}
