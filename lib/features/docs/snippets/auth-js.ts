import { jsString } from './quote'
import type { SnippetValues } from './values'

/** A Next.js app with Auth.js 5, which is not among the packages of the tests. No test runs it; the page says with what it was run by hand. */
export const authJsSnippet = ({
  baseUrl,
  clientId,
}: SnippetValues): string => `import NextAuth from 'next-auth'

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oidc', // reads the addresses and keys from the issuer
      issuer: ${jsString(`${baseUrl}/oauth`)},
      clientId: ${jsString(clientId)},
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: 'openid email profile' } },
      checks: ['pkce', 'state'],
    },
  ],
})
`

/** Its route. */
export const authJsRouteSnippet = (): string => `import { handlers } from '@/auth'

export const { GET, POST } = handlers
`

/** A page of it. */
export const authJsPageSnippet = (): string => `import { auth, signIn, signOut } from '@/auth'

export default async function Page() {
  const session = await auth()
  const act = async () => {
    'use server'
    await (session ? signOut() : signIn('latchkey'))
  }
  return (
    <form action={act}>
      <p>{session ? \`Hello, \${session.user?.name}\` : 'Nobody is signed in'}</p>
      <button>{session ? 'Sign out' : 'Sign in'}</button>
    </form>
  )
}
`
