import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'
import { describeApi } from './document'

const body = () =>
  remember('openapi', () => {
    const { SERVICE_NAME, BASE_URL } = config()
    return Buffer.from(JSON.stringify(describeApi({ name: SERVICE_NAME, baseUrl: BASE_URL })))
  })

/** GET /openapi.json: the description, built once; open to browsers, so that any viewer can load it. */
export const answerOpenApi = (): Response =>
  new Response(new Uint8Array(body()), {
    headers: {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    },
  })
