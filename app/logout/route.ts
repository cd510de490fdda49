import { only } from '@/lib/base/http/only'
import { answerSignOut } from '@/lib/edges/web/sign-in/answer-sign-out'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerSignOut)
