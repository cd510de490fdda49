import { config } from '@/lib/base/config/env'
import { remember } from '@/lib/base/process/remember'
import { describeApi } from './document'

/** Made anew when an operator renamed the service. */
function body(): Buffer {
  const { SERVICE_NAME: name, BASE_URL } = config()
  const made = remember('openapi', () => ({ name: '', bytes: Buffer.alloc(0) }))
  if (made.name !== name) {
    Object.assign(made, {
      name,
      bytes: Buffer.from(JSON.stringify(describeApi({ name, baseUrl: BASE_URL }))),
    })
  }
  return made.bytes
}

/** GET /openapi.json: the description, built once; open to browsers, so that any viewer can load it. */
export const answerOpenApi = (): Response =>
  new Response(new Uint8Array(body()), {
    headers: {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    },
  })
