import { answerSignOut } from '@/lib/web/answer-sign-out'
import { only } from '@/lib/web/only'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerSignOut)
