export type DocsPage = { title: string; href: string; summary: string }

/** The documentation pages in the order of the navigation. See ADR 0001. */
export const docsNavigation: { title: string; pages: DocsPage[] }[] = [
  {
    title: 'Start',
    pages: [{ title: 'Overview', href: '/docs', summary: 'What Latchkey offers and where to start.' }],
  },
  {
    title: 'Quickstarts',
    pages: [
      {
        title: 'Web apps',
        href: '/docs/web-apps',
        summary: 'Sign users in with a server that has a client secret.',
      },
      {
        title: 'Python and Go',
        href: '/docs/python-and-go',
        summary: 'A web app with Flask and Authlib, or with go-oidc.',
      },
      {
        title: 'Next.js, PHP, and Rust',
        href: '/docs/next-php-and-rust',
        summary: 'Common libraries and their configuration.',
      },
      { title: 'Native apps', href: '/docs/native-apps', summary: 'Mobile, desktop, and single-page apps.' },
      {
        title: 'Command line',
        href: '/docs/command-line',
        summary: 'Command-line tools and devices without a browser.',
      },
      {
        title: 'Agents',
        href: '/docs/agents',
        summary: 'Connect agents with one URL, over the Model Context Protocol or directly.',
      },
    ],
  },
  {
    title: 'Concepts',
    pages: [
      { title: 'Scopes', href: '/docs/scopes', summary: 'The access that apps can request.' },
      { title: 'Tokens', href: '/docs/tokens', summary: 'Token types, lifetimes, refresh, and revocation.' },
      {
        title: 'Your app',
        href: '/docs/your-app',
        summary: 'For developers: scopes, development, domain, webhooks, and deletion.',
      },
      {
        title: 'Verify tokens',
        href: '/docs/verify-tokens',
        summary: 'How to verify ID tokens and check access tokens.',
      },
      {
        title: 'Apps in a workspace',
        href: '/docs/apps-in-workspaces',
        summary: 'For workspace admins: control which apps have access.',
      },
      {
        title: 'Installations',
        href: '/docs/installations',
        summary: 'Apps that act for a workspace rather than a user.',
      },
      {
        title: 'Single sign-on',
        href: '/docs/sso',
        summary: 'Sign-in through your identity provider, and SSO-managed agents and apps.',
      },
      {
        title: 'Security options',
        href: '/docs/security',
        summary: 'Back-channel logout, keys instead of secrets, high security.',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { title: 'GraphQL', href: '/docs/graphql', summary: 'How to send requests, and all types.' },
      {
        title: 'Operations',
        href: '/docs/reference',
        summary: 'Every query, mutation, and subscription, with examples.',
      },
      { title: 'Endpoints', href: '/docs/endpoints', summary: 'All URLs that apps use.' },
      { title: 'Webhooks', href: '/docs/webhooks', summary: 'Receive HTTP requests when events occur.' },
      { title: 'Audit log', href: '/docs/audit-log', summary: 'Read, export, or stream events.' },
      { title: 'Errors', href: '/docs/errors', summary: 'Each error, its cause, and its fix.' },
      { title: 'Limits', href: '/docs/limits', summary: 'Rate and size limits.' },
      { title: 'Versions', href: '/docs/versions', summary: 'What never changes, and what can be added.' },
      { title: 'Sign-in button', href: '/brand', summary: 'Images for your page and the HTML to copy.' },
    ],
  },
]
