import type { ReactElement } from 'react'
import Brand from '@/app/brand/page'
import type { Api } from '@/lib/features/resources/apis'
import Agents from './agents/page'
import AppsInWorkspaces from './apps-in-workspaces/page'
import AuditLog from './audit-log/page'
import CommandLine from './command-line/page'
import Endpoints from './endpoints/page'
import Errors from './errors/page'
import GraphQL from './graphql/page'
import Installations from './installations/page'
import Limits from './limits/page'
import NativeApps from './native-apps/page'
import NextPhpAndRust from './next-php-and-rust/page'
import Overview from './page'
import PythonAndGo from './python-and-go/page'
import Reference from './reference/page'
import Scopes from './scopes/page'
import Security from './security/page'
import Sso from './sso/page'
import Tokens from './tokens/page'
import VerifyTokens from './verify-tokens/page'
import Versions from './versions/page'
import WebApps from './web-apps/page'
import Webhooks from './webhooks/page'
import YourApp from './your-app/page'

/**
 * The data of the instance that a docs page shows: the registered APIs. The search index and the Markdown
 * version do not include it.
 */
export type DocsProps = { apis?: readonly Api[] }

/** The component of each docs page, by its path. */
export const docsPages: Record<string, (props: DocsProps) => ReactElement> = {
  '/docs': Overview,
  '/docs/web-apps': WebApps,
  '/docs/python-and-go': PythonAndGo,
  '/docs/next-php-and-rust': NextPhpAndRust,
  '/docs/native-apps': NativeApps,
  '/docs/command-line': CommandLine,
  '/docs/agents': Agents,
  '/docs/scopes': Scopes,
  '/docs/tokens': Tokens,
  '/docs/your-app': YourApp,
  '/docs/verify-tokens': VerifyTokens,
  '/docs/apps-in-workspaces': AppsInWorkspaces,
  '/docs/installations': Installations,
  '/docs/sso': Sso,
  '/docs/security': Security,
  '/docs/graphql': GraphQL,
  '/docs/reference': Reference,
  '/docs/endpoints': Endpoints,
  '/docs/webhooks': Webhooks,
  '/docs/audit-log': AuditLog,
  '/docs/errors': Errors,
  '/docs/limits': Limits,
  '/docs/versions': Versions,
  '/brand': Brand,
}
