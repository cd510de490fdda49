import { csvLine } from './csv'
import type { DescribedEvent } from './describe-event'

/** The columns of CSV under the names of the JSON; what else an event tells is JSON in the last one. */
const columns = [
  'id',
  'createdAt',
  'action',
  'actorKind',
  'userId',
  'userName',
  'actorId',
  'actorName',
  'resourceType',
  'resourceId',
  'resourceName',
  'projectName',
  'workspaceId',
  'workspaceSlug',
  'workspaceName',
  'ip',
  'userAgent',
] as const satisfies (keyof DescribedEvent)[]

/** How an export is written. */
export const exportFormats = {
  ndjson: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (event: DescribedEvent) => `${JSON.stringify(event)}\n`,
  },
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    head: csvLine([...columns, 'details']),
    line: (event: DescribedEvent) =>
      csvLine([...columns.map((column) => event[column] ?? ''), JSON.stringify(event.details)]),
  },
}

export type ExportFormat = keyof typeof exportFormats
