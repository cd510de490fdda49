import type { Metadata } from 'next'
import { GoButton } from '@/components/forms/go-button'
import { PageHeader } from '@/components/frame/page-header'
import { ProjectList } from '@/components/projects/project-list'
import { SearchForm } from '@/components/projects/search-form'
import { ButtonLink } from '@/components/ui/button-link'
import { Pagination } from '@/components/ui/pagination'
import { pageHrefs, pageOf, type SearchParams } from '@/lib/edges/web/console/list-page'
import { searchProjects } from '@/lib/features/projects/search-projects'
import { openWorkspace } from '../open-workspace'

type Props = { params: Promise<{ slug: string }>; searchParams: Promise<SearchParams> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await openWorkspace((await params).slug)).workspace.name }
}

/** The projects of a workspace; to a guest, those they share. */
export default async function ProjectsPage({ params, searchParams }: Props) {
  const { actor, workspace, home, may } = await openWorkspace((await params).slug)
  const query = await searchParams
  const search = [query.search].flat()[0] ?? ''
  const { rows, ...sides } = await searchProjects(actor, workspace.id, search, pageOf(query))
  const hrefs = pageHrefs(home, { search }, rows, sides)
  const mayCreate = may('workspace:create-project')
  const create = mayCreate && <GoButton href={`${home}/projects/new`}>New project</GoButton>
  const wanting = search
    ? {
        title: 'No project matches',
        text: 'No name or description holds what you searched for.',
        action: <ButtonLink href={home}>Show all projects</ButtonLink>,
      }
    : {
        title: 'No projects yet',
        text: mayCreate
          ? 'A project is what apps and tokens get access to. Make the first one.'
          : 'A project is what apps and tokens get access to. Members of this workspace can make one.',
        action: create,
      }
  return (
    <>
      <PageHeader title="Projects" action={rows.length > 0 || search ? create : undefined} />
      {(rows.length > 0 || search || hrefs.previous) && (
        <SearchForm action={home} label="Search projects" value={search} />
      )}
      <ProjectList projects={rows} home={home} empty={wanting} />
      {(hrefs.previous || hrefs.next) && (
        <div className="mt-4">
          <Pagination {...hrefs} label="Pages of projects" />
        </div>
      )}
    </>
  )
}
