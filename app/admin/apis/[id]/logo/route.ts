import { routeFor } from '@/lib/base/http/route-for'
import { answerPictureForm } from '@/lib/edges/web/forms/answer-picture-form'
import { removeApiLogo, setApiLogo } from '@/lib/features/resources/change-apis'

type Context = { params: Promise<{ id: string }> }

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor(
  'POST',
  async (request: Request, { params }: Context) => {
    const { id } = await params
    return answerPictureForm(request, `/admin/apis/${encodeURIComponent(id)}`, {
      at: 'logo',
      set: (actor, file) => setApiLogo(actor, id, file),
      remove: async (actor) => {
        await removeApiLogo(actor, id)
      },
    })
  },
)
