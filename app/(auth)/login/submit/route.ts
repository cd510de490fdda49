import { answerSignInForm } from '@/lib/web/answer-credentials-form'

export const POST = answerSignInForm
