import type { Metadata } from 'next'
import { CodeBlock } from '@/components/docs/code-block'
import { Code, DocsArticle, DocsSection, P } from '@/components/docs/prose'
import { TextAnchor } from '@/components/ui/button'
import { phpSnippet, rustSnippet } from '@/lib/features/docs/snippets/languages'
import { authJsPageSnippet, authJsRouteSnippet, authJsSnippet } from '@/lib/features/docs/snippets/web-app'
import { readSnippetValues } from '../snippet-values'

export const metadata: Metadata = { title: 'Next.js, PHP, and Rust' }

export default function NextPhpAndRustPage() {
  const values = readSnippetValues()
  return (
    <DocsArticle
      title="Next.js, PHP, and Rust"
      lead="Sign-in with common libraries. Register the app as described in Web apps, then fill in its client ID."
    >
      <DocsSection id="next-js" title="Next.js with Auth.js 5">
        <P>
          Run <Code>npm install next-auth@5.0.0-beta.32</Code>, and set <Code>AUTH_SECRET</Code> and{' '}
          <Code>CLIENT_SECRET</Code>. The redirect URI is <Code>/api/auth/callback/latchkey</Code> at your
          app’s URL.
        </P>
        <CodeBlock title="auth.ts" code={authJsSnippet(values)} />
        <CodeBlock title="app/api/auth/[...nextauth]/route.ts" code={authJsRouteSnippet()} />
        <CodeBlock title="app/page.tsx" code={authJsPageSnippet()} />
        <P className="text-muted">
          Last verified manually on 23 November 2026 with Next.js 16.4.5, next-auth 5.0.0-beta.32 and Node 20.
          For next-auth 4, use the tested provider under{' '}
          <TextAnchor href="/docs/web-apps#next-auth">Web apps</TextAnchor>.
        </P>
      </DocsSection>
      <DocsSection id="php" title="PHP with OpenID-Connect-PHP">
        <P>
          Save the following code as <Code>index.php</Code>, then run{' '}
          <Code>composer require jumbojett/openid-connect-php</Code> and{' '}
          <Code>CLIENT_SECRET=… php -S localhost:4000 index.php</Code>.
        </P>
        <CodeBlock title="index.php" code={phpSnippet(values)} />
        <P className="text-muted">
          Last verified manually on 23 November 2026 with PHP 8.2 and OpenID-Connect-PHP 1.0.2.
        </P>
      </DocsSection>
      <DocsSection id="rust" title="Rust with openidconnect">
        <P>
          Run <Code>cargo add openidconnect --features reqwest-blocking</Code>, then{' '}
          <Code>CLIENT_SECRET=… cargo run</Code>.
        </P>
        <CodeBlock title="src/main.rs" code={rustSnippet(values)} />
        <P className="text-muted">
          Last verified manually on 23 November 2026 with Rust 1.95 and openidconnect 4.1.0.
        </P>
      </DocsSection>
    </DocsArticle>
  )
}
