import type { ReactNode } from 'react'
import { Console } from '@/app/console'
import { AreaFrame } from '@/components/frame/area-frame'
import { accountArea } from '@/lib/edges/web/console/console-pages'

export default function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <Console>
      <AreaFrame label={accountArea.label} items={accountArea.pages}>
        {children}
      </AreaFrame>
    </Console>
  )
}
