import type { ReactNode } from 'react'
import { PageHeader } from '@/components/frame/page-header'
import { SubNav } from '@/components/frame/sub-nav'
import { accountArea } from '@/lib/edges/web/console/console-pages'

/** The top of the account pages and the way between them. */
export function AccountHeader({ action }: { action?: ReactNode }) {
  return (
    <>
      <PageHeader title={accountArea.label} action={action} />
      <SubNav label={accountArea.label} items={accountArea.pages} inRail />
    </>
  )
}
