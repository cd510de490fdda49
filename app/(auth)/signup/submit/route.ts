import { only } from '@/lib/base/http/only'
import { answerSignUpForm } from '@/lib/edges/web/sign-in/answer-credentials-form'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerSignUpForm)
