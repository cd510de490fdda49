import { config } from '@/lib/base/config/env'
import { allLanguages } from '@/lib/base/language/languages'
import { clientSigningAlgs } from '@/lib/features/apps/public-keys'
import { protectedResources } from '../protocol/routes'
import { clientAuthMethods } from './client-keys'

/** What the metadata says beyond what the engine derives from its configuration (RFC 8414 section 2, RFC 9728 section 4). */
export const discovery = () => ({
  service_documentation: `${config().BASE_URL}/docs`,
  ui_locales_supported: allLanguages,
  prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_signing_alg_values_supported: clientSigningAlgs,
  introspection_endpoint_auth_methods_supported: clientAuthMethods,
  introspection_endpoint_auth_signing_alg_values_supported: clientSigningAlgs,
  protected_resources: protectedResources(),
})
