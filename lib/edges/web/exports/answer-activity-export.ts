import { badInput } from '@/lib/base/errors/app-error'
import { exportActivity } from '@/lib/features/apps/activity/list-activity'
import { activityKindNames } from '@/lib/features/apps/activity/note-activity'
import { oneOf, searchOf, textOf } from '../console/list-page'
import { refuseExport, sendFile, whoLooks } from './send-file'

/**
 * GET .../settings/developer/:clientId/activity/export: what the page lists, as CSV, narrowed by `kind` and `search` as there.
 * For the browser session of somebody who may manage the app.
 */
export async function answerActivityExport(request: Request, clientId: string): Promise<Response> {
  try {
    const actor = await whoLooks(request)
    const query = Object.fromEntries(new URL(request.url).searchParams)
    const kind = oneOf(query, 'kind', activityKindNames)
    if (!kind && textOf(query, 'kind'))
      throw badInput('kind', `Must be one of ${activityKindNames.join(', ')}.`)
    const filter = { kind, search: searchOf(query) }
    const mediaType = 'text/csv; charset=utf-8; header=present'
    return await sendFile(request, { ...(await exportActivity(actor, clientId, filter)), mediaType })
  } catch (thrown) {
    return refuseExport(thrown)
  }
}
