import { cookies } from 'next/headers'
import { readFlash } from './form-flash'

/** What the last file sent from this page was refused for. @param error the page's `?error` */
export async function refusedPicture(error: string | string[] | undefined): Promise<string | undefined> {
  return error === 'picture' ? readFlash(await cookies(), true)?.fields.picture : undefined
}
