import { answerPalette } from '@/lib/web/answer-palette'

export const GET = answerPalette
