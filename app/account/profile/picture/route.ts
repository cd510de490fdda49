import { routeFor } from '@/lib/base/http/route-for'
import { answerPictureForm } from '@/lib/edges/web/forms/answer-picture-form'
import { removeAvatar, setAvatar } from '@/lib/features/identity/users/profile'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeFor('POST', (request: Request) =>
  answerPictureForm(request, '/account/profile', { at: 'picture', set: setAvatar, remove: removeAvatar }),
)
