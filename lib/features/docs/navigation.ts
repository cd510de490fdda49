export type DocsPage = { title: string; href: string; summary: string }

/** The pages of the documentation, in the order of the rail. See ADR 0004. */
export const docsNavigation: { title: string; pages: DocsPage[] }[] = [
  {
    title: 'Start',
    pages: [{ title: 'Overview', href: '/docs', summary: 'What there is and where to begin.' }],
  },
  {
    title: 'Quickstarts',
    pages: [
      {
        title: 'Web apps',
        href: '/docs/web-apps',
        summary: 'A server that signs people in and keeps a secret.',
      },
      {
        title: 'Python and Go',
        href: '/docs/python-and-go',
        summary: 'A web app with Flask and Authlib, or with go-oidc.',
      },
      {
        title: 'Next.js, PHP and Rust',
        href: '/docs/next-php-and-rust',
        summary: 'The library that people use there, and what to tell it.',
      },
      { title: 'Native apps', href: '/docs/native-apps', summary: 'Mobile, desktop and browser-only apps.' },
      { title: 'Command line', href: '/docs/command-line', summary: 'Tools and devices without a browser.' },
      {
        title: 'Agents',
        href: '/docs/agents',
        summary: 'Programs that start from one address, over the Model Context Protocol or without.',
      },
    ],
  },
  {
    title: 'Concepts',
    pages: [
      { title: 'Scopes', href: '/docs/scopes', summary: 'What an app may ask for, and what it then may do.' },
      { title: 'Tokens', href: '/docs/tokens', summary: 'Kinds, lifetimes, refreshing and ending them.' },
      {
        title: 'Your app',
        href: '/docs/your-app',
        summary: 'For developers: its scopes, stage, domain, webhooks, and its end.',
      },
      {
        title: 'Verifying tokens',
        href: '/docs/verify-tokens',
        summary: 'What to check yourself, and what to ask.',
      },
      {
        title: 'Apps in a workspace',
        href: '/docs/apps-in-workspaces',
        summary: 'For admins: which apps come in, and how far.',
      },
      {
        title: 'Installations',
        href: '/docs/installations',
        summary: 'Apps that act for a workspace by themselves.',
      },
      {
        title: 'Single sign-on',
        href: '/docs/sso',
        summary: 'Sign-in through your identity provider, and the agents and apps it sends.',
      },
      {
        title: 'Security options',
        href: '/docs/security',
        summary: 'Hearing of sign-outs, keys instead of secrets, high security.',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { title: 'GraphQL', href: '/docs/graphql', summary: 'How to ask, and every type.' },
      {
        title: 'Operations',
        href: '/docs/reference',
        summary: 'Every query, mutation and subscription, with examples.',
      },
      { title: 'Endpoints', href: '/docs/endpoints', summary: 'Every address an app calls.' },
      { title: 'Webhooks', href: '/docs/webhooks', summary: 'Be told what happens in a workspace.' },
      { title: 'Audit log', href: '/docs/audit-log', summary: 'Read, export or stream what happened.' },
      { title: 'Errors', href: '/docs/errors', summary: 'Each error with its cause and what to do.' },
      { title: 'Limits', href: '/docs/limits', summary: 'How much, how often, how large.' },
      { title: 'Versions', href: '/docs/versions', summary: 'What never changes, and what may be added.' },
      { title: 'Login button', href: '/brand', summary: 'Images for your page, with HTML to copy.' },
    ],
  },
]
