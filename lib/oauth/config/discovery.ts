import { config } from '@/lib/config/env'

const authMethods = ['client_secret_basic', 'client_secret_post', 'none']

/** What the metadata says beyond what the engine derives from its configuration (RFC 8414 section 2, RFC 9728 section 4). */
export const discovery = () => ({
  service_documentation: `${config().BASE_URL}/docs`,
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  revocation_endpoint_auth_methods_supported: authMethods,
  introspection_endpoint_auth_methods_supported: authMethods,
  request_parameter_supported: false,
  protected_resources: [config().BASE_URL, `${config().BASE_URL}/graphql/v2`],
})
