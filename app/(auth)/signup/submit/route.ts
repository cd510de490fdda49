import { answerSignUpForm } from '@/lib/web/answer-credentials-form'
import { only } from '@/lib/web/only'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerSignUpForm)
