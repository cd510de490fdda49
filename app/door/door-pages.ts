import { forgotPassword } from '@/app/(auth)/forgot-password/door'
import { companySignIn } from '@/app/(auth)/login/company/door'
import { connect } from '@/app/(auth)/login/connect/door'
import { login } from '@/app/(auth)/login/door'
import { secondStep } from '@/app/(auth)/login/verify/door'
import { resetPassword } from '@/app/(auth)/reset-password/door'
import { signup } from '@/app/(auth)/signup/door'
import { verifyEmail } from '@/app/(auth)/verify-email/door'
import { confirmDevice } from '@/app/device/confirm/door'
import { device } from '@/app/device/door'
import { docsDoors } from '@/app/docs/docs-doors'
import { interaction } from '@/app/interaction/[uid]/door'
import { byAddress } from './by-address'
import type { DoorPage } from './door-page'

/** The pages at the door, and those of the docs, by their addresses, as their folders below app/ are called. */
export const doorPages: Record<string, DoorPage> = {
  '/login': login,
  '/interaction/[uid]': interaction,
  '/login/company': companySignIn,
  '/login/verify': secondStep,
  '/login/connect': connect,
  '/signup': signup,
  '/device': device,
  '/device/confirm': confirmDevice,
  '/forgot-password': forgotPassword,
  '/reset-password': resetPassword,
  '/verify-email': verifyEmail,
  ...docsDoors,
}

/** The page at an address, which is a path without its query. */
export const findDoorPage = byAddress(doorPages)
