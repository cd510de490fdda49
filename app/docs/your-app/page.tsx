import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { AppWebhookDocs } from '@/components/docs/examples'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P, Steps } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { domainProofSnippet } from '@/lib/features/docs/snippets/values'

export const metadata: Metadata = { title: 'Your app' }

export default function YourAppPage() {
  return (
    <DocsArticle title="Your app" lead="For developers: the life cycle of an app, and what users see.">
      <DocsSection id="make" title="Create the app">
        <P>
          Workspace admins can create apps under <MenuPath>Settings &gt; Developer</MenuPath>. The workspace
          runs the app: users see its name when the app requests access, and its admins manage the app.
          Clients can also <TextAnchor href="/docs/agents">register themselves</TextAnchor>. Self-registered
          apps have no page in the console.
        </P>
        <P>
          Allow only the scopes that the app needs. Other <TextAnchor href="/docs/scopes">scopes</TextAnchor>{' '}
          are ignored in its requests. A stricter limit takes effect at the app’s next request. If you remove
          a limit, users must consent to the additional scopes.
        </P>
      </DocsSection>
      <DocsSection id="look" title="Branding">
        <P>
          The consent page shows the app’s name, logo, and description, and links to your website, support,
          privacy policy, and terms. Users also see the logo in their authorized apps. You can add a second
          logo for dark pages. Use PNG, JPEG, or WebP, roughly square, at least 64 × 64 pixels. In the API:{' '}
          <TextAnchor href="/docs/reference/oauth-apps#oauthAppLogoUpdate">oauthAppLogoUpdate</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="stage" title="Development and production">
        <Bullets>
          <li>If your email address is not confirmed, your apps stay in development.</li>
          <li>
            In development, only members of your workspace can authorize the app, and it can be installed only
            in your workspace. Other users see a notice and return to your app with <Code>access_denied</Code>
            .
          </li>
          <li>
            If you move the app back to development, it can no longer act for external users, starting with
            its next request. The settings first show how many users and workspaces are affected. Nothing is
            deleted: access works again once the app is in production.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="try" title="Try sign-in">
        <P>
          Choose <b>Try sign-in</b> on the app’s page to sign in to the app yourself. It opens the consent
          page and then shows the decoded ID token, with each request and response. The server uses the device
          flow to send the requests that your app would send. Credentials are shown truncated. The tokens are
          revoked immediately.
        </P>
      </DocsSection>
      <DocsSection id="domain" title="Your domain">
        <P>
          Users and admins want to know who runs your app. Verify a domain that contains your website or a
          redirect URI, and the consent page shows the domain as verified.
        </P>
        <Steps>
          <li>
            Add the domain in the app’s settings. The page then shows a verification value for this app.
          </li>
          <li>Publish the value as a DNS record or as a file.</li>
          <li>Choose Check now. We recheck the value daily.</li>
        </Steps>
        <CodeBlock title="The record or the file" code={domainProofSnippet()} />
        <P>
          If the record or file is missing, the domain stays verified for seven more days. Workspace admins
          are notified at the start and the end of this period. When we fetch the file, redirects aren’t
          followed. If the app no longer has a URL in the domain, the verification is removed.
        </P>
      </DocsSection>
      <DocsSection id="verified" title="Verification by an instance admin">
        <P>
          An instance admin can verify an app after a review of its redirect URIs, scopes, and owner. This
          mark is separate from domain verification. The mark is removed when the app is transferred to
          another workspace. To request verification, contact your instance admin.
        </P>
      </DocsSection>
      <DocsSection id="users" title="Users and activity">
        <P>
          People lists the users who authorized the app, with the date and the access that they granted. You
          see their names and email addresses only if the app can read them. Activity lists sign-ins, grants,
          denials, and errors with their reasons for 30 days. You can filter and export it.
        </P>
      </DocsSection>
      <AppWebhookDocs />
      <DocsSection id="end" title="Transfer and delete">
        <Bullets>
          <li>
            To transfer an app, go to Danger on the app’s page and send a request to the other workspace.
            After an admin of that workspace accepts, the app belongs to it, with its authorizations,
            installations, and webhooks. Users don’t have to sign in again. The new owners must finish the
            transfer within 7 days. Your secrets and keys stop working when the transfer is finished, or after
            7 days. If the transfer isn’t finished by then, the app is disabled. The app’s webhooks are
            disabled immediately and get new signing secrets. To see a new secret, the new owners rotate it.
          </li>
          <li>
            Deleting an app revokes all its tokens immediately. Notify your users first: this can’t be undone.
          </li>
        </Bullets>
      </DocsSection>
    </DocsArticle>
  )
}
