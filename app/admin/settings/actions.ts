'use server'
import { changeAction } from '@/lib/edges/web/forms/submit-form'
import { changeSettings } from '@/lib/features/instance-settings/change-settings'

export const changeSettingsAction = changeAction(changeSettings, '/')
