import { answerOpenApi } from '@/lib/openapi/answer-openapi'

export const dynamic = 'force-dynamic'

export const GET = () => answerOpenApi()
