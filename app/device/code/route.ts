import { only } from '@/lib/base/http/only'
import { answerDeviceCode } from '@/lib/edges/oauth/device/answer-device-forms'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = only('POST', answerDeviceCode)
