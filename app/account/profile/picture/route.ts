import { removeAvatar, setAvatar } from '@/lib/people/change-avatar'
import { answerPictureForm } from '@/lib/web/answer-picture-form'

export const POST = (request: Request) =>
  answerPictureForm(request, '/account/profile', { set: setAvatar, remove: removeAvatar })
