import type { ReactNode } from 'react'
import { Console } from '@/app/console'
import { AreaFrame } from '@/components/frame/area-frame'
import { instanceAdminArea } from '@/lib/edges/web/console/console-pages'
import { currentSession } from '@/lib/edges/web/current-session'

/**
 * The frame of the instance admin pages, with navigation between them. Users who are not instance admins do
 * not see the navigation. Each page checks access itself.
 */
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
