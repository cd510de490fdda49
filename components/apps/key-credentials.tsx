import type { EditableApp } from '@/lib/features/apps/update-app'
import { Section } from '../ui/card'
import { TextLink } from '../ui/text-link'

/** How an app without secrets proves that it is itself. */
export function KeyCredentials({
  app: { type, publicKeys },
  settingsHref,
}: {
  app: Pick<EditableApp, 'type' | 'publicKeys'>
  settingsHref: string
}) {
  if (type === 'NATIVE') {
    return (
      <Section title="No secret" description="Anyone can read what’s inside a native app.">
        <p>It identifies itself by its client ID, and PKCE proves that a code comes back to the same app.</p>
      </Section>
    )
  }
  return (
    <Section
      title="Public keys"
      description="The app signs a statement with its private key (private_key_jwt), and these public keys prove that it did."
    >
      <pre className="max-h-80 overflow-auto rounded-control border bg-raised p-3 font-mono text-[13px]">
        {publicKeys}
      </pre>
      <p>
        Change them under <TextLink href={settingsHref}>Settings</TextLink>, in the advanced ones.
      </p>
    </Section>
  )
}
