'use server'
import { chooseTheme } from '@/lib/edges/web/console/theme'

export async function chooseThemeAction(form: FormData): Promise<void> {
  await chooseTheme(form.get('theme'))
}
