import { removeAvatar, setAvatar } from '@/lib/people/change-avatar'
import { answerPictureForm } from '@/lib/web/answer-picture-form'
import { only } from '@/lib/web/only'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', (request: Request) =>
  answerPictureForm(request, '/account/profile', { set: setAvatar, remove: removeAvatar }),
)
