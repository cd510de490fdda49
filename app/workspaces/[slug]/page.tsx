import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { GoButton } from '@/components/forms/creation-form'
import { PageHeader } from '@/components/frame/page-header'
import { DemoNote, firstSteps, GetStarted } from '@/components/overview/get-started'
import { OverviewSections } from '@/components/overview/overview-sections'
import { openWorkspace } from '../open-workspace'
import { readHome } from './read-home'

type Props = { params: Promise<{ slug: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openWorkspace((await params).slug)).workspace.name }
}

const count = (number: number, one: string, several: string) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : several}`

/**
 * Returns a sentence with the numbers of members, projects, and apps. Projects and apps are omitted if there
 * are none.
 */
function summaryOf({ members, projects, apps }: { members: number; projects: number; apps: number }): string {
  const parts = [
    count(members, 'member', 'members'),
    ...(projects > 0 ? [count(projects, 'project', 'projects')] : []),
    ...(apps > 0 ? [count(apps, 'OAuth app', 'OAuth apps')] : []),
  ]
  return `${new Intl.ListFormat('en').format(parts)}.`
}

/**
 * The home page of a workspace. Guests, who have access only to projects, are redirected to the list of
 * projects.
 */
export default async function WorkspaceHome({ params }: Props) {
  const opened = await openWorkspace((await params).slug)
  const { workspace, home, may } = opened
  if (!may('workspace:read')) redirect(`${home}/projects`)
  const { counts, isDemo, ...view } = await readHome(opened)
  const steps = may('workspace:manage-apps') ? firstSteps(counts, home) : []
  const isNew = steps.filter(({ done }) => done).length <= 1 && steps.length > 0
  const create = may('workspace:create-project') && (
    <GoButton href={`${home}/projects/new`}>New project</GoButton>
  )
  const invite = may('workspace:manage-members') && (
    <GoButton href={`${home}/members/invite`} look={{ variant: 'secondary' }}>
      Invite people
    </GoButton>
  )
  return (
    <>
      <PageHeader
        title={isNew ? `Welcome to ${workspace.name}` : workspace.name}
        description={isNew ? 'Set up sign-in for your app in a few steps.' : summaryOf(counts)}
        action={
          !isNew && (invite || create) ? (
            <>
              {invite}
              {create}
            </>
          ) : undefined
        }
      />
      {isDemo && (
        <div className="mb-8">
          <DemoNote />
        </div>
      )}
      {isNew && (
        <div className="mb-8 max-w-[760px]">
          <GetStarted steps={steps} />
        </div>
      )}
      <OverviewSections
        {...view}
        counts={counts}
        home={home}
        create={isNew ? undefined : create}
        calm={!isNew}
      />
    </>
  )
}
