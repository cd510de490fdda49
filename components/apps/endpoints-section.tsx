import { config } from '@/lib/base/config/env'
import { issuer, metadataRoute, routes } from '@/lib/edges/oauth/protocol/routes'
import { Section } from '../ui/card'
import { CopyButton } from '../ui/copy-button'

/** Where an app sends what; each to be copied. */
export function EndpointsSection() {
  const at = (route: string) => `${issuer()}${route}`
  const endpoints = [
    { name: 'Issuer', value: issuer() },
    { name: 'Discovery', value: at(metadataRoute) },
    { name: 'Authorization', value: at(routes.authorization) },
    { name: 'Token', value: at(routes.token) },
    { name: 'User info', value: at(routes.userinfo) },
    { name: 'Device authorization', value: at(routes.device_authorization) },
    { name: 'Signing keys', value: at(routes.jwks) },
    { name: 'GraphQL API', value: `${config().BASE_URL}/graphql/v2` },
  ]
  return (
    <Section
      title="Endpoints"
      description="Most libraries only need the issuer and read the rest from discovery."
      flush
    >
      <dl>
        {endpoints.map(({ name, value }) => (
          <div
            key={name}
            className="grid items-center gap-x-3 border-b px-4 py-1.5 last:border-b-0 sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <dt className="text-[13px] text-muted">{name}</dt>
            <dd className="flex min-w-0 items-center justify-between gap-3">
              <span className="wrap-anywhere min-w-0 font-mono text-[13px]">{value}</span>
              <CopyButton value={value} of={name} variant="quiet" brief />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
