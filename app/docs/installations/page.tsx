import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { installationJobSnippet, listInstallationsSnippet } from '@/lib/features/docs/snippets/integrations'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Installations' }

export default function InstallationsDocsPage() {
  const { baseUrl } = readSnippetValues()
  return (
    <DocsArticle
      title="Installations"
      lead="An app that acts for a workspace, with nobody behind it: for jobs that run by themselves."
    >
      <DocsSection id="admins" title="For admins">
        <P>
          An app that people let in acts for each of them, and no longer than they are there. One that you
          install acts for the workspace itself, until you uninstall it under Settings, Apps.
        </P>
        <Bullets>
          <li>
            You say what it may do, among what it asks for, and whether in the whole workspace or in some
            projects.
          </li>
          <li>
            It is never an admin: members, tokens, apps, webhooks and the audit log stay out of its reach,
            whatever it asks for. Members’ names it may read, their addresses it may not.
          </li>
          <li>
            Uninstalled, blocked or kept out by the policy of own apps only, it is refused at its next
            request. Under the policy of approved apps it needs no approval beside: installing it is one.
          </li>
          <li>
            Suspended, it is refused at its next request too, and works again as before once you resume it:
            for the hours in which you look into something.
          </li>
          <li>The audit log names the app itself as the one who acted.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="developers" title="For developers">
        <P>
          On your app’s page, say with which scopes it can be installed, and give admins the link that stands
          there then. It takes a web app, with a secret or a private key. Each workspace that installs it is
          an installation with an id.
        </P>
        <Bullets>
          <li>
            At <Code>/oauth/token</Code>, with <Code>grant_type=client_credentials</Code> and your app’s own
            credentials, <Code>resource</Code> (RFC 8707) names the installation:{' '}
            <Code>{`${baseUrl}/installations/<id>`}</Code>. <Code>scope</Code> asks for a part of what it may
            do; left out, for all of it.
          </li>
          <li>
            The token begins with <Code>lk_ins_</Code> and lives for an hour. There is no refresh token: ask
            for a new one. Introspection and revocation know it; <Code>/oauth/me</Code> and <Code>me</Code> do
            not, because it is nobody.
          </li>
          <li>
            Without <Code>resource</Code> the token is for the app alone. It reaches no workspace and lists
            your <TextAnchor href="/docs/reference#installations">installations</TextAnchor>.
          </li>
          <li>
            Your app’s own <TextAnchor href="/docs/your-app#webhooks">webhooks</TextAnchor> tell you of
            installations as they come and go.
          </li>
          <li>
            <Code>invalid_target</Code> says that the installation is gone or suspended, or that the workspace
            keeps your app out. An app that cannot be installed is answered{' '}
            <Code>unsupported_grant_type</Code>.
          </li>
        </Bullets>
        <CodeBlock title="Which workspaces installed the app" code={listInstallationsSnippet(baseUrl)} />
        <CodeBlock title="job.mjs" code={installationJobSnippet(`${baseUrl}/oauth`, baseUrl)} />
      </DocsSection>
    </DocsArticle>
  )
}
