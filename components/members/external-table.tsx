import type { Role } from '@/lib/policy/scopes'
import { Avatar } from '../ui/avatar'
import { TextLink } from '../ui/link'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'
import { roleNames } from './role-select'

/** A user with roles only in projects of the workspace. */
type ExternalUser = {
  id: string
  name: string
  email: string
  avatarUrl: string | null
  role: Role
  projectCount: number
  projects: { id: string; name: string }[]
  lastActiveAt: Date | null
}

/**
 * Lists external users, each with links to the first of their projects and the number of their other
 * projects.
 */
export function ExternalTable({ users, projectsHref }: { users: ExternalUser[]; projectsHref: string }) {
  return (
    <Table
      caption="External users"
      head={
        <>
          <Head>User</Head>
          <Head>Projects</Head>
          <Head>Highest role</Head>
          <Head>Last active</Head>
        </>
      }
    >
      {users.map(({ id, name, email, avatarUrl, role, projects, projectCount, lastActiveAt }) => (
        <Row key={id}>
          <Cell>
            <div className="flex min-w-0 items-center gap-3">
              <Avatar name={name} id={id} src={avatarUrl} />
              <div className="grid min-w-0">
                <bdi className="truncate font-medium">{name}</bdi>
                <span className="truncate text-[13px] text-muted">{email}</span>
              </div>
            </div>
          </Cell>
          <Cell className="max-sm:col-span-full">
            <span className="flex flex-wrap gap-x-3 gap-y-0.5">
              {projects.map((project) => (
                <TextLink key={project.id} href={`${projectsHref}/${project.id}/members`}>
                  {project.name}
                </TextLink>
              ))}
              {projectCount > projects.length && (
                <span className="text-muted">and {projectCount - projects.length} more</span>
              )}
            </span>
          </Cell>
          <Cell>{roleNames[role]}</Cell>
          <Cell muted>{lastActiveAt ? <Time at={lastActiveAt} /> : 'Not signed in'}</Cell>
        </Row>
      ))}
    </Table>
  )
}
