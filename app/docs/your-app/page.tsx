import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { AppWebhookDocs } from '@/components/docs/examples'
import { Bullets, Code, DocsArticle, DocsSection, P, Steps } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { domainProofSnippet } from '@/lib/features/docs/snippets/values'

export const metadata: Metadata = { title: 'Your app' }

export default function YourAppPage() {
  return (
    <DocsArticle
      title="Your app"
      lead="For developers: what an app is here from its first sign-in to its last, and what people see of it."
    >
      <DocsSection id="make" title="Make it">
        <P>
          An admin of a workspace makes an app under Settings, Developer. The workspace runs the app: its name
          stands where the app asks people for something, and its admins manage it. Apps can also{' '}
          <TextAnchor href="/docs/agents">introduce themselves</TextAnchor>; those have no page in the
          console.
        </P>
        <P>
          Say what the app may ask for, and no more than it needs.{' '}
          <TextAnchor href="/docs/scopes">Scopes</TextAnchor> beyond are ignored in its requests, and a limit
          that becomes narrower counts at its next request. Where you lift it, people see what is new before
          they allow it.
        </P>
      </DocsSection>
      <DocsSection id="look" title="Name, words and logo">
        <P>
          The consent page shows the app’s name and logo, what you say it does, and links to your website,
          help, privacy policy and terms. People see the logo again wherever they look at what they allowed. A
          second logo, for dark pages, takes its place there; without one the first is shown everywhere. PNG,
          JPEG or WebP, about square, 64 pixels a side or more. Over the API:{' '}
          <TextAnchor href="/docs/reference/oauth-apps#oauthAppLogoUpdate">oauthAppLogoUpdate</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="stage" title="Development and production">
        <Bullets>
          <li>If your email address is not confirmed, your apps stay in development.</li>
          <li>
            In development only members of your workspace can authorize the app, and it can be installed there
            alone. Everybody else is told so and led back; the app hears <Code>access_denied</Code>.
          </li>
          <li>
            Taken back into development, it can act for nobody outside from its next request on. The settings
            say first how many people and workspaces that are. Nothing is deleted: once the app is in
            production, all of it counts again.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="try" title="Try sign-in">
        <P>
          On its overview you can sign in to the app yourself. The page sends what your app would send, by the
          device flow, and shows each request, each answer and the decoded ID token. Credentials are cut to
          their first characters, and what the try got is ended at once.
        </P>
      </DocsSection>
      <DocsSection id="domain" title="Your domain">
        <P>
          Whoever decides about your app wants to know who runs it. Prove a domain that your website or a
          redirect URI lies in, and the consent page says “verified domain”.
        </P>
        <Steps>
          <li>Name the domain in the app’s settings. You get a value made for this app.</li>
          <li>Publish it as a DNS record, or as a file. One of them is enough.</li>
          <li>Choose Verify. It is looked for again every day.</li>
        </Steps>
        <CodeBlock title="Either of the two" code={domainProofSnippet()} />
        <P>
          A proof that is not found counts for seven more days, and the admins of your workspace are told at
          the beginning and the end. No redirect is followed for the file. An app that moves out of its domain
          loses the mark with the change.
        </P>
      </DocsSection>
      <DocsSection id="verified" title="Verified by the instance admin">
        <P>
          The instance admin of this service may verify an app that they looked at: its redirect URIs, what it
          asks for, who runs it. It is another mark than the domain, and ends when the app moves to another
          workspace. Ask whoever operates this service.
        </P>
      </DocsSection>
      <DocsSection id="people" title="People and activity">
        <P>
          People lists who let the app in, since when and for what. Their names and addresses are shown as far
          as the app itself may read them. Activity has sign-ins, grants, denials and refusals with their
          reasons for 30 days, to be filtered and exported.
        </P>
      </DocsSection>
      <AppWebhookDocs />
      <DocsSection id="end" title="Move and delete">
        <Bullets>
          <li>
            To give an app to somebody else, offer it to their workspace under Danger. Once an admin there
            accepts, it is theirs, with its authorizations, installations, and webhooks. No user has to sign
            in again. They finish the transfer within 7 days: your secrets and keys end then, at the latest
            after these 7 days, when an app with an unfinished transfer is switched off.
          </li>
          <li>
            A deleted app is gone with every token of it, at once. Tell people before; there is no way back.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
