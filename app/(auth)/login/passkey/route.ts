import { only } from '@/lib/base/http/only'
import { answerPasskeySignIn } from '@/lib/edges/web/sign-in/answer-second-step'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerPasskeySignIn)
