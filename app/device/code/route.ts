import { answerDeviceCode } from '@/lib/oauth/device/answer-device-forms'

export const POST = answerDeviceCode
