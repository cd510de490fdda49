import { answerSignUpForm } from '@/lib/web/answer-credentials-form'

export const POST = answerSignUpForm
