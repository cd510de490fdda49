import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { goSnippet, pythonSnippet } from '@/lib/features/docs/snippets/languages'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Python and Go' }

export default function PythonAndGoPage() {
  const values = readSnippetValues()
  return (
    <DocsArticle
      title="Python and Go"
      lead="Complete web apps that sign users in. Register the app as described in Web apps, then fill in its client ID."
    >
      <DocsSection id="python" title="Python with Flask and Authlib">
        <P>
          Save the following code as <Code>app.py</Code>, then run{' '}
          <Code>pip install authlib flask requests</Code> and <Code>CLIENT_SECRET=… python app.py</Code>.
        </P>
        <CodeBlock title="app.py" code={pythonSnippet(values)} />
        <P className="text-muted">Last verified manually with Python 3.11, Authlib 1.9.9, and Flask 3.1.3.</P>
      </DocsSection>
      <DocsSection id="go" title="Go with go-oidc">
        <P>
          Save the following code as <Code>main.go</Code> in an empty folder, then run{' '}
          <Code>go mod init app</Code>, <Code>go mod tidy</Code>, and <Code>CLIENT_SECRET=… go run .</Code>
        </P>
        <CodeBlock title="main.go" code={goSnippet(values)} />
        <P className="text-muted">
          Last verified manually with Go 1.26, go-oidc 3.21.0, and x/oauth2 0.37.0. If your app uses https,
          set <Code>Secure</Code> on the cookies.
        </P>
      </DocsSection>
      <DocsSection id="next" title="Next steps">
        <P>
          To get a refresh token, send <Code>offline_access</Code> and <Code>prompt=consent</Code>. For notes
          that apply to all web apps, see <TextAnchor href="/docs/web-apps#good-to-know">Web apps</TextAnchor>
          . For all URLs, see <TextAnchor href="/docs/endpoints">Endpoints</TextAnchor>.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
