import { always, answer, challenge, form, noStore, oauthError, tooLong, tooMany } from '../answers'
import { ref } from '../schemas/text'
import type { PathItem } from '../types'

export const devicePaths: Record<string, PathItem> = {
  '/oauth/device/auth': {
    post: {
      operationId: 'authorizeDevice',
      tags: ['Authorization'],
      summary: 'Start the device flow (RFC 8628)',
      description:
        'For command-line tools and devices without a browser. The person opens verification_uri on any device, types ' +
        'the user_code and authorizes; meanwhile the client polls /oauth/token.',
      security: [{ clientBasic: [] }, {}],
      requestBody: { required: true, content: form(ref('DeviceAuthorizationRequest')) },
      responses: {
        '200': answer('The codes.', 'DeviceAuthorizationResponse', noStore),
        '400': oauthError(
          '`invalid_request`, `invalid_client`, `unauthorized_client`, `invalid_scope`, `invalid_target`.',
          noStore,
        ),
        '401': oauthError('`invalid_client`: the HTTP Basic credentials are wrong.', challenge),
        '413': tooLong,
        '429': tooMany,
        ...always,
      },
    },
  },
}
