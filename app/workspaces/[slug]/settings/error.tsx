'use client'
export { ConsoleError as default } from '@/components/frame/page-error'
