import type { Operations, ReferenceEntry } from './describe-schema'

/** The operations about one noun, which share a page of the reference. */
export type Noun = { slug: string; title: string } & Operations

/** By the beginnings of their names; the first that fits. What fits none, such as a noun of a team's own, is in the last. */
const nouns: [slug: string, title: string, pattern: RegExp][] = [
  [
    'account',
    'Account',
    /^(me$|user|session|signIn|secondFactor|twoFactor|passkey|authenticatorApp|recoveryCodes|sshPublicKey|authorizedApp|managedApp)/,
  ],
  ['tokens', 'Tokens', /^(apiToken|currentToken|(ownP|p)rojectToken|workspaceToken)/],
  ['projects', 'Projects', /^(project|deletedProject)/],
  ['environments', 'Environments and variables', /^(environment|variable)/],
  ['apps-in-workspaces', 'Apps in a workspace', /^workspace(App|ManagedApp|IdentityProvider)/],
  ['workspaces', 'Workspaces', /^(workspace|externalWorkspace)/],
  ['oauth-apps', 'OAuth apps', /^oauthApp/],
  ['webhooks', 'Webhooks', /^webhook/],
  ['notifications', 'Notifications', /^notification/],
  ['audit-log', 'Audit log', /^audit(Log|Stream)/],
  ['more', 'More', /^/],
]

/** The operations by noun, each once; nouns without any are left out. */
export function byNoun({ queries, mutations, subscriptions }: Operations): Noun[] {
  const slugOf = ({ name }: ReferenceEntry) => nouns.find(([, , pattern]) => pattern.test(name))?.[0]
  return nouns
    .map(([slug, title]) => ({
      slug,
      title,
      queries: queries.filter((entry) => slugOf(entry) === slug),
      mutations: mutations.filter((entry) => slugOf(entry) === slug),
      subscriptions: subscriptions.filter((entry) => slugOf(entry) === slug),
    }))
    .filter((noun) => noun.queries.length + noun.mutations.length + noun.subscriptions.length > 0)
}
