/** What stands against high security in an app's settings, and at which of them. */
export type HighSecurityProblem = { field: 'clientAuthentication' | 'redirectUris'; message: string }

const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?([/?]|$)/

/**
 * Checks whether an app can be held to the FAPI 2.0 Security Profile: it proves who it is by a key (section 5.3.2.1), and
 * no answer travels over plain http but on its own machine (section 5.3.2.2).
 * @param authMethod its `token_endpoint_auth_method`
 */
export function highSecurityProblem(app: {
  authMethod: unknown
  redirectUris: readonly unknown[]
}): HighSecurityProblem | undefined {
  if (app.authMethod !== 'private_key_jwt') {
    return {
      field: 'clientAuthentication',
      message: 'An app with high security authenticates with a private key (private_key_jwt).',
    }
  }
  const open = app.redirectUris.find((uri) => !/^https:/i.test(String(uri)) && !loopback.test(String(uri)))
  return open === undefined
    ? undefined
    : {
        field: 'redirectUris',
        message: `An app with high security returns to https addresses, or to 127.0.0.1 on the same machine; not to ${open}.`,
      }
}
