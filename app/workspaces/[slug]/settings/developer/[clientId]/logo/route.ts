import { routeFor } from '@/lib/base/http/route-for'
import { answerPictureForm } from '@/lib/edges/web/forms/answer-picture-form'
import { removeLogo, setLogo } from '@/lib/features/apps/change-logo'

type Context = { params: Promise<{ slug: string; clientId: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'POST',
  async (request: Request, { params }: Context) => {
    const { slug, clientId } = await params
    const page = `/workspaces/${encodeURIComponent(slug)}/settings/developer/${encodeURIComponent(clientId)}`
    const theme = new URL(request.url).searchParams.get('theme') === 'dark' ? 'dark' : 'light'
    return answerPictureForm(request, page, {
      at: `${theme}-logo`,
      set: (actor, file) => setLogo(actor, clientId, theme, file),
      remove: (actor) => removeLogo(actor, clientId, theme),
    })
  },
)
