import { exportOwnData } from '@/lib/features/identity/export-own-data'
import { refuseExport, sendFile, whoLooks } from './send-file'

/** GET /account/data/export: what is kept of the person, for their own browser session alone. */
export async function answerOwnData(request: Request): Promise<Response> {
  try {
    return await sendFile(request, exportOwnData(await whoLooks(request)))
  } catch (thrown) {
    return refuseExport(thrown)
  }
}
