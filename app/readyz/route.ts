import { ready } from '@/lib/web/health'

export const dynamic = 'force-dynamic'

export const GET = () => ready()
