import type { MemberRow } from '@/lib/workspaces/list-members'
import { builder } from '../builder'
import { RoleEnum } from './scalars'

const defineMember = (name: string, description: string, resource: string) =>
  builder.objectRef<MemberRow>(name).implement({
    description,
    fields: (t) => ({
      id: t.exposeID('id', { description: "The person's id." }),
      name: t.exposeString('name', { description: "The person's name." }),
      email: t.exposeString('email', { description: "The person's email address." }),
      avatar: t.exposeString('avatarUrl', {
        nullable: true,
        description: "The address of the person's picture; null without one.",
      }),
      role: t.expose('role', { type: RoleEnum, description: `Their role in the ${resource}.` }),
      createdAt: t.expose('createdAt', {
        type: 'DateTime',
        description: 'Since when they have a role here.',
      }),
    }),
  })

/** A person in a workspace. */
export const WorkspaceMember = defineMember(
  'WorkspaceMember',
  'A person with a role in a workspace, which carries over to its projects.',
  'workspace',
)

/** A person in a project. */
export const ProjectMember = defineMember(
  'ProjectMember',
  'A person with a role in a project itself. Those who reach it through its workspace are members of the workspace.',
  'project',
)
