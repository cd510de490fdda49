import { ready } from '@/lib/web/health'
import { only } from '@/lib/web/only'

export const dynamic = 'force-dynamic'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('GET', () => ready())
