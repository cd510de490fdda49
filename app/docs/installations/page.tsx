import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { installationJobSnippet, listInstallationsSnippet } from '@/lib/features/docs/snippets/integrations'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Installations' }

export default function InstallationsDocsPage() {
  const { baseUrl } = readSnippetValues()
  return (
    <DocsArticle
      title="Installations"
      lead="Installed apps act for a workspace rather than a user, for example in background jobs."
    >
      <DocsSection id="admins" title="For admins">
        <P>
          An authorized app acts for each user who authorized it, and only while that user has access. An
          installed app acts for the workspace itself until you uninstall it under{' '}
          <MenuPath>Settings &gt; Apps</MenuPath>.
        </P>
        <Bullets>
          <li>
            You select its scopes from the scopes that it requests. You also choose whether it can access the
            whole workspace or only selected projects.
          </li>
          <li>
            An installed app never has the admin role, so it can’t manage members and has no access to tokens,
            apps, webhooks, or the audit log. It can read members’ names, but not their email addresses.
          </li>
          <li>
            If you uninstall or block an app, or allow only the workspace’s own apps, the app’s next request
            is rejected. Under the “Approved apps only” policy, an installed app needs no separate approval,
            but members still need one to authorize the app.
          </li>
          <li>
            If you suspend an app, for example during an investigation, the app’s next request is also
            rejected. The app works again after you resume it.
          </li>
          <li>The audit log names the app as the actor.</li>
        </Bullets>
      </DocsSection>
      <DocsSection id="developers" title="For developers">
        <P>
          On your app’s page, choose the installation scopes, then send admins the installation link. Only web
          apps with a secret or a private key can be installed. Each workspace that installs the app gets its
          own installation with its own ID.
        </P>
        <Bullets>
          <li>
            Send <Code>grant_type=client_credentials</Code> and your app’s own credentials to{' '}
            <Code>/oauth/token</Code>. Set <Code>resource</Code> (RFC 8707) to the URL of the installation:{' '}
            <Code>{`${baseUrl}/installations/<id>`}</Code>. To request only some of the installation’s scopes,
            set <Code>scope</Code>. By default, the token gets all of them.
          </li>
          <li>
            The token begins with <Code>lk_ins_</Code> and is valid for one hour. There is no refresh token:
            request a new access token. You can introspect and revoke it. <Code>/oauth/me</Code> and the query{' '}
            <Code>me</Code> return an error because there is no user.
          </li>
          <li>
            Without <Code>resource</Code>, the token acts for the app itself and can’t access any workspace.
            Use it to list your <TextAnchor href="/docs/reference#appInstallations">installations</TextAnchor>
            .
          </li>
          <li>
            Your app’s own <TextAnchor href="/docs/your-app#webhooks">webhooks</TextAnchor> notify you of new
            and removed installations.
          </li>
          <li>
            <Code>invalid_target</Code> means that the installation was removed or suspended, or that the
            workspace doesn’t allow your app. For an app that can’t be installed, the error is{' '}
            <Code>unsupported_grant_type</Code>.
          </li>
        </Bullets>
        <CodeBlock
          title="List the workspaces that installed the app"
          code={listInstallationsSnippet(baseUrl)}
        />
        <CodeBlock title="job.mjs" code={installationJobSnippet(`${baseUrl}/oauth`, baseUrl)} />
      </DocsSection>
    </DocsArticle>
  )
}
