import { type Export, prepareExport } from '@/lib/features/audit/export/export-events'
import type { ExportFormat } from '@/lib/features/audit/export/formats'
import type { Actor } from '@/lib/policy/actor'
import { authorizeInstance } from '@/lib/policy/authorize'
import { type InstanceEventFilter, instanceEventsMatching } from './list-instance-events'

/**
 * Exports everything recorded, in every workspace, those that are gone included, and beside them, the oldest event first.
 * @param filter see `instanceEventFilter`
 * @throws AppError BAD_USER_INPUT, and FORBIDDEN for anyone but the operator; its text RATE_LIMITED
 */
export async function exportInstanceEvents(
  actor: Actor,
  filter: InstanceEventFilter,
  format: ExportFormat,
): Promise<Export> {
  authorizeInstance(actor)
  const { where, since, until } = await instanceEventsMatching(filter)
  const { workspaceId } = where
  const wanted = { place: workspaceId === undefined ? {} : { workspaceId }, where, since, until }
  return prepareExport(actor, { name: 'installation', workspaceId: null, format, wanted })
}
