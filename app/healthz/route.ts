import { alive } from '@/lib/web/health'

export const dynamic = 'force-dynamic'

export const GET = () => alive()
