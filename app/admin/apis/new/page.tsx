import type { Metadata } from 'next'
import { NewApiForm } from '@/components/apis/api-form'
import { openInstanceAdmin } from '../../open-instance-admin'
import { registerApiAction } from '../actions'

export const metadata: Metadata = { title: 'Register API' }

export default async function NewApiPage() {
  await openInstanceAdmin('/admin/apis/new')
  return <NewApiForm action={registerApiAction} />
}
