import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeader, SubNav } from '@/components/frame/page-header'
import { openProject } from '../open-project'

type Props = { params: Promise<{ slug: string; id: string }>; children: ReactNode }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name } = (await openProject(params)).project
  return { title: { default: name, template: `%s · ${name}` } }
}

/** A project's name and tabs. Only project admins see the Tokens tab. */
export default async function ProjectLayout({ params, children }: Props) {
  const { project, may, home, address } = await openProject(params)
  const others = [
    { label: 'Members', href: `${address}/members` },
    ...(may('project:manage-tokens') ? [{ label: 'Tokens', href: `${address}/tokens` }] : []),
    { label: 'Settings', href: `${address}/settings` },
  ]
  // Overview is also the current tab on the pages of environments, because the overview lists the
  // environments.
  const items = [{ label: 'Overview', href: address, except: others.map(({ href }) => href) }, ...others]
  return (
    <>
      <PageHeader
        title={project.name}
        description={project.description || undefined}
        trail={[{ label: 'Projects', href: `${home}/projects` }]}
      />
      <SubNav label="Project" items={items} />
      {children}
    </>
  )
}
