'use server'
import { chooseTheme } from '@/lib/edges/web/console/preferences'

export async function chooseThemeAction(form: FormData): Promise<void> {
  await chooseTheme(form.get('theme'))
}
