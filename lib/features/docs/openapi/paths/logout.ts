import { always, errorByAccept, form, oauthError, page, redirect, tooManyVisits } from '../answers'
import { text, uri } from '../schemas/text'
import type { Operation, PathItem, Schema } from '../types'

const parameters: Record<string, Schema> = {
  id_token_hint: text('An id_token of the person; names the app as well.'),
  client_id: text('The app, when no id_token is sent.'),
  post_logout_redirect_uri: uri('A registered one; where to go afterwards.'),
  state: text('Returned unchanged.'),
  logout_hint: text('Whom to sign out.'),
  ui_locales: text('Preferred languages.'),
}

const signOut: Operation = {
  operationId: 'endSession',
  tags: ['Authorization'],
  summary: 'Sign the person out (OpenID Connect RP-Initiated Logout)',
  description:
    'Opened in the browser. Asks the person first, unless an app of the settings sends an id_token that it got in this very ' +
    'session and a registered post_logout_redirect_uri. On the way to an address of a self-registered app that nobody ' +
    'was asked about, a page names the host.',
  security: [{}],
  parameters: Object.entries(parameters).map(([name, schema]) => ({
    name,
    in: 'query',
    description: String(schema.description),
    schema,
  })),
  responses: {
    '200': page('A page that asks whether to sign out, or names where the way leads on.'),
    '302': redirect('To post_logout_redirect_uri, when nobody had to be asked.'),
    '400': errorByAccept('`invalid_request`, `invalid_client`: nothing was done.'),
    '429': tooManyVisits,
    ...always,
  },
}

export const logoutPaths: Record<string, PathItem> = {
  '/oauth/session/end': {
    get: signOut,
    post: {
      ...signOut,
      operationId: 'endSessionByForm',
      summary: 'The same with the parameters in a form',
      parameters: [],
      requestBody: { content: form({ type: 'object', properties: parameters }) },
      responses: {
        '303': redirect('To the same address with the parameters in the query.'),
        '400': oauthError('`invalid_request`: the form cannot be read.'),
        '413': oauthError('`invalid_request`: more than 16 KiB.'),
        ...always,
      },
    },
  },
}
