import { answerDeviceDecision } from '@/lib/oauth/device/answer-device-forms'

export const POST = answerDeviceDecision
