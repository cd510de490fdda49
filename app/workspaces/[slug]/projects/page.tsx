import type { Metadata } from 'next'
import { GoButton } from '@/components/forms/creation-form'
import { PageHeader } from '@/components/frame/page-header'
import { ListFrame } from '@/components/lists/list-frame'
import { PlaceList } from '@/components/lists/place-list'
import { DeletedProjects, placeOfProject } from '@/components/projects/project-sections'
import { FolderClosed } from '@/components/ui/icon'
import { Stack } from '@/components/ui/stack'
import { numberedPageOf, type SearchParams, searchOf } from '@/lib/edges/web/console/list-page'
import { recentlyDeleted } from '@/lib/features/projects/delete-project'
import { searchProjects } from '@/lib/features/projects/search-projects'
import { openWorkspace } from '../../open-workspace'
import { restoreProjectAction } from './actions'

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export const metadata: Metadata = { title: 'Projects' }

/**
 * The projects of a workspace. Guests see only the projects that they can access. Users who can restore
 * projects also see recently deleted projects.
 */
export default async function ProjectsPage({ params, searchParams }: Props) {
  const { actor, workspace, home, may } = await openWorkspace((await params).slug, '/projects')
  const query = await searchParams
  const search = searchOf(query)
  const page = await searchProjects(actor, workspace.id, search, numberedPageOf(query))
  const deleted = may('workspace:restore-projects') ? await recentlyDeleted(actor, workspace.id) : []
  const mayCreate = may('workspace:create-project')
  const create = mayCreate && <GoButton href={`${home}/projects/new`}>New project</GoButton>
  const text = mayCreate
    ? 'You can give apps and tokens access to individual projects. Create your first project.'
    : 'Apps and tokens can get access to individual projects. Members of this workspace can create a project.'
  return (
    <>
      <PageHeader title="Projects" action={page.total > 0 || search ? create : undefined} />
      <Stack>
        <ListFrame
          path={`${home}/projects`}
          noun={['project', 'projects']}
          page={page}
          search={search}
          empty={{ icon: FolderClosed, title: 'No projects yet', text, action: create }}
        >
          <PlaceList label="Projects" places={page.rows.map(placeOfProject(home))} />
        </ListFrame>
        {deleted.length > 0 && <DeletedProjects projects={deleted} restore={restoreProjectAction} />}
      </Stack>
    </>
  )
}
