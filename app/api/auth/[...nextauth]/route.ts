import { answerNextAuth } from '@/lib/web/answer-next-auth'

export const GET = answerNextAuth
export const POST = answerNextAuth
