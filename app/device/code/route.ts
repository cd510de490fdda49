import { answerDeviceCode } from '@/lib/oauth/device/answer-device-forms'
import { only } from '@/lib/web/only'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerDeviceCode)
