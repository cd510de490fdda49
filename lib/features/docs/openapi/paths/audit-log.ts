import { answer, retryAfter } from '../answers'
import type { Parameter, PathItem } from '../types'

const parameter = (name: string, description: string, more: object = {}): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string', ...more },
})

const refused = (description: string) => answer(description, 'ExportRefusal')

export const auditLogPaths: Record<string, PathItem> = {
  '/audit-log/export': {
    get: {
      operationId: 'exportAuditLog',
      tags: ['Audit log'],
      summary: 'What happened in a workspace, as a file',
      description:
        'The oldest event first, sent while it is read. Takes an admin of the workspace, by an API token or in a browser session; apps use `auditLogs` of the GraphQL API. Without `workspaceId` it is everything recorded, for the operator in a browser session. Each export is recorded in the log it exports.',
      security: [{ apiToken: [] }],
      parameters: [
        parameter('workspaceId', 'The workspace.', { format: 'uuid' }),
        parameter('format', 'One JSON object a line, or CSV (RFC 4180).', {
          enum: ['ndjson', 'csv'],
          default: 'ndjson',
        }),
        parameter('since', 'The first day (UTC).', { format: 'date' }),
        parameter('until', 'The last day (UTC).', { format: 'date' }),
        parameter('action', 'An action such as `project.created`, or a kind such as `project`.'),
        parameter('person', 'The id of who did it; for the operator an e-mail address as well.'),
        parameter('search', 'For the operator: the beginning of an action, or the id of a resource.'),
        parameter('workspace', 'For the operator: the address or id of a workspace.'),
      ],
      responses: {
        '200': {
          description: 'The events.',
          headers: {
            'content-disposition': {
              description: 'The name of the file: workspace and days.',
              required: true,
              schema: { type: 'string', pattern: '^attachment; filename="[^"]+"$' },
            },
          },
          content: {
            'application/x-ndjson': { schema: { type: 'string' } },
            'text/csv': { schema: { type: 'string' } },
          },
        },
        '400': refused('A parameter is wrong; `field` names it.'),
        '401': refused('Nobody is signed in, or the token is worth nothing.'),
        '403': refused('The role or the token does not reach this.'),
        '404': refused('There is no such workspace, or you cannot see it.'),
        '429': { ...refused('Too many requests or exports within an hour.'), headers: retryAfter },
        '503': { ...refused('The database is away.'), headers: retryAfter },
      },
    },
  },
}
