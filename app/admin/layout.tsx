import type { ReactNode } from 'react'
import { Console } from '@/app/console'
import { AreaFrame } from '@/components/frame/area-frame'
import { instanceAdminArea } from '@/lib/edges/web/console/console-pages'
import { currentSession } from '@/lib/edges/web/current-session'

/** Navigation between the instance admin pages. Other users do not see it. Each page checks its own access. */
export default async function InstanceAdminLayout({ children }: { children: ReactNode }) {
  const session = await currentSession()
  if (!session?.actor.instanceAdmin) return <Console>{children}</Console>
  return (
    <Console>
      <AreaFrame label={instanceAdminArea.label} items={instanceAdminArea.pages}>
        {children}
      </AreaFrame>
    </Console>
  )
}
