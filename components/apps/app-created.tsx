import { ButtonLink } from '../ui/button-link'
import { Section } from '../ui/card'
import { SecretOnce } from '../ui/secret-once'
import { TakesFocus } from '../ui/takes-focus'
import { ValueField } from '../ui/value-field'

/** The moment after creating an app: its Client ID, and for a web app its secret, this once. */
export function AppCreated({
  clientId,
  secret,
  appHref,
}: {
  clientId: string
  secret: string | null
  appHref: string
}) {
  if (secret === null) {
    return (
      <Section
        title="No secret needed"
        description="A native app identifies itself by its Client ID and PKCE."
        footer={
          <ButtonLink href={appHref} variant="primary" className="ml-auto">
            Go to the app
          </ButtonLink>
        }
      >
        <TakesFocus />
        <ValueField label="Client ID" value={clientId} />
      </Section>
    )
  }
  return (
    <SecretOnce
      label="Client secret"
      value={secret}
      env={{ CLIENT_ID: clientId, CLIENT_SECRET: secret }}
      doneHref={appHref}
    >
      <ValueField label="Client ID" value={clientId} />
    </SecretOnce>
  )
}
