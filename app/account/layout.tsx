import type { ReactNode } from 'react'
import { Console } from '@/app/console'
import { accountArea } from '@/lib/edges/web/console/console-pages'

export default function AccountLayout({ children }: { children: ReactNode }) {
  return <Console area={accountArea}>{children}</Console>
}
