import { AppWindow, FolderClosed, House, type LucideIcon, ScrollText, Settings, Users } from 'lucide-react'
import type { FrameWorkspace } from './frame-types'

export type Place = { label: string; href: string; icon: LucideIcon; exact?: boolean; except?: string[] }

/** The address of a workspace's home. */
export const homeOf = ({ slug }: { slug: string }) => `/workspaces/${slug}`

/** The pages of a workspace that the rail leads to; a guest, who only shares a project, sees the projects alone. */
export function placesOf(workspace: FrameWorkspace): Place[] {
  const home = homeOf(workspace)
  const [apps, log] = [`${home}/settings/developer`, `${home}/settings/audit-log`]
  const projects = { label: 'Projects', href: `${home}/projects`, icon: FolderClosed }
  if (workspace.role === 'Guest') return [projects]
  return [
    { label: 'Home', href: home, icon: House, exact: true },
    projects,
    ...(workspace.manages ? [{ label: 'OAuth apps', href: apps, icon: AppWindow }] : []),
    { label: 'Members', href: `${home}/members`, icon: Users },
    ...(workspace.manages ? [{ label: 'Activity', href: log, icon: ScrollText }] : []),
    { label: 'Settings', href: `${home}/settings`, icon: Settings, except: [apps, log] },
  ]
}
