import {
  listExternalWorkspaces,
  type ExternalWorkspace as Row,
} from '@/lib/features/workspaces/list-workspaces'
import { builder } from '../builder'
import { Project } from './project'

const ExternalWorkspace = builder.objectRef<Row>('ExternalWorkspace').implement({
  description: 'A workspace that the person is no member of, but some of whose projects they have a role in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the workspace.' }),
    name: t.exposeString('name', { description: 'Its name, as people see it.' }),
    teamId: t.exposeID('id', {
      nullable: true,
      description: 'The id of the workspace. A legacy aid, for clients written for similar APIs.',
    }),
    projects: t.expose('projects', {
      type: [Project],
      description: 'The projects they have a role in, oldest first.',
    }),
  }),
})

builder.queryField('externalWorkspaces', (t) =>
  t.field({
    type: [ExternalWorkspace],
    nullable: true,
    description:
      'The workspaces the person knows from outside, through a role in single projects. Apps see those of which a project was selected.',
    resolve: (_root, _args, { actor }) => listExternalWorkspaces(actor),
  }),
)
