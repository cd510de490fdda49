import { messagePage, seeOther, toUserError, unavailablePage } from '@/lib/base/http/answers'
import { readOwnForm } from '@/lib/base/http/body'
import { routeFor } from '@/lib/base/http/route-for'
import { signInPath } from '@/lib/base/http/safe-next'
import { sayIn } from '@/lib/base/language/say'
import { testSignInCookie } from '@/lib/edges/oauth/interaction/test-sign-in'
import { startTestSignIn } from '@/lib/edges/oauth/try-sign-in/try-sign-in'
import { currentSession } from '@/lib/edges/web/current-session'

type Context = { params: Promise<{ slug: string; clientId: string }> }

/**
 * Starts a test sign-in from a plain form, which works without JavaScript, and redirects to the consent page.
 * If the app's request is rejected, redirects to the page that shows the result.
 */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'POST',
  async (request: Request, { params }: Context) => {
    const form = await readOwnForm(request)
    if (form instanceof Response) return form
    const { slug, clientId } = await params
    const page = `/workspaces/${encodeURIComponent(slug)}/settings/developer/${encodeURIComponent(clientId)}/overview`
    const session = await currentSession()
    if (!session) return seeOther(signInPath(page))
    try {
      const started = await startTestSignIn(session.actor, clientId, form.scope ?? '', `${page}?tried=1`)
      return seeOther(started.to, [testSignInCookie(started.sealed)])
    } catch (thrown) {
      const refusal = toUserError(thrown)
      const { code, message } = refusal
      if (code === 'SERVICE_UNAVAILABLE') return unavailablePage(request, refusal, page)
      const hidden = code === 'NOT_FOUND' || code === 'FORBIDDEN'
      return messagePage({
        // The error page is in English, like the console.
        say: sayIn('en'),
        status: hidden ? 404 : 409,
        title: hidden ? 'Page not found' : 'Test sign-in not started',
        text: message,
        link: hidden
          ? { href: '/', label: 'Go to the start page' }
          : { href: page, label: 'Back to the app' },
      })
    }
  },
)
