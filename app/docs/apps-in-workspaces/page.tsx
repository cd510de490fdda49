import type { Metadata } from 'next'
import { Bullets, Code, DocsArticle, DocsSection, MenuPath, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Apps in a workspace' }

export default function AppsInWorkspacesPage() {
  return (
    <DocsArticle
      title="Apps in a workspace"
      lead="For admins: control which OAuth apps can access a workspace, and limit what they can do."
    >
      <DocsSection id="policy" title="The policy">
        <P>
          Under <MenuPath>Settings &gt; Apps</MenuPath>, choose one of three policies. The policy applies to
          the workspace and its projects.
        </P>
        <Bullets>
          <li>
            Any app: members can authorize any app. An app never gets more access than the user’s own role
            allows.
          </li>
          <li>
            Approved apps only: an admin must approve each app of another workspace and each self-registered
            app, and can limit its access. The workspace’s own apps need no approval.
          </li>
          <li>Only this workspace’s apps: no other app has access.</li>
        </Bullets>
        <P>
          Before you change the policy, the page shows which apps would lose access and who uses them. After
          the change, an excluded app’s next request is rejected. If you allow the app again later, users’
          earlier authorizations work again.
        </P>
      </DocsSection>
      <DocsSection id="approve" title="Approve, block, revoke">
        <Bullets>
          <li>
            An approval limits the app’s workspace and project scopes, and can limit the app to selected
            projects. It can have an expiry date. An approval applies only while the policy requires approval.
          </li>
          <li>A blocked app has no access under any policy. You can also block the workspace’s own apps.</li>
          <li>
            Revoking all access removes the app’s access to this workspace for every user. Users can authorize
            it again if the policy allows it.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="who" title="Who runs an app">
        <Bullets>
          <li>Workspace: the workspace that runs the app. Anyone can create a workspace with any name.</li>
          <li>
            Verified domain: the app’s owner controlled that domain when we last checked. We don’t check what
            the app does.
          </li>
          <li>Verified: an instance admin reviewed the app and knows who runs it.</li>
        </Bullets>
        <P>
          If another workspace wants to transfer an app to yours, the request is listed under{' '}
          <MenuPath>Settings &gt; Developer</MenuPath>. Review the app’s redirect URIs and users before you
          accept, because your workspace becomes responsible for the app. Then finish the transfer under
          Credentials within 7 days: confirm its redirect URIs and replace its credentials. Until you finish
          the transfer, the app doesn’t count as one of your workspace’s own apps. If you don’t finish the
          transfer in time, the app is disabled.
        </P>
      </DocsSection>
      <DocsSection id="installed" title="Installed apps">
        <P>
          <MenuPath>Settings &gt; Apps</MenuPath> lists every app that a member authorized. For each app, the
          list shows the owner, the access, the users who authorized it, the last use, and the number of
          successful requests in the last 30 days.
        </P>
      </DocsSection>
      <DocsSection id="requests" title="Requests">
        <P>
          On the consent and device pages, users can’t select a workspace that doesn’t allow the app. Members
          can request access for the app and give a reason. Admins get a notification, an email, and the
          webhook event <Code>app.requested</Code>. The member is notified of the decision. If the policy
          changes to Any app, the open requests for all apps that aren’t blocked are approved.
        </P>
      </DocsSection>
      <DocsSection id="required-approvals" title="Required approvals">
        <P>
          Under <MenuPath>Settings &gt; Apps</MenuPath>, an admin chooses sensitive actions: inviting people,
          changing roles, deleting or transferring a project, reading or setting variables, creating webhooks
          and secrets, and more. Before an app or agent performs one of these actions, the user must approve
          the action on an approval page. The page shows the operation, its arguments, and facts about the
          resource: its ID, age, contents, and recent renames.
        </P>
        <P>
          An approval can be used once. It applies only to the user, the app, and the exact operation and
          arguments that were approved. Users can also allow the app to read an environment’s values for one
          hour. To approve a request, users must have signed in within the last 15 minutes. A denial blocks
          the same action on the same resource for ten minutes. The audit log records requests and decisions.
          These requirements don’t apply to API tokens and installed apps.
        </P>
        <P>
          Apps can invite people but never receive the invitation link, which is sent only to the invited
          email address.
        </P>
      </DocsSection>
      <DocsSection id="developers" title="For app developers">
        <P>
          If the workspace’s app policy or approval doesn’t allow a request, the API returns{' '}
          <Code>APP_NOT_APPROVED</Code> with a <Code>reason</Code>. See{' '}
          <TextAnchor href="/docs/errors">errors</TextAnchor>. The token still works for everything else that
          the user selected. Lists omit resources that the app can’t access. If an operation requires
          approval, the API returns <Code>APPROVAL_REQUIRED</Code> with an <Code>approvalUrl</Code>. Show this
          URL to the user. After the user approves, send exactly the same request again. After a denial, the
          API returns <Code>FORBIDDEN</Code> with the reason <Code>denied</Code> and <Code>retryAfter</Code>.
        </P>
      </DocsSection>
      <DocsSection id="installations" title="Installations">
        <P>
          An admin can also install an app. An installed app acts for the workspace rather than for a user.
          Admins can suspend or uninstall it at any time. See{' '}
          <TextAnchor href="/docs/installations">installations</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="tokens" title="Tokens are not apps">
        <P>
          API tokens act for the member who created them. The app policy doesn’t apply to them.{' '}
          <MenuPath>Settings &gt; Apps</MenuPath> lists the tokens with access to the workspace and the number
          of members’ account tokens. <MenuPath>Settings &gt; Tokens</MenuPath> lists the workspace’s tokens.
          Admins can also do all of this through the <TextAnchor href="/docs/graphql">GraphQL API</TextAnchor>
          , with an API token or in the explorer. Apps can’t manage apps.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
