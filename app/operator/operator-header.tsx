import { PageHeader } from '@/components/frame/page-header'
import { SubNav } from '@/components/frame/sub-nav'

const pages = [
  { label: 'Health', href: '/operator', exact: true },
  { label: 'People', href: '/operator/people' },
  { label: 'Workspaces', href: '/operator/workspaces' },
  { label: 'Apps', href: '/operator/apps' },
  { label: 'Signing keys', href: '/operator/keys' },
  { label: 'Jobs', href: '/operator/jobs' },
  { label: 'Settings', href: '/operator/settings' },
  { label: 'Audit log', href: '/operator/audit' },
]

/** The top of the operator's pages and the way between them. */
export function OperatorHeader() {
  return (
    <>
      <PageHeader title="Instance" description="Everything this service holds, for those who run it." />
      <SubNav label="Instance" items={pages} />
    </>
  )
}
