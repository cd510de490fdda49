import type { ReactNode } from 'react'
import { PageHeader } from '@/components/frame/page-header'
import { SubNav } from '@/components/frame/sub-nav'

const pages = [
  { label: 'Profile', href: '/account/profile' },
  { label: 'Security', href: '/account/security' },
  { label: 'Tokens', href: '/account/tokens' },
  { label: 'SSH keys', href: '/account/ssh-keys' },
  { label: 'Authorized apps', href: '/account/apps' },
  { label: 'Sessions', href: '/account/sessions' },
  { label: 'Notifications', href: '/account/notifications' },
]

/** The top of the account pages and the way between them. */
export function AccountHeader({ action }: { action?: ReactNode }) {
  return (
    <>
      <PageHeader title="Account" action={action} />
      <SubNav label="Account" items={pages} />
    </>
  )
}
