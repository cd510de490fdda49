import { type AttemptLimit, countAttempt } from '@/lib/base/db/attempt-limit'
import type { Actor } from '@/lib/policy/actor'
import { personOf } from '@/lib/policy/authorize'

const uploads: AttemptLimit = {
  name: 'picture-uploads',
  points: 30,
  seconds: 3600,
  message: 'You have sent many pictures within an hour. Wait a while, then try again.',
}

/** Counts an upload before it is looked at: drawing a picture costs more than anything else a form asks for. */
export const countUpload = (actor: Actor): Promise<void> => countAttempt(uploads, personOf(actor))
