import { answerPalette } from '@/lib/web/answer-palette'
import { only } from '@/lib/web/only'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('GET', answerPalette)
