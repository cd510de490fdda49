import { only } from '@/lib/base/http/only'
import { answerVerifyEmail } from '@/lib/edges/web/sign-in/answer-mailed-link'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerVerifyEmail)
