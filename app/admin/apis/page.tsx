import type { Metadata } from 'next'
import { ApiTable } from '@/components/apis/api-sections'
import { PageButton } from '@/components/forms/action-button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Blocks } from '@/components/ui/icon'
import { listApis } from '@/lib/features/resources/list-apis'
import { openInstanceAdmin } from '../open-instance-admin'

export const metadata: Metadata = { title: 'APIs' }

export default async function ApisPage() {
  const { actor } = await openInstanceAdmin('/admin/apis')
  const apis = await listApis(actor)
  const register = <PageButton href="/admin/apis/new">Register API</PageButton>
  return (
    <>
      {apis.length > 0 && <div className="mb-4 flex justify-end">{register}</div>}
      <Card className="overflow-clip">
        {apis.length > 0 ? (
          <ApiTable apis={apis} />
        ) : (
          <EmptyState icon={Blocks} title="No APIs yet" action={register}>
            After you register an API of your platform, apps can request its scopes, and users see them on the
            consent page.
          </EmptyState>
        )}
      </Card>
    </>
  )
}
