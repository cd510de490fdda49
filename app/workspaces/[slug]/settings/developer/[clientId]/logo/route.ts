import { removeLogo, setLogo } from '@/lib/oauth-apps/change-logo'
import { answerPictureForm } from '@/lib/web/answer-picture-form'
import { only } from '@/lib/web/only'

type Context = { params: Promise<{ slug: string; clientId: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only(
  'POST',
  async (request: Request, { params }: Context) => {
    const { slug, clientId } = await params
    const page = `/workspaces/${encodeURIComponent(slug)}/settings/developer/${encodeURIComponent(clientId)}`
    return answerPictureForm(request, page, {
      set: (actor, file) => setLogo(actor, clientId, file),
      remove: (actor) => removeLogo(actor, clientId),
    })
  },
)
