import type { Metadata } from 'next'
import { Bullets, Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/text-anchor'

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
          <li>Verified: the operator of this service looked at the app and knows who runs it.</li>
        </Bullets>
        <P>
          An app that another workspace offers to yours stands under Settings, Developer. Look at its redirect
          URIs and its people before you accept: your workspace answers for it from then on. Exchange its
          secrets afterwards, since its former admins may have them.
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
      <DocsSection id="ask-first" title="Ask first">
        <P>
          Some things an app or agent should not do without a word: delete a project, read the values of
          variables, rotate a secret. Mark them under Settings, Apps. An app that is about to do one waits
          until the person it acts for has approved it on a page here: once, for an hour, or not at all. They
          find the question among their notifications, and an agent shows them its address. The audit log has
          question and answer. To approve takes a fresh sign-in, for which a passkey is enough.
        </P>
      </DocsSection>
      <DocsSection id="developers" title="For developers of apps">
        <P>
          A request that the workspace does not allow is answered <Code>APP_NOT_APPROVED</Code>, with a{' '}
          <Code>reason</Code>; see <TextAnchor href="/docs/errors">errors</TextAnchor>. The token stays valid
          for everything else that the person selected. Lists leave out what is closed. What is marked to be
          asked first is answered <Code>APPROVAL_REQUIRED</Code> with an <Code>approvalUrl</Code>: show it to
          the person and send the same request again.
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
