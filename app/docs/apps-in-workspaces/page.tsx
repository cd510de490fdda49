import type { Metadata } from 'next'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Apps in a workspace' }

export default function AppsInWorkspacesPage() {
  return (
    <DocsArticle
      title="Apps in a workspace"
      lead="For admins: which OAuth apps come into a workspace, and how far."
    >
      <DocsSection id="policy" title="The policy">
        <P>Settings, Apps has one of three policies. It holds for the workspace and the projects in it.</P>
        <Bullets>
          <li>Everyone’s apps: each member decides, as far as their own role goes.</li>
          <li>
            Apps approved here: apps of others come in once an admin has approved them, and no further than
            approved. Apps of the workspace itself need no approval.
          </li>
          <li>Own apps only: apps made in this workspace, and no others.</li>
        </Bullets>
        <P>
          Before a policy changes you see which apps would lose access, and who let them in. What it excludes
          is refused at its next request. What people allowed stays, and counts again once the app is let in.
        </P>
      </DocsSection>
      <DocsSection id="approve" title="Approve, block, revoke">
        <Bullets>
          <li>
            An approval says the most an app may do: workspace and project scopes, on the whole workspace or
            on some projects, until a day or without end. It counts while the policy asks for approval.
          </li>
          <li>A blocked app stays outside whatever the policy is, the workspace’s own apps included.</li>
          <li>
            Revoking for everybody takes the workspace and its projects out of what people selected for the
            app. They may let it in anew, as far as the policy allows.
          </li>
        </Bullets>
      </DocsSection>
      <DocsSection id="who" title="Who runs an app">
        <Bullets>
          <li>
            The workspace that runs it, in the words its admins chose. Anybody can make a workspace and call
            it as they like.
          </li>
          <li>
            Verified domain: whoever runs the app controls that domain, as far as was seen in the last days.
            It says nothing about what the app does.
          </li>
          <li>Verified: the instance admin of this service looked at the app and knows who runs it.</li>
        </Bullets>
        <P>
          An app that another workspace offers to yours stands under Settings, Developer. Look at its redirect
          URIs and its people before you accept: your workspace answers for it from then on. Then finish the
          transfer under Credentials within 7 days: confirm its redirect URIs and replace its credentials.
          Until then it is not one of your own apps, and after 7 days it is switched off.
        </P>
      </DocsSection>
      <DocsSection id="installed" title="Installed apps">
        <P>
          Every app that a member let in, with who runs it, what it may do and on what, who let it in, when it
          was last used, and how many of its requests in the last 30 days were allowed something here.
        </P>
      </DocsSection>
      <DocsSection id="requests" title="Requests">
        <P>
          On the consent page, and where a device is connected, a workspace that does not let the app in
          cannot be selected. Members ask with a reason; admins are told by notification and mail, and by the
          webhook event <Code>app.requested</Code>. Whoever asked is told what was decided.
        </P>
      </DocsSection>
      <DocsSection id="required-approvals" title="Required approvals">
        <P>
          Under Settings, Apps, an admin chooses sensitive actions: inviting people, changing roles, deleting
          or transferring a project, reading or setting variables, creating webhooks and secrets, and more.
          Before an app or agent performs one, the user it acts for must approve it on a page here. The page
          shows the operation, its arguments, and what the server knows of the resource: its ID, age,
          contents, and recent renames.
        </P>
        <P>
          An approval counts once, for this user, this app, and exactly this operation with these arguments.
          Reading the values of an environment can also be approved for an hour. Approving requires a sign-in
          of the last 15 minutes. A denial blocks the same action on the same resource for ten minutes. The
          audit log records requests and decisions. API tokens and installed apps need no approval.
        </P>
        <P>
          Apps can invite people, but never receive the invitation link: it goes to the email address only.
        </P>
      </DocsSection>
      <DocsSection id="developers" title="For developers of apps">
        <P>
          A request that the workspace does not allow is answered <Code>APP_NOT_APPROVED</Code>, with a{' '}
          <Code>reason</Code>; see <TextAnchor href="/docs/errors">errors</TextAnchor>. The token stays valid
          for everything else that the person selected. Lists leave out what is closed. An operation that
          requires approval is answered <Code>APPROVAL_REQUIRED</Code> with an <Code>approvalUrl</Code>. Show
          it to the user, then send exactly the same request again. A denial is answered{' '}
          <Code>FORBIDDEN</Code> with the reason <Code>denied</Code> and <Code>retryAfter</Code>.
        </P>
      </DocsSection>
      <DocsSection id="installations" title="Installations">
        <P>
          An admin can also install an app, so that it acts for the workspace by itself, have it stand still
          for a while, and uninstall it: <TextAnchor href="/docs/installations">installations</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="tokens" title="Tokens are not apps">
        <P>
          API tokens act for the member who made them and are not concerned. Settings, Apps shows those that
          reach into the workspace below the apps, and Settings, Tokens all of them; of members’ account
          tokens it says how many there are. Everything here is in the{' '}
          <TextAnchor href="/docs/graphql">GraphQL API</TextAnchor> too, for sessions and tokens of admins: no
          app decides about apps.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
