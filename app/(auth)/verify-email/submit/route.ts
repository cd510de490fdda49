import { answerVerifyEmail } from '@/lib/web/answer-mailed-link'
import { only } from '@/lib/web/only'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerVerifyEmail)
